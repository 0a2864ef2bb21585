import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'amtiati-tests-'
/** A file in the folder, with the process id of its run. */
const ownerFile = 'run.pid'

/** In memory if 4 GB are free: hundreds of databases are made, and none must outlive the run. */
function temporaryRoot(): string {
  const inMemory = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !existsSync(inMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize >= 4 * 1024 ** 3 ? inMemory : tmpdir()
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Otherwise the process is another user's.
    return (error as { code?: unknown }).code !== 'ESRCH'
  }
}

/** Removes the folders of runs that were killed. A folder that does not name its run, or is another user's, stays. */
function removeLeftFolders(root: string): void {
  for (const name of readdirSync(root).filter((each) => each.startsWith(prefix))) {
    const folder = join(root, name)
    try {
      const pid = Number(readFileSync(join(folder, ownerFile), 'utf8'))
      if (Number.isSafeInteger(pid) && pid > 0 && !isRunning(pid))
        rmSync(folder, { recursive: true, force: true })
    } catch {}
  }
}

/**
 * A folder for the temporary files of all workers and their programs, which is removed at the end of the run, also when
 * it is interrupted.
 */
export function setup(): () => void {
  const root = temporaryRoot()
  removeLeftFolders(root)
  const folder = mkdtempSync(join(root, prefix))
  writeFileSync(join(folder, ownerFile), String(process.pid))
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  function remove() {
    if (!existsSync(folder)) return
    // Renamed first, because a browser that is ending still writes by the old name.
    renameSync(folder, `${folder}-ended`)
    rmSync(`${folder}-ended`, { recursive: true, force: true, maxRetries: 10 })
  }
  // Vitest itself ends by `process.exit` on SIGINT and SIGTERM.
  process.once('exit', remove)
  process.once('SIGHUP', () => process.exit(129))
  return remove
}
