import { DatabaseSync } from 'node:sqlite'
import { type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { createDatabase } from './database.ts'
import { prepared } from './prepared.ts'
import { createSqliteDriver, maxStatements } from './sqlite-driver.ts'
import { openTables } from './transactions.ts'

interface Tables {
  notes: { id: number; text: string }
}

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function open() {
  const file = new DatabaseSync(':memory:')
  file.exec('create table notes (id integer primary key, text text not null)')
  const driver = createSqliteDriver(file)
  const tables = openTables({
    createAdapter: () => new Adapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  })
  const kysely: Kysely<Tables> = tables.kysely
  onTestFinished(() => kysely.destroy())
  const database = createDatabase({
    engine: 'sqlite',
    time: () => sql<number>`0`,
    ...tables,
    isTransient: () => false,
    connections: driver.connections,
    listen: driver.listen,
  })
  const notes = () => database.tables as unknown as Kysely<Tables>
  return {
    file,
    kysely,
    database,
    add: (id: number) => notes().insertInto('notes').values({ id, text: 'a' }).execute(),
    ids: async () =>
      (await notes().selectFrom('notes').select('id').orderBy('id').execute()).map(({ id }) => id),
  }
}

describe('the SQLite driver', () => {
  it('runs concurrent transactions one after the other', async () => {
    const { add, database, ids } = open()
    const counts: number[] = []
    await atOnce(20, (id) =>
      database.transaction(async () => {
        const before = await ids()
        await new Promise(setImmediate)
        await add(id)
        counts.push((await ids()).length - before.length)
      }),
    )
    expect(counts).toEqual(Array.from({ length: 20 }, () => 1))
  })

  it('prepares each text once, and limits the number of kept statements', async () => {
    const { file, kysely, ids } = open()
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
    const { file, kysely, ids } = open()
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
    const { file, database } = open()
    file.exec("insert into notes values (1, 'a'), (2, 'b'), (3, 'a')")
    const build = vi.fn()
    const find = prepared((_: object, text: string, most: number) => {
      build()
      return (database.tables as unknown as Kysely<Tables>)
        .selectFrom('notes')
        .select('id')
        .where('text', '=', text)
        .where('text', '!=', 'z')
        .where('id', '<=', most)
        .orderBy('id')
    })
    expect(await find({ database }, 'a', 3)).toEqual([{ id: 1 }, { id: 3 }])
    expect(await find({ database }, 'a', 1)).toEqual([{ id: 1 }])
    expect(build).toHaveBeenCalledTimes(1)
  })
})
