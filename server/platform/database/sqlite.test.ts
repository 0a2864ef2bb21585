import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openSqlite } from './sqlite.ts'

it('has each commit on the disk before it is answered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-flush-'))
  const { kysely } = openSqlite(join(folder, 'amtiati.sqlite'))
  onTestFinished(async () => {
    await kysely.destroy()
    await rm(folder, { recursive: true, force: true })
  })
  // FULL: SQLite flushes its log inside of each commit.
  expect((await sql`PRAGMA synchronous`.execute(kysely)).rows).toEqual([{ synchronous: 2 }])
  expect((await sql`PRAGMA journal_mode`.execute(kysely)).rows).toEqual([{ journal_mode: 'wal' }])
})

it('lets no other process write between the read and the write of a transaction', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-begin-'))
  const path = join(folder, 'amtiati.sqlite')
  const { kysely } = openSqlite(path)
  const tool = new DatabaseSync(path)
  onTestFinished(async () => {
    tool.close()
    await kysely.destroy()
    await rm(folder, { recursive: true, force: true })
  })
  await sql`create table notes (id integer primary key)`.execute(kysely)
  await kysely.transaction().execute(async (tx) => {
    await tx.selectFrom('notes').selectAll().execute()
    expect(() => tool.exec('insert into notes values (1)')).toThrow('database is locked')
    await tx.insertInto('notes').values({ id: 2 }).execute()
  })
  tool.exec('insert into notes values (1)')
  expect(await kysely.selectFrom('notes').selectAll().execute()).toHaveLength(2)
})
