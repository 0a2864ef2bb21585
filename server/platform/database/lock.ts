import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartFailure } from '#server/platform/start-failure.ts'

export type FileLock = ReturnType<typeof lockSqlite>

const busy = 5

/**
 * Lets only one gateway use a SQLite file, by an open transaction on an empty database beside it. The operating system
 * ends the lock when the process ends or is killed. Tools do not need the lock.
 * @throws StartFailure when another process holds the lock
 */
export function lockSqlite(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  const file = new DatabaseSync(`${path}.lock`, { timeout: 0 })
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode !== busy) throw error
    throw new StartFailure(`${path} is in use by another gateway. Stop that first, or name another DATA_DIR.`)
  }
  return { release: () => file.close() }
}
