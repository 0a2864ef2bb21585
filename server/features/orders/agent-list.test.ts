import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { manualClock, minute, noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { openBrowser, problemOf, refusedFieldsOf } from '#test/kit/gateway/feature-app.ts'
import { addOrder, addPaidOrder, refundOrder } from '#test/kit/orders/core-orders.ts'
import { agent, manyOrders, openOrdersApp } from '#test/kit/orders/orders.ts'
import { examinedPerCall } from './agent-list.ts'
import { countCreation, leaseDueBooking, setAwb } from './bookings.queries.ts'

const branchIn = (city: string) => ({
  code: `C-${city}`,
  addressAR: 'حي',
  addressEN: 'District',
  city,
  coordinates: null,
})

interface OrderFacts {
  readonly phone?: string
  readonly name?: string
  readonly agentId?: string
  readonly city?: string
  readonly awb?: string
  readonly receiver?: string
  readonly refunded?: boolean
}

/** The list and its calls as agent A01. */
async function openList(database: Database) {
  const clock = manualClock()
  const core = await openCore({ database, clock }, { config: manyOrders })
  const browser = openBrowser(await openOrdersApp(core))
  const principal = { role: 'agent', agentId: 5, partnerAgentId: 'A01' }

  /** A paid order. */
  async function add(facts: OrderFacts = {}): Promise<number> {
    const { phone = '+966512345678', name = 'Omar', agentId = 'A01', city = 'Riyadh' } = facts
    const user = await ensureUser({ database }, phone, name, noon)
    const from = { ...agent, id: agentId }
    const orderId = await addPaidOrder(core, user.id, { from, to: branchIn(city) })
    const booking = await leaseDueBooking(core, 'lease', noon, noon + minute)
    if (!booking) throw new Error('nothing to lease')
    await countCreation(core, booking.id, 'lease', noon, facts.receiver ?? name)
    await setAwb(core, booking.id, 'lease', facts.awb ?? String(230_000_000_000 + orderId))
    if (facts.refunded) await refundOrder(core, orderId)
    return orderId
  }

  const ask = (query: Readonly<Record<string, string>>, session = 'first') =>
    browser.get(`/api/orders/agent/5?${new URLSearchParams(query)}`, {
      'x-caller': JSON.stringify(principal),
      'x-session': session,
    })

  async function list(query: Readonly<Record<string, string>> = {}) {
    const { status, json } = await ask(query)
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(json)}`)
    return {
      ids: (json.orders as { orderId: number }[]).map(({ orderId }) => orderId),
      counts: json.counts,
      next: json.nextCursor as string | null,
    }
  }

  /** All pages of a query; at most twenty. */
  async function pages(query: Readonly<Record<string, string>>): Promise<number[][]> {
    const found: number[][] = []
    for (let cursor: string | null | undefined; cursor !== null && found.length < 20; ) {
      const page = await list({ ...query, ...(cursor ? { cursor } : {}) })
      found.push(page.ids)
      cursor = page.next
    }
    return found
  }

  return { core, database, clock, add, ask, list, pages }
}

const openInMemory = async () => openList(await openMemory())

forEachEngine((_, open) => {
  it('the list of an agent is searched, filtered, counted and paged', async () => {
    const { add, list, pages } = await openList(await open())
    const fatimah = await add({ name: 'فاطمة الأنصاري', phone: '+966501112233', awb: '290012345678' })
    const maryam = await add({ name: 'Maryam', phone: '+966501119999', city: 'Jeddah' })
    const refunded = await add({ name: 'Maryam', phone: '+966501119999', refunded: true })
    await add({ name: 'Maryam', phone: '+966501119999', agentId: 'A02' })
    const counts = { waiting: 2, received: 0, refused: 1 }

    expect(await list()).toEqual({ ids: [refunded, maryam, fatimah], counts, next: null })
    expect(await list({ order: 'oldest' })).toMatchObject({ ids: [fatimah, maryam, refunded], counts })
    for (const [query, ids] of [
      [{ q: 'فاطمه الانصاري' }, [fatimah]],
      [{ q: 'maryam' }, [maryam]],
      [{ q: '٢٩٠٠١٢٣٤٥٦٧٨' }, [fatimah]],
      [{ q: '5678' }, [fatimah]],
      [{ q: '0501119999' }, [maryam]],
      [{ q: '0501119999', order: 'oldest' }, [maryam]],
      [{ q: `OD-${refunded}` }, [refunded]],
      [{ q: `OD-${maryam}` }, [maryam]],
      [{ q: 'جدة' }, [maryam]],
      [{ city: 'Riyadh' }, [refunded, fatimah]],
      [{ city: 'Riyadh', state: 'waiting' }, [fatimah]],
      [{ state: 'waiting' }, [maryam, fatimah]],
      [{ state: 'received' }, []],
      [{ state: 'refused' }, [refunded]],
      [{ state: 'refused', q: 'maryam' }, []],
      [{ q: 'maryam', city: 'Jeddah' }, [maryam]],
      [{ q: '%' }, []],
      [{ q: ' ' }, [refunded, maryam, fatimah]],
    ] as const) {
      const found = await list(query)
      expect(found.ids, JSON.stringify(query)).toEqual(ids)
      // Counts cover all orders: they do not change while a search is typed.
      expect(found.counts).toEqual(counts)
    }
    for (const query of [{}, { q: 'a' }, { city: 'Riyadh' }, { q: '0501119999' }])
      expect((await pages({ ...query, limit: '1' })).flat()).toEqual((await list(query)).ids)
  })
})

describe('a whole number', () => {
  it('is found by index, however old the order is', async () => {
    const database = await openMemory()
    const { add, list } = await openList(database)
    const old = await add({ phone: '+966501112233', awb: '290012345678' })
    await addMany(database, examinedPerCall + 1)
    for (const q of ['290012345678', `OD-${old}`, '0501112233', '+966 50 111 2233'])
      expect(await list({ q }), q).toMatchObject({ ids: [old], next: null })
    // The digits of an order number may be part of another number.
    expect(await list({ q: String(old), limit: '2' })).toMatchObject({ ids: [old, expect.any(Number)] })
  })

  it('of an order comes first and once, and orders that contain it follow', async () => {
    const { add, pages } = await openInMemory()
    const ids: number[] = []
    for (let count = 0; count < 14; count += 1) ids.push(await add({ awb: String(290_000_000_000 + count) }))
    const others = [14, 13, 12, 11, 10]
    expect(ids).toContain(1)
    expect(await pages({ q: '1', limit: '2' })).toEqual([
      [1, 14],
      [13, 12],
      [11, 10],
    ])
    expect((await pages({ q: '1', limit: '20' })).flat()).toEqual([1, ...others])
    expect((await pages({ q: '1', limit: '1' })).flat()).toEqual([...others, 1])
    expect((await pages({ q: '1', limit: '2', order: 'oldest' })).flat()).toEqual([1, ...others.toReversed()])
  })

  it('of another agent’s or of an unpaid order finds nothing', async () => {
    const { core, add, list, database } = await openInMemory()
    const theirs = await add({ name: 'Zaynab', phone: '+966501112233', awb: '290012345678', agentId: 'A02' })
    const user = await ensureUser({ database }, '+966501112244', 'Sara', noon)
    const unpaid = await addOrder(core, user.id, { to: branchIn('Riyadh') })
    const texts = ['', '290012345678', '5678', '0501112233', '0501112244', 'zaynab', 'a', '%', '_', 'riyadh']
    const counts = { waiting: 0, received: 0, refused: 0 }
    for (const q of [...texts, `OD-${theirs}`, String(theirs), `OD-${unpaid}`])
      expect(await list({ q }), q).toEqual({ ids: [], counts, next: null })
    for (const query of [
      { city: 'Riyadh' },
      { cursor: String(unpaid + 1) },
      { cursor: '1', order: 'oldest' },
    ])
      expect(await list(query), JSON.stringify(query)).toEqual({ ids: [], counts, next: null })
  })
})

describe('a search through many orders', () => {
  it('finds three letters at once; for two it examines a limited number per call and continues from there', async () => {
    const database = await openMemory()
    const { add, list } = await openList(database)
    const old = await add({ name: 'Zaynab', phone: '+966501112233' })
    await addMany(database, examinedPerCall)
    for (const query of [{ q: 'zay' }, { q: 'Riyadh za' }, { city: 'Riyadh' }])
      expect(await list(query)).toMatchObject({ ids: [old], next: null })
    const first = await list({ q: 'za' })
    expect(first).toMatchObject({ ids: [], next: String(old + 1) })
    expect(await list({ q: 'za', cursor: first.next ?? '' })).toMatchObject({ ids: [old], next: null })
    expect(await list({ q: 'za', order: 'oldest', limit: '1' })).toMatchObject({ ids: [old] })
    expect(await list({ q: '%%%' })).toMatchObject({ ids: [], next: null })
  })

  it('lets other requests run in between', async () => {
    const database = await openMemory()
    const { list } = await openList(database)
    await addMany(database, examinedPerCall)
    let turns = 0
    let isOver = false
    const take = () => {
      turns += 1
      if (!isOver) setImmediate(take)
    }
    await list()
    setImmediate(take)
    await list({ q: 'za' })
    isOver = true
    expect(turns).toBeGreaterThanOrEqual(9)
  })
})

describe('pages', () => {
  it.each([
    ['cursor', ''],
    ['cursor', '0'],
    ['cursor', '-1'],
    ['cursor', 'abc'],
    ['cursor', '1e3'],
    ['cursor', '9'.repeat(16)],
    ['limit', '0'],
    ['limit', '101'],
    ['state', 'paid'],
    ['state', ''],
    ['order', 'random'],
    ['city', ''],
    ['city', 'x'.repeat(101)],
    ['q', 'x'.repeat(101)],
    ['page', '2'],
  ])('are refused with the field named for %s=%j', async (field, value) => {
    const { ask } = await openInMemory()
    expect(refusedFieldsOf(await ask({ [field]: value }))).toEqual([field])
  })
})

/** Paid orders of A01 that no search in these tests matches. */
async function addMany(database: Database, count: number): Promise<void> {
  const { id } = await ensureUser({ database }, '+966590000000', 'Many', noon)
  await sql`
    insert into orders (user_id, type, payment, amount_halalas, currency, agent_code, center_code, created_at, paid_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    select ${id}, 'FROM_MINA', 'paid', 5000, 'SAR', 'A01', '1', ${noon}, ${noon} from n`.execute(
    database.tables,
  )
}

describe('a session that searches without end', () => {
  it('may compare words thirty times a minute, and scan numbers and read the list as often as it likes', async () => {
    const { add, ask, clock } = await openInMemory()
    await add({ name: 'Maryam', awb: '290012345678' })
    for (let count = 0; count < 30; count += 1) expect((await ask({ q: 'maryam' })).status).toBe(200)
    const refused = await ask({ q: 'maryam' })
    expect(problemOf(refused)).toMatchObject({ status: 429, code: 'TOO_MANY_CALLS', retryAfterSeconds: 60 })
    expect((await ask({ city: 'Riyadh' })).status).toBe(429)
    for (const query of [{}, { q: '290012345678' }]) expect((await ask(query)).status).toBe(200)
    expect((await ask({ q: 'maryam' }, 'second')).status).toBe(200)
    clock.advance(minute)
    expect((await ask({ q: 'maryam' })).status).toBe(200)
  })

  it('has one search at a time; another session does not wait for it', async () => {
    const { core, add, ask } = await openInMemory()
    await add({ name: 'Maryam' })
    const held = Promise.withResolvers<void>()
    // A search of the session that has not ended.
    const first = core.searchTurns(hashOf('first'), () => held.promise)
    let isAnswered = false
    const second = ask({ q: 'maryam' }).finally(() => {
      isAnswered = true
    })
    expect((await ask({ q: 'maryam' }, 'other')).status).toBe(200)
    expect(isAnswered).toBe(false)
    held.resolve()
    await first
    expect((await second).status).toBe(200)
  })
})
