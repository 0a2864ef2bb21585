import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { copyRows } from './copy.ts'
import type { EngineParts } from './database.ts'
import { inspectDatabase } from './inspect.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

/** Rows per table. */
export type Counts = ReadonlyMap<string, number>

/** A table of every backup: when its snapshot was taken. A restore reads and drops it. */
export const stampTable = 'backup_info'

/**
 * Writes a consistent copy of a SQLite file while others write to it.
 * @throws when the target exists or the copy is inconsistent.
 */
export function backupSqlite(source: string, target: string, now: number): Promise<Counts> {
  return writeNew(target, async (draft) => {
    const live = new DatabaseSync(source, { readOnly: true })
    try {
      // Holds one snapshot: without it every write of the gateway restarts the copy.
      live.exec('BEGIN')
      const counts = countRows(live)
      await backup(live, draft)
      finishCopy(draft, counts, now)
      return counts
    } finally {
      live.close()
    }
  })
}

/**
 * Writes one snapshot of a PostgreSQL as a SQLite file: it needs no program beside Node, and can be restored into either
 * engine. @throws as `backupSqlite`.
 */
export function backupPostgres(from: EngineParts, target: string, now: number): Promise<Counts> {
  return writeNew(target, (draft) =>
    from.kysely
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        // The timeouts of the pool are meant for requests.
        await sql`SET LOCAL statement_timeout = 0`.execute(snapshot)
        await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(snapshot)
        const source: EngineParts = { ...from, kysely: snapshot }
        await inspectDatabase(source)
        const counts = await copyInto(draft, source)
        finishCopy(draft, counts, now)
        return counts
      }),
  )
}

async function copyInto(draft: string, source: EngineParts): Promise<Counts> {
  const copy = openSqlite(draft)
  try {
    await migrate(copy)
    // References are checked in the finished copy.
    await sql`PRAGMA foreign_keys = OFF`.execute(copy.kysely)
    return await copy.kysely.transaction().execute((kysely) => copyRows(source, { ...copy, kysely }))
  } finally {
    await copy.kysely.destroy()
  }
}

/** Checks the copy, joins it into one file, and stamps its time. */
function finishCopy(draft: string, expected: Counts, now: number): void {
  const copy = new DatabaseSync(draft)
  try {
    copy.exec('PRAGMA journal_mode = DELETE')
    checkWhole(copy)
    const counts = countRows(copy)
    for (const [table, rows] of expected)
      if (counts.get(table) !== rows)
        throw new Error(`the copy has ${counts.get(table) ?? 'no'} rows of ${table}, and the source ${rows}`)
    copy.exec(`DROP TABLE IF EXISTS ${stampTable}`)
    copy.exec(`CREATE TABLE ${stampTable} (taken_at integer NOT NULL)`)
    copy.prepare(`INSERT INTO ${stampTable} (taken_at) VALUES (?)`).run(now)
  } finally {
    copy.close()
  }
}

/** @throws when the integrity check or a reference fails. */
export function checkWhole(file: DatabaseSync): void {
  const outcome = file.prepare('PRAGMA integrity_check').get()?.integrity_check
  if (outcome !== 'ok') throw new Error(`it does not hold together: ${String(outcome)}`)
  const orphan = file.prepare('PRAGMA foreign_key_check').get()
  if (orphan !== undefined)
    throw new Error(
      `it does not hold together: a row of ${String(orphan.table)} has no ${String(orphan.parent)}`,
    )
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Rows per table, without the tables of SQLite and Kysely, and the stamp. */
export function countRows(file: DatabaseSync): Counts {
  const tables = file
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT LIKE 'kysely\\_%' ESCAPE '\\' AND name <> ? ORDER BY name`,
    )
    .all(stampTable)
    .map(({ name }) => String(name))
  return new Map(
    tables.map((table) => [
      table,
      Number(file.prepare(`SELECT count(*) AS count FROM ${quoted(table)}`).get()?.count),
    ]),
  )
}

/**
 * Fills a draft beside the target and renames it once it is complete and on the disk, so that no incomplete backup
 * appears. Only its owner can read it. @throws when the target exists.
 */
async function writeNew<T>(path: string, fill: (draft: string) => Promise<T>): Promise<T> {
  const target = resolve(path)
  if (existsSync(target)) throw new Error(`${target} exists already; a backup never overwrites another one`)
  const folder = dirname(target)
  if (!(await isFolder(folder))) throw new Error(`there is no folder ${folder}`)
  const draft = `${target}.${randomUUID().slice(0, 8)}.draft`
  try {
    await (await open(draft, 'wx', 0o600)).close()
    const result = await fill(draft)
    await syncPath(draft)
    // Reserves the name: a concurrent backup with this name fails instead of being overwritten.
    await (await open(target, 'wx', 0o600)).close()
    await rename(draft, target)
    await syncPath(folder)
    return result
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(`${draft}${suffix}`, { force: true })
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Flushes a file or a folder, so that it survives a power cut. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
