import fc from 'fast-check'
import { CompiledQuery, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { searchTextOf } from '#shared/platform/search.ts'
import { contractNoon as noon } from '#test/kit/basics/clock.ts'
import { isFull } from '#test/kit/basics/full-run.ts'
import { runSeed } from '#test/kit/basics/random.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { openPatientPostgres } from '#test/kit/database/open-postgres.ts'
import { explain } from '#test/kit/database/plans.ts'
import { namePairs, namesIn, otherNames, scriptsOfNames } from '#test/kit/orders/names.ts'
import { newLeg, newOrder } from '#test/kit/orders/stored-orders.ts'
import type { Database, EngineParts } from './database.ts'
import { migrate } from './migrate.ts'
import { idsByName, nameNeedlesOf } from './name-index.ts'
import { searchText } from './search-text.ts'

async function addUsers(database: Database, names: readonly string[]): Promise<number[]> {
  const rows = await database.tables
    .insertInto('users')
    .values(names.map((name) => ({ phone: crypto.randomUUID(), name, created_at: noon })))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

const addUser = async (database: Database, name: string): Promise<number> =>
  (await addUsers(database, [name]))[0] ?? 0

/** Names that the desk finds among these people. */
async function found(database: Database, typed: string, limit = 10): Promise<number[]> {
  for (const needle of nameNeedlesOf(typed)) {
    const rows = await database.tables
      .selectFrom('users')
      .select('id')
      .where('id', 'in', idsByName(database.engine, 'users', needle, limit))
      .execute()
    if (rows.length > 0) return rows.map(({ id }) => id).sort((one, other) => one - other)
  }
  return []
}

forEachEngine((engine, open) => {
  describe('names', () => {
    it('are found by any three letters of each word, in Arabic and Latin, in whatever spelling', async () => {
      const database = await open()
      const ahmad = await addUser(database, 'أَحْمد إبراهـيم الفؤادى')
      const fatima = await addUser(database, 'فاطمة ک. یوسف')
      const omer = await addUser(database, 'Ömer İLHAN Şeyḥ-Núñez')
      const ahmed = await addUser(database, 'Ahmed O’Neil')
      const is = async (typed: string, ...ids: number[]) =>
        expect(await found(database, typed), typed).toEqual(ids)
      for (const typed of ['احمد', 'ابراهيم', 'الفوادي', 'حمد اهي', 'إبراهيم أحمد']) await is(typed, ahmad)
      for (const typed of ['فاطمه', 'طمة', 'يوسف']) await is(typed, fatima)
      for (const typed of ['omer', 'ömer ilh', 'SEYH', 'nunez']) await is(typed, omer)
      for (const typed of ['hme', 'AHMED neil', "o'neil"]) await is(typed, ahmed)
      // Operators of a query language are no letters.
      for (const typed of ['"ahm" OR omer*', 'ahm% omer', "ahm' OR 'omer", 'name:ahm omer', 'NEAR(ahm omer)'])
        await is(typed)
      await is('ahm%_*"^', ahmed)
      for (const typed of ['ahmed omer', 'احمد فاطمة', 'زينب']) await is(typed)
      expect(await found(database, '')).toEqual([])
      expect(() => idsByName(engine, 'users', [], 10)).toThrow('no part of a name')
    })

    it('are found as people write them', async () => {
      const database = await open()
      const stored = [...namePairs, ...otherNames].map(([, name]) => name)
      const added = await addUsers(database, stored)
      const ids = new Map(stored.map((name, index) => [name, added[index]]))
      const missed: string[] = []
      for (const [typed, name] of namePairs)
        if (!(await found(database, typed, 100)).includes(ids.get(name) ?? 0))
          missed.push(`${typed}: ${name}`)
      expect(missed).toEqual([])
      for (const [typed, name] of otherNames)
        expect(await found(database, typed, 100), typed).not.toContain(ids.get(name))
    })

    it('of two letters are found by both, and by the whole word alone', async () => {
      const database = await open()
      const [ng, wong] = [await addUser(database, 'Ng Wei Ming'), await addUser(database, 'Wong Mingzhu')]
      const [butt, battal] = [await addUser(database, 'محمد بٹ'), await addUser(database, 'محمد بتال')]
      const idris = await addUser(database, 'Abd ul-Rahman Idris')
      expect(await found(database, 'Ng')).toEqual([ng])
      expect(await found(database, 'ng ming')).toEqual([ng])
      expect(await found(database, 'ming')).toEqual([ng, wong])
      expect(await found(database, 'بت')).toEqual([butt])
      expect(await found(database, 'محمد بت')).toEqual([butt])
      expect(await found(database, 'محمد')).toEqual([butt, battal])
      // No name has the short word, so the others are enough.
      expect(await found(database, 'abd al rahman')).toEqual([idris])
    })

    it('of three letters or more are found by themselves, in every script', async () => {
      const database = await open()
      const sample = (script: (typeof scriptsOfNames)[number]) =>
        fc.sample(namesIn(script), { numRuns: isFull ? 100 : 6, seed: runSeed })
      const names = [...new Set(scriptsOfNames.flatMap(sample))]
      expect(names.length).toBeGreaterThan(scriptsOfNames.length * 5)
      const ids = await addUsers(database, names)
      const missed: string[] = []
      for (const [index, name] of names.entries())
        if (!(await found(database, name, names.length)).includes(ids[index] ?? 0)) missed.push(name)
      expect(missed).toEqual([])
    })

    it('are folded by the database as a query is, letter by letter', async () => {
      const database = await open()
      const letters = Array.from({ length: 0x1fb00 }, (_, point) => point)
        .filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff))
        .map((point) => String.fromCodePoint(point))
        .filter((letter) => /[^\p{Cn}\p{Co}]/u.test(letter))
      const folds: { readonly written: string; readonly folded: string }[] = []
      for (let first = 0; first < letters.length; first += 5_000) {
        const some = JSON.stringify(letters.slice(first, first + 5_000))
        const each =
          engine === 'sqlite' ? sql`json_each(${some})` : sql`jsonb_array_elements_text(${some}) AS value`
        const { rows } = await sql<(typeof folds)[number]>`SELECT value AS written,
          ${sql.raw(searchText)}('ab' || value || 'cd') AS folded FROM ${each}`.execute(database.tables)
        folds.push(...rows)
      }
      expect(folds).toHaveLength(letters.length)
      const others = folds
        .filter(({ written, folded }) => folded !== searchTextOf(`ab${written}cd`))
        // PostgreSQL does not know the letters of the newest editions of Unicode, and keeps them.
        .filter(({ written, folded }) => written < '\u1c80' || folded !== ` ab${written}cd `)
      expect(others).toEqual([])
    })

    it('are found as they are after a change, a deletion and a rolled back transaction', async () => {
      const database = await open()
      const users = database.tables
      const id = await addUser(database, 'Khadija Yusuf')
      await users.updateTable('users').set({ name: 'Zaynab Yusuf' }).where('id', '=', id).execute()
      expect([await found(database, 'khadija'), await found(database, 'zaynab')]).toEqual([[], [id]])
      await expect(
        database.transaction(async () => {
          await database.tables.updateTable('users').set({ name: '' }).where('id', '=', id).execute()
          throw new Error('undone')
        }),
      ).rejects.toThrow('undone')
      expect(await found(database, 'zaynab')).toEqual([id])
      await users.updateTable('users').set({ name: '' }).where('id', '=', id).execute()
      expect(await found(database, 'yusuf')).toEqual([])
      await users.deleteFrom('users').where('id', '=', id).execute()
    })

    it('of receivers are found by bookings, and the newest come first', async () => {
      const database = await open()
      const userId = await addUser(database, 'Owner')
      const receivers = ['Maryam Ali', null, 'maryam hasan', 'Maryam Zaki']
      const orders = await database.tables
        .insertInto('orders')
        .values(receivers.map(() => rowOf(userId)))
        .returning('id')
        .execute()
      const legs = await database.tables
        .insertInto('bookings')
        .values(
          receivers.map((receiver_name, index) => ({
            ...newLeg(`R${index}`),
            state: 'none' as const,
            receiver_name,
            order_id: orders[index]?.id ?? 0,
          })),
        )
        .returning('id')
        .execute()
      const ids = legs.map(({ id }) => id)
      const newest = (limit: number) =>
        database.tables
          .selectFrom('bookings')
          .select('id')
          .where('id', 'in', idsByName(engine, 'bookings', [['maryam']], limit))
          .execute()
      expect((await newest(2)).map(({ id }) => id).sort()).toEqual([ids[2], ids[3]])
      expect(await newest(10)).toHaveLength(3)
    })
  })
})

const rowOf = (userId: number) => {
  const { type, amountHalalas, currency, agentCode, centerCode, createdAt } = newOrder(userId)
  return {
    user_id: userId,
    type,
    payment: 'paid' as const,
    amount_halalas: amountHalalas,
    currency,
    agent_code: agentCode,
    center_code: centerCode,
    created_at: createdAt,
  }
}

async function planOf(kysely: EngineParts['kysely'], query: CompiledQuery): Promise<string> {
  const { rows } = await kysely.executeQuery<{ 'QUERY PLAN': string }>(
    CompiledQuery.raw(`EXPLAIN ${query.sql}`, [...query.parameters]),
  )
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

it('a search of names on PostgreSQL reads the newest rows, and else no row that its index does not name', async () => {
  const parts = openPatientPostgres(await freshPostgresUrl('filled'))
  try {
    for (const table of ['users', 'bookings'] as const) {
      const ids = idsByName(
        'postgres',
        table,
        [
          ['xyz', 'wxy'],
          ['abc', 'bcd'],
        ],
        20,
      )
      const query = sql`SELECT id FROM ${sql.table(table)} WHERE id IN ${ids}`.compile(parts.kysely)
      // The newest rows are read by their number, up to their limit.
      const newest = `scans (Index Scan ${table} by ${table}_pkey)`
      expect((await explain(parts, query)).filter((fault) => fault !== newest)).toEqual([])
      // One scan of the index compares both words. A scan for one of them may find half of all names.
      expect(await planOf(parts.kysely, query)).toMatch(/Index Cond: .*xyz\|wxy.*abc\|bcd/)
    }
  } finally {
    await parts.kysely.destroy()
  }
})

describe('a PostgreSQL that does not know the letters of Arabic', () => {
  it('is refused with one sentence', async () => {
    const parts = openPatientPostgres(await freshPostgresUrl())
    const name = 'letters_of_c'
    try {
      await sql`CREATE DATABASE ${sql.id(name)} TEMPLATE template0 LC_CTYPE 'C'`.execute(parts.kysely)
    } finally {
      await parts.kysely.destroy()
    }
    const url = new URL(await freshPostgresUrl())
    url.pathname = `/${name}`
    const refused = openPatientPostgres(url.href)
    try {
      await expect(migrate(refused)).rejects.toMatchObject({
        name: 'StartFailure',
        message: expect.stringMatching(/^names in Arabic cannot be searched.*LC_CTYPE is C\..*C\.UTF-8\.$/),
      })
    } finally {
      await refused.kysely.destroy()
    }
  })
})
