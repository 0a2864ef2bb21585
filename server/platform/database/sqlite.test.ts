import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openSqlite } from './sqlite.ts'

/** Records every flush of a file by this process, with the file handle as its context. */
async function spyOnFlushes(folder: string) {
  const handle = await open(folder)
  await handle.close()
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  return vi.spyOn(prototype, 'datasync')
}

it('flushes the log before a write resolves, and not for reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-flush-'))
  const path = join(folder, 'amtiati.sqlite')
  const datasync = await spyOnFlushes(folder)
  const { kysely } = openSqlite(path)
  onTestFinished(async () => {
    await kysely.destroy()
    await rm(folder, { recursive: true, force: true })
  })
  await sql`create table notes (id integer primary key)`.execute(kysely)
  const flushes = () => datasync.mock.calls.length
  const before = flushes()
  await kysely.insertInto('notes').values({ id: 1 }).execute()
  expect(flushes()).toBe(before + 1)
  await kysely.transaction().execute(async (tx) => {
    await tx.insertInto('notes').values({ id: 2 }).execute()
    await tx.insertInto('notes').values({ id: 3 }).execute()
    expect(flushes()).toBe(before + 1)
  })
  expect(flushes()).toBe(before + 2)
  await kysely.selectFrom('notes').selectAll().execute()
  expect(flushes()).toBe(before + 2)

  const [log, ...others] = new Set(datasync.mock.contexts as readonly FileHandle[])
  expect(others).toEqual([])
  expect((await log?.stat())?.ino).toBe((await stat(`${path}-wal`)).ino)
})

it('leaves no file open when every statement went past Kysely', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-past-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const datasync = await spyOnFlushes(folder)
  datasync.mockClear()
  const { kysely, run } = openSqlite(join(folder, 'amtiati.sqlite'))
  await run?.(CompiledQuery.raw('create table notes (id integer primary key)'))
  await kysely.destroy()
  const [log] = datasync.mock.contexts as readonly FileHandle[]
  expect(log?.fd).toBe(-1)
})

it('leaves no file open when it is destroyed while a first write waits for its flush', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-late-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const setup = openSqlite(join(folder, 'amtiati.sqlite'))
  await sql`create table notes (id integer primary key)`.execute(setup.kysely)
  await setup.kysely.destroy()
  const datasync = await spyOnFlushes(folder)
  datasync.mockClear()
  const { kysely } = openSqlite(join(folder, 'amtiati.sqlite'))
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const write = kysely.transaction().execute(async (tx) => {
    await tx.insertInto('notes').values({ id: 1 }).execute()
    begun.resolve()
    await ended.promise
  })
  await begun.promise
  const destroyed = kysely.destroy()
  await new Promise(setImmediate)
  ended.resolve()
  await Promise.allSettled([write, destroyed])
  for (const handle of datasync.mock.contexts as readonly FileHandle[]) expect(handle.fd).toBe(-1)
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
