import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '../basics/eventually.ts'

/** The server of a folder and the processes of its connections, the server first. */
async function serverPids(databaseDir: string): Promise<number[]> {
  const [first = ''] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', first], { encoding: 'utf8' })
  return [first, ...stdout.trim().split(/\s+/)].filter(Boolean).map(Number)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** SIGINT lets the server end its connections. Resolves when all have ended. */
export async function endServer(databaseDir: string, name: 'SIGINT' | 'SIGKILL'): Promise<void> {
  const [first = 0, ...others] = await serverPids(databaseDir)
  process.kill(first, name)
  if (name === 'SIGKILL') for (const pid of others) if (isAlive(pid)) process.kill(pid, name)
  await eventually(() => ([first, ...others].some(isAlive) ? undefined : true))
}
