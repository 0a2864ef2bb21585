import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { TimedCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { ListOrder } from '#shared/orders/orders.schemas.ts'
import { manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { isFull } from '#test/kit/basics/full-run.ts'
import { runSeed } from '#test/kit/basics/random.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import { newOrder, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { countOrdersOfAgent, listOrdersOfAgent } from './agent-list.queries.ts'
import { agentPartsOf, filterFor, needleFor } from './agent-list.rules.ts'
import { countCreation, findBookings, leaseDueBooking, setAwb } from './bookings.queries.ts'
import type { NewOrder } from './order-creation.queries.ts'
import { eraseOrdersOfUser, findOrder, markPaid, markRefunded } from './orders.queries.ts'

interface Facts extends Partial<NewOrder> {
  readonly phone: string
  readonly name: string
  readonly city?: string
  readonly receiver?: string
  readonly awb?: string
}

/** Contract of the store that agents search. */
forEachEngine((_engine, open) => {
  let database: Database
  let core: TimedCore

  beforeEach(async () => {
    database = await open()
    core = { database, clock: manualClock(noon) }
  })

  async function add({ phone, name, city = 'Riyadh', ...change }: Facts): Promise<number> {
    const { id } = await ensureUser({ database }, phone, name, noon)
    const [origin, destination] = [{ city: 'Mina' }, { city }].map((place) => JSON.stringify(place))
    return storeOrder(core, newOrder(id, change), [
      { leg: 0, reference: crypto.randomUUID(), origin: origin ?? '', destination: destination ?? '' },
    ])
  }

  /** With its airway bill, on which the receiver stands. */
  async function addPaid(facts: Facts): Promise<number> {
    const id = await add(facts)
    await database.transaction(() => markPaid(core, id, `T${id}`, noon))
    const booking = await leaseDueBooking(core, 'lease', noon, noon + minute)
    await countCreation(core, booking?.id ?? 0, 'lease', noon, facts.receiver ?? facts.name)
    await setAwb(core, booking?.id ?? 0, 'lease', facts.awb ?? String(290_000_000_000 + id))
    return id
  }

  interface Asked {
    readonly order?: ListOrder
    readonly after?: number
    readonly limit?: number
    readonly agent?: string
    readonly state?: Parameters<typeof agentPartsOf>[0]
  }

  async function found(
    q: string,
    { order = 'newest', limit = 10, agent = 'A01', state, ...page }: Asked = {},
  ) {
    const needle = needleFor({ q, city: undefined })
    if (!needle) throw new Error(`${q} is not searched by the index`)
    const rows = await listOrdersOfAgent(core, agent, {
      ...page,
      parts: agentPartsOf(state),
      order,
      limit,
      needle,
    })
    return rows.map(({ id }) => id)
  }

  const rename = (userId: number, name: string) =>
    database.tables.updateTable('users').set({ name }).where('id', '=', userId).execute()

  describe('an agent', () => {
    it('finds paid orders of its own by owner, phone, receiver, airway bill and city, and counts them', async () => {
      const fatimah = await addPaid({
        name: 'فاطمة الأَنْصاري',
        phone: '+966501112233',
        receiver: 'Nüñez, Omar',
        awb: '290012345678',
        city: 'Al-Khobar',
      })
      const other = await addPaid({ name: 'Omar', phone: '+966501119999', agentCode: 'A02' })
      const unpaid = await add({ name: 'Omar', phone: '+966501119999' })
      for (const q of [
        'فاطمه',
        'الانصاري نصا',
        '0501112233',
        '2233',
        '٣٤٥٦',
        'nunez',
        'ÑEZ omar',
        'خبر',
        'khobar',
      ])
        expect(await found(q), q).toEqual([fatimah])
      for (const q of ['zaynab', 'omar 9999', 'mina', '112234', 'riyadh'])
        expect(await found(q), q).toEqual([])
      expect(await found('omar', { agent: 'A02' })).toEqual([other])
      expect(await found('omar', { agent: 'A03' })).toEqual([])
      await database.transaction(() => markPaid(core, unpaid, 'late', noon))
      expect(await found('omar')).toEqual([unpaid, fatimah])
      expect(await found('omar', { order: 'oldest', state: 'waiting' })).toEqual([fatimah, unpaid])
      expect(await found('omar', { after: unpaid })).toEqual([fatimah])
      expect(await found('omar', { order: 'oldest', limit: 1 })).toEqual([fatimah])
      await database.transaction(() => markRefunded(core, fatimah, `T${fatimah}`))
      expect(await found('omar', { state: 'refused' })).toEqual([fatimah])
      expect(await found('omar', { state: 'waiting' })).toEqual([unpaid])
      expect(await countOrdersOfAgent(core, 'A01')).toEqual(
        new Map([
          ['none', 1],
          ['void', 1],
        ]),
      )
    })

    it('finds an order by what its owner is called now, and by nothing that was erased', async () => {
      const id = await addPaid({ name: 'Khadija', phone: '+966501112233', receiver: 'Hajar' })
      const { user_id: userId = 0 } = (await findOrder(core, id)) ?? {}
      await database.tables
        .updateTable('users')
        .set({ name: 'Zaynab', phone: '+966505556677' })
        .where('id', '=', userId)
        .execute()
      for (const [q, ids] of Object.entries({ khadija: [], 1112: [], zaynab: [id], 5566: [id], hajar: [id] }))
        expect(await found(q), q).toEqual(ids)
      await expect(
        database.transaction(async () => {
          await eraseOrdersOfUser(core, userId)
          throw new Error('undone')
        }),
      ).rejects.toThrow('undone')
      expect(await found('hajar')).toEqual([id])
      await database.transaction(() => eraseOrdersOfUser(core, userId))
      await rename(userId, '')
      for (const q of ['hajar', 'zaynab']) expect(await found(q), q).toEqual([])
      expect((await findOrder(core, id))?.search_text).not.toMatch(/hajar|zaynab/i)
    })

    it('finds an old order behind many others, and each of many once', async () => {
      const old = await addPaid({ name: 'Zaynab Common', phone: '+966501112233' })
      const many = 250
      await sql`INSERT INTO users (id, phone, name, created_at) VALUES (900, '900', 'Common', ${noon})`.execute(
        database.tables,
      )
      await sql`INSERT INTO orders
          (user_id, type, payment, amount_halalas, currency, agent_code, center_code, created_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.lit(many)})
        SELECT 900, 'FROM_MINA', 'paid', 5000, 'SAR', 'A01', '1', ${noon} FROM n`.execute(database.tables)
      await sql`INSERT INTO bookings (order_id, leg, reference, origin, destination, state)
        SELECT id, 0, 'M' || id, '{}', '{}', 'issued' FROM orders WHERE user_id = 900`.execute(
        database.tables,
      )
      await database.tables.updateTable('orders').set({ paid_at: noon }).where('user_id', '=', 900).execute()
      expect(await found('zaynab')).toEqual([old])
      expect(await found('zaynab', { after: old })).toEqual([])
      const newest = await addPaid({ name: 'Zaynab', phone: '+966501119999' })
      expect(await found('zaynab')).toEqual([newest, old])
      expect(await found('zaynab', { order: 'oldest', limit: 1 })).toEqual([old])
      for (const order of ['newest', 'oldest'] as const) {
        const ids: number[] = []
        for (let page: number[] | undefined; page === undefined || page.length > 0; ids.push(...page))
          page = await found('common', {
            order,
            limit: 100,
            ...(ids.length > 0 && { after: ids.at(-1) ?? 0 }),
          })
        expect(ids).toHaveLength(many + 1)
        expect(ids).toEqual([...new Set(ids)].sort((a, b) => (order === 'newest' ? b - a : a - b)))
      }
    })

    it('finds an order by the name that an owner takes while it is paid and printed', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const id = await add({ name: 'Former', phone: `+96650111${1_000 + round}` })
        const { user_id: userId = 0 } = (await findOrder(core, id)) ?? {}
        await Promise.all([
          database.transaction(() => markPaid(core, id, `T${id}`, noon)),
          rename(userId, 'Middle'),
        ])
        expect([await found('former'), await found('middle')]).toEqual([[], [id]])
        const { id: bookingId = 0 } = (await leaseDueBooking(core, 'lease', noon, noon + minute)) ?? {}
        const awb = String(777_000_000_000 + round)
        await Promise.all([setAwb(core, bookingId, 'lease', awb), rename(userId, `Last${round}`)])
        expect(await found(`last${round} ${awb}`)).toEqual([id])
        expect(await found('middle')).toEqual([])
      }
    })

    it('finds all that a comparison of its orders finds', async () => {
      const facts = [
        { name: 'أَحْمد بن إبراهـيم', phone: '+966501234567', city: 'Jeddah', receiver: 'مُحمّد آل سعيد' },
        { name: 'Ömer İLHAN-Şeyḥ', phone: '+905321234567', city: "Ha'il", receiver: 'Omer Ilhan' },
        { name: 'فاطمة ک. یوسف', phone: '+201001234567', city: 'Al Madinah Al Munawwarah' },
        { name: "O'Neil (Abu Ali), 3-47", phone: '+447700900123', city: 'KHAMIS MUSHAIT' },
        { name: 'محمد ١٢٣ ۴۵', phone: '+923001234567', city: 'Wadi Ad-Dawasir', awb: '300100200300' },
        { name: 'Лев Йод', phone: '+79161234567', city: 'AlUla' },
        { name: 'আব্দুর রহমান', phone: '+8801712345678', city: 'Mina', receiver: 'آرائیں پرویز' },
        { name: 'علی\u200cرضا Ng', phone: '+989121234567', city: 'Al Madinah Al Munawwarah' },
      ]
      const ids: number[] = []
      for (const each of facts) ids.push(await addPaid(each))
      const bookings = Map.groupBy(await findBookings(core, ids), (row) => row.order_id)
      const orders = facts.map((each, index) => {
        const orderId = ids[index] ?? 0
        return { orderId, type: 'FROM_MINA' as const, ...each, bookings: bookings.get(orderId) ?? [] }
      })
      const texts = [
        ...facts.flatMap(({ name, phone, city, receiver = '' }) => [name, phone, city, receiver]),
        ...orders.flatMap(({ orderId, bookings: [bag] }) => [`OD-${orderId}`, bag?.awb ?? '']),
        ...['جدة', 'حائل', 'المدينة المنورة', 'خميس مشيط', 'وادي الدواسر', 'العلا', 'زينب', 'محمد الغامدي'],
      ]
      const part = fc
        .tuple(fc.constantFrom(...texts), fc.nat(20), fc.integer({ min: 1, max: 12 }))
        .map(([text, from, length]) => text.slice(from % text.length).slice(0, length))
      const city = fc.option(fc.constantFrom(...facts.map((each) => each.city)), { nil: undefined })
      const query = fc.record({ q: fc.array(part, { maxLength: 3 }).map((parts) => parts.join(' ')), city })
      let searched = 0
      await fc.assert(
        fc.asyncProperty(query, async (asked) => {
          const [finds, needle] = [filterFor(asked), needleFor(asked)]
          if (!(finds && needle)) return
          searched += 1
          const page = { parts: agentPartsOf(), order: 'oldest' as const, limit: 10, needle }
          const named = (await listOrdersOfAgent(core, 'A01', page)).map(({ id }) => id)
          const compared = orders.filter(finds).map(({ orderId }) => orderId)
          expect(named).toEqual(expect.arrayContaining(compared))
        }),
        { numRuns: isFull ? 3_000 : 300, seed: runSeed },
      )
      expect(searched).toBeGreaterThan(100)
    })
  })
})
