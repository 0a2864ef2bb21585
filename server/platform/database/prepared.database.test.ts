import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { forEachEngine } from '#test/kit/database/databases.ts'
import type { Database } from './database.ts'
import { prepared, preparedChanges, preparedForEach } from './prepared.ts'

forEachEngine((engine, open) => {
  const row = (kind: string) => ({ kind, body: '[]', fetched_at: 1 })
  const add = (database: Database, kind: string) =>
    database.tables.insertInto('partner_lists').values(row(kind)).execute()

  it('a prepared statement runs again after a migration changed its columns, in a transaction too', async () => {
    const database = await open()
    await add(database, 'a')
    const find = prepared((_: object, kind: string) =>
      database.tables.selectFrom('partner_lists').selectAll().where('kind', '=', kind),
    )
    expect(await find({ database }, 'a')).toMatchObject([row('a')])
    await sql`ALTER TABLE partner_lists ADD COLUMN note text`.execute(database.tables)
    expect(await find({ database }, 'a')).toMatchObject([{ ...row('a'), note: null }])
    await sql`ALTER TABLE partner_lists ADD COLUMN other text`.execute(database.tables)
    const inside = await database.transaction(async () => {
      await add(database, 'b')
      return find({ database }, 'a')
    })
    expect(inside).toMatchObject([{ ...row('a'), note: null, other: null }])
    expect(await find({ database }, 'b')).toHaveLength(1)
  })

  it('a transaction whose first statement fails leaves nothing, and its connection works on', async () => {
    const database = await open()
    await add(database, 'a')
    const twice = preparedChanges((_: object, kind: string) =>
      database.tables.insertInto('partner_lists').values({ kind, body: sql`'[]'`, fetched_at: sql`1` }),
    )
    for (const first of [() => twice({ database }, 'a'), () => add(database, 'a')])
      await expect(
        database.transaction(async () => {
          await first().catch(async (error) => {
            await add(database, 'b').catch(() => undefined)
            throw error
          })
        }),
      ).rejects.toThrow()
    await database.transaction(async () => undefined)
    await database.transaction(() => twice({ database }, 'c'))
    const find = preparedForEach((_: object, kinds: readonly string[]) =>
      database.tables.selectFrom('partner_lists').select('kind').where('kind', 'in', kinds).orderBy('kind'),
    )
    expect(await find({ database }, ['a', 'b', 'c'])).toEqual([{ kind: 'a' }, { kind: 'c' }])
    expect(await find({ database }, [])).toEqual([])
    if (engine === 'postgres') expect(database.connections()).toMatchObject({ inUse: 0 })
  })
})
