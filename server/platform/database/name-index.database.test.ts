import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { foldForSearch } from '#shared/platform/search.ts'
import { contractNoon as noon } from '#test/kit/clock.ts'
import { engines, forEachEngine, freshDatabase, freshPostgresUrl } from '#test/kit/databases.ts'
import { openPatientPostgres } from '#test/kit/open-postgres.ts'
import { explain } from '#test/kit/plans.ts'
import { newLeg, newOrder } from '#test/kit/stored-orders.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { spelledForSearch } from './migrations/0011-desk-search.ts'
import { idsByName, namePartsOf } from './name-index.ts'

const lettersOf = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
/** Of Arabic, and of Latin with marks: those that are a letter of a word, or a mark that is left out. */
const letters = [
  ...lettersOf(0x621, 0x652),
  ...lettersOf(0xc0, 0x24f),
  ...lettersOf(0x1e00, 0x1eff),
  ...'ٱیکہگچپٹڈ',
].filter((letter) => /\p{M}/u.test(letter) || /^a\p{L}b$/u.test(foldForSearch(`a${letter}b`)))

async function addUser(database: Database, name: string): Promise<number> {
  const { id } = await database.tables
    .insertInto('users')
    .values({ phone: crypto.randomUUID(), name, created_at: noon })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function found(database: Database, typed: string, limit = 10): Promise<number[]> {
  const rows = await database.tables
    .selectFrom('users')
    .select('id')
    .where('id', 'in', idsByName(database, 'users', namePartsOf(typed), limit))
    .execute()
  return rows.map(({ id }) => id).sort((one, other) => one - other)
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
      // What a query language would take for a part of itself is no letter.
      for (const typed of ['"ahm" OR omer*', 'ahm% omer', "ahm' OR 'omer", 'name:ahm omer', 'NEAR(ahm omer)'])
        await is(typed)
      await is('ahm%_*"^', ahmed)
      for (const typed of ['ahmed omer', 'احمد فاطمة', 'زينب']) await is(typed)
      await expect(found(database, 'اح')).rejects.toThrow('no part of a name')
    })

    it('are compared in the spelling in which a query is read, letter by letter', async () => {
      const database = await open()
      await database.tables
        .insertInto('users')
        .values(letters.map((letter) => ({ phone: letter, name: `ab${letter}cd`, created_at: noon })))
        .execute()
      const spelled = sql<string>`${sql.raw(spelledForSearch(engine, 'name'))}`.as('spelled')
      const rows = await database.tables.selectFrom('users').select(['id', 'phone', spelled]).execute()
      const missed: string[] = []
      for (const { id, phone: letter, spelled: text } of rows) {
        const folded = foldForSearch(`ab${letter}cd`)
        // SQLite's index has its own knowledge of Latin letters.
        const isFound =
          engine === 'postgres' ? text === folded : (await found(database, folded, 1_000)).includes(id)
        if (!isFound) missed.push(letter)
      }
      expect(missed).toEqual([])
    })

    it('leave the index with a change, a deletion and a rolled back transaction', async () => {
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
      if (engine === 'postgres') return
      const { rows } = await sql<{ block: Uint8Array }>`SELECT block FROM search_users_data`.execute(users)
      const bytes = rows.map(({ block }) => Buffer.from(block).toString('latin1')).join()
      expect(bytes).not.toMatch(/kha|zay|usu/)
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
            ...{ ...newLeg(`R${index}`), state: 'none' as const, receiver_name },
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
          .where('id', 'in', idsByName(database, 'bookings', ['maryam'], limit))
          .execute()
      expect((await newest(2)).map(({ id }) => id).sort()).toEqual([ids[2], ids[3]])
      expect(await newest(10)).toHaveLength(3)
    })
  })
})

const rowOf = (userId: number) => {
  const { type, amountHalalas, currency, agentCode, centerCode, createdAt } = newOrder(userId)
  return {
    ...{ user_id: userId, type, status: 'PAID' as const, amount_halalas: amountHalalas, currency },
    ...{ agent_code: agentCode, center_code: centerCode, created_at: createdAt },
  }
}

describe.each(engines)('a search of names on %s', (engine) => {
  it('reads the newest rows, and else no row that its index does not name', async () => {
    const place =
      engine === 'postgres'
        ? { parts: openPatientPostgres(await freshPostgresUrl('filled')), remove: async () => undefined }
        : await emptySqlite()
    const { parts, remove } = place
    try {
      for (const table of ['users', 'bookings'] as const) {
        const ids = idsByName({ engine }, table, ['xyz', 'abc'], 20)
        const query = sql`SELECT id FROM ${sql.table(table)} WHERE id IN ${ids}`.compile(parts.kysely)
        // The newest rows are read by their number, and no more of them than their limit.
        const newest = `scans (Index Scan ${table} by ${table}_pkey)`
        expect((await explain(parts, query)).filter((fault) => fault !== newest)).toEqual([])
      }
    } finally {
      await parts.kysely.destroy()
      await remove()
    }
  })
})

async function emptySqlite() {
  const place = await freshDatabase('sqlite')
  const parts = place.open()
  await migrate(parts)
  return { parts, remove: place.remove }
}

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
