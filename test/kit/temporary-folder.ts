import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** In memory if 4 GB are free: hundreds of databases are made, and none must outlive the run. */
function temporaryRoot(): string {
  const inMemory = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !existsSync(inMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize >= 4 * 1024 ** 3 ? inMemory : tmpdir()
}

/** A folder for the temporary files of all workers and their programs, which is removed at the end of the run. */
export function setup(): () => void {
  const folder = mkdtempSync(join(temporaryRoot(), 'amtiati-tests-'))
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  return () => {
    // Renamed first, because a browser that is ending still writes by the old name.
    renameSync(folder, `${folder}-ended`)
    rmSync(`${folder}-ended`, { recursive: true, force: true, maxRetries: 10 })
  }
}
