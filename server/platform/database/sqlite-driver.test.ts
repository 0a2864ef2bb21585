import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { atOnce } from '#test/kit/at-once.ts'
import { createDatabase } from './database.ts'
import { createFlushes } from './flushes.ts'
import { prepared } from './prepared.ts'
import { createSqliteDriver, maxStatements } from './sqlite-driver.ts'

interface Tables {
  notes: { id: number; text: string }
}

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** A database whose flushes the test ends. */
async function open() {
  const file = new DatabaseSync(':memory:')
  file.exec('create table notes (id integer primary key, text text not null)')
  const begun: PromiseWithResolvers<void>[] = []
  const flush = () => {
    const next = Promise.withResolvers<void>()
    begun.push(next)
    return next.promise
  }
  const driver = createSqliteDriver(file, createFlushes(flush))
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  onTestFinished(() => kysely.destroy())
  const database = createDatabase({
    engine: 'sqlite',
    time: () => sql<number>`0`,
    kysely,
    isTransient: () => false,
    connections: driver.connections,
    listen: driver.listen,
  })
  const notes = () => database.tables as unknown as Kysely<Tables>
  return {
    file,
    begun,
    kysely,
    database,
    add: (id: number) => notes().insertInto('notes').values({ id, text: 'a' }).execute(),
    ids: async () =>
      (await notes().selectFrom('notes').select('id').orderBy('id').execute()).map(({ id }) => id),
  }
}

/** The state of the promise after everything that can happen without a flush has happened. */
async function watch<T>(promise: Promise<T>) {
  const seen: { value?: T; error?: unknown; isDone: boolean } = { isDone: false }
  promise.then(
    (value) => Object.assign(seen, { value, isDone: true }),
    (error: unknown) => Object.assign(seen, { error, isDone: true }),
  )
  await new Promise(setImmediate)
  return seen
}

describe('the SQLite driver', () => {
  it('resolves a write only after the flush', async () => {
    const { add, begun } = await open()
    const write = await watch(add(1))
    expect(write.isDone).toBe(false)
    begun[0]?.resolve()
    await vi.waitFor(() => expect(write.isDone).toBe(true))
  })

  it('resolves a transaction only after the flush, and begins the next one before it', async () => {
    const { add, begun, database, ids } = await open()
    const first = await watch(database.transaction(() => add(1)))
    const second = await watch(
      database.transaction(async () => {
        await add(2)
        return ids()
      }),
    )
    expect([first.isDone, second.isDone]).toEqual([false, false])
    begun[0]?.resolve()
    await vi.waitFor(() => expect(first.isDone).toBe(true))
    await vi.waitFor(() => expect(begun).toHaveLength(2))
    begun[1]?.resolve()
    await vi.waitFor(() => expect(second.value).toEqual([1, 2]))
  })

  it('resolves a read only after the flush of everything it may have seen', async () => {
    const { add, begun, ids } = await open()
    await watch(add(1))
    const read = await watch(ids())
    expect(read.isDone).toBe(false)
    begun[0]?.resolve()
    await vi.waitFor(() => expect(read.value).toEqual([1]))
  })

  it('rejects a write whose flush failed, keeps other transactions, and still reads', async () => {
    const { add, begun, database, ids } = await open()
    const lost = await watch(database.transaction(() => add(1)))
    const end = Promise.withResolvers<void>()
    const other = await watch(
      database.transaction(async () => {
        await add(2)
        await end.promise
        return ids()
      }),
    )
    begun[0]?.reject(new Error('EIO'))
    await vi.waitFor(() => expect(lost.error).toEqual(new Error('EIO')))
    end.resolve()
    await vi.waitFor(() => expect(other.error).toEqual(new Error('EIO')))
    expect(await ids()).toEqual([1, 2])
    const named = sql<{ id: number }>`WITH RECURSIVE named AS (SELECT id FROM notes) SELECT id FROM named`
    expect((await named.execute(database.tables)).rows).toEqual([{ id: 1 }, { id: 2 }])
    const added = sql`WITH one AS (SELECT 3 AS id) INSERT INTO notes SELECT id, 'a' FROM one`
    await expect(added.execute(database.tables)).rejects.toThrow('EIO')
    await expect(add(3)).rejects.toThrow('EIO')
    await expect(database.transaction(() => add(3))).rejects.toThrow('EIO')
    await expect(database.check()).rejects.toThrow('EIO')
  })

  it('runs concurrent transactions one after the other', async () => {
    const { add, begun, database, ids } = await open()
    const counts: number[] = []
    const all = atOnce(20, (id) =>
      database.transaction(async () => {
        const before = await ids()
        await new Promise(setImmediate)
        await add(id)
        counts.push((await ids()).length - before.length)
      }),
    )
    const flushing = setInterval(() => begun.shift()?.resolve(), 1)
    await all
    clearInterval(flushing)
    expect(counts).toEqual(Array.from({ length: 20 }, () => 1))
  })

  it('prepares each text once, and limits the number of kept statements', async () => {
    const { file, kysely, ids } = await open()
    const prepare = vi.spyOn(file, 'prepare')
    const select = (number: number) => kysely.selectNoFrom(sql.lit(number).as('a')).execute()
    await ids()
    await ids()
    expect(prepare).toHaveBeenCalledTimes(1)
    for (let index = 1; index < maxStatements; index += 1) await select(index)
    await ids()
    expect(prepare).toHaveBeenCalledTimes(maxStatements)
    // One too many: the statement prepared first is dropped.
    await select(0)
    expect(prepare).toHaveBeenCalledTimes(maxStatements + 1)
    await select(1)
    expect(prepare).toHaveBeenCalledTimes(maxStatements + 1)
    await ids()
    expect(prepare).toHaveBeenCalledTimes(maxStatements + 2)
  })

  it('separates the rows of a stream from a concurrent query with the same text', async () => {
    const { file, kysely, ids } = await open()
    file.exec("insert into notes values (1, 'a'), (2, 'b'), (3, 'c')")
    const seen: number[] = []
    for await (const { id } of kysely.selectFrom('notes').select('id').orderBy('id').stream()) {
      seen.push(id)
      void ids()
    }
    expect(seen).toEqual([1, 2, 3])
  })
})

describe('prepared', () => {
  it('builds a query once, and binds every parameter at its positions', async () => {
    const { file, database } = await open()
    file.exec("insert into notes values (1, 'a'), (2, 'b'), (3, 'a')")
    const build = vi.fn()
    const find = prepared<{ text: string; most: number }, { id: number }>(database, (parameter) => {
      build()
      return (database.tables as unknown as Kysely<Tables>)
        .selectFrom('notes')
        .select('id')
        .where('text', '=', parameter('text'))
        .where('text', '!=', 'z')
        .where('id', '<=', parameter('most'))
        .orderBy('id')
    })
    expect(await find({ most: 3, text: 'a' })).toEqual([{ id: 1 }, { id: 3 }])
    expect(await find({ most: 1, text: 'a' })).toEqual([{ id: 1 }])
    expect(build).toHaveBeenCalledTimes(1)
  })
})
