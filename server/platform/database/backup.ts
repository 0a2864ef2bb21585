import { existsSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'

/**
 * A consistent copy of a SQLite file while others write it. The copy is checked before it is called one.
 * Answers its number of pages. @throws when the target exists already or the copy does not hold together.
 */
export async function backupSqlite(source: string, target: string): Promise<number> {
  if (!existsSync(source)) throw new Error(`there is no database at ${source}`)
  if (existsSync(target)) throw new Error(`${target} exists already; a backup never overwrites another one`)
  const running = new DatabaseSync(source, { readOnly: true })
  try {
    // Holds one picture of the file: without it every write of the gateway makes the copying start anew.
    running.exec('BEGIN')
    running.prepare('SELECT count(*) FROM sqlite_schema').get()
    const pages = await backup(running, target)
    const copy = new DatabaseSync(target, { readOnly: true })
    const { integrity_check: verdict } = copy.prepare('PRAGMA integrity_check').get() as Record<
      string,
      unknown
    >
    copy.close()
    if (verdict !== 'ok') throw new Error(`the copy does not hold together: ${String(verdict)}`)
    return pages
  } finally {
    running.close()
  }
}
