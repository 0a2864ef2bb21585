import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartFailure } from '#server/platform/start-failure.ts'

export type FileLock = ReturnType<typeof lockSqlite>

const busy = 5

/**
 * Only one gateway uses a SQLite file. It holds an open transaction on an empty database beside the file, which the
 * operating system ends together with the process.
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
