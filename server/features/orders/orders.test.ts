import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { exportOrders, readOrderFor } from '#server/features/order-views/order-views.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { hour, manualClock, minute, noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { openBrowser, problemOf } from '#test/kit/gateway/feature-app.ts'
import { addIssuedOrder, addOrder, payOrder, refundOrder } from '#test/kit/orders/core-orders.ts'
import { agent, center, manyOrders, openOrdersApp } from '#test/kit/orders/orders.ts'
import { newLeg, newOrder, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { findPromises } from './kept-terms.ts'
import { createOrder } from './order-creation.ts'
import { markExpired } from './orders.queries.ts'

const pdf = Buffer.from('%PDF-1.4 a label \xff', 'latin1')

async function openFixture(log?: Log) {
  const clock = manualClock()
  const database = await openMemory(clock)
  const user = await ensureUser({ database }, '+966512345678', 'عبد الله', noon)
  const other = await ensureUser({ database }, '+966587654321', 'Omar', noon)
  const core = await openCore({ database, clock }, { config: manyOrders, ...(log && { log }) })
  const browser = openBrowser(await openOrdersApp(core))
  const header = (principal: object) => ({ 'x-caller': JSON.stringify(principal) })
  const asUser = (userId = user.id) => header({ role: 'user', userId })
  const asAgent = (partnerAgentId = 'A01', agentId = 5) => header({ role: 'agent', agentId, partnerAgentId })

  const create = (userId = user.id, agentId = 'A01') =>
    addOrder(core, userId, { from: { ...agent, id: agentId } })
  const pay = (orderId: number) => payOrder(core, orderId)
  const refund = (orderId: number) => refundOrder(core, orderId)

  /** A paid order whose booking has the airway bill and, by default, its label. */
  async function issue(
    awb: string,
    { userId = user.id, agentId = 'A01', label = true } = {},
  ): Promise<number> {
    const from = { ...agent, id: agentId }
    return (await addIssuedOrder(core, userId, awb, { from, label: label ? pdf : null })).orderId
  }

  return { core, browser, clock, user, other, asUser, asAgent, create, pay, refund, issue }
}

it('an order keeps what was promised when it was made, whatever is configured later, and its agent reads nothing of it', async () => {
  const clock = manualClock()
  const database = await openMemory(clock)
  const user = await ensureUser({ database }, '+966512345678', 'Omar', noon)
  const open = (TRANSIT_DAYS: Promises['transitDays']) =>
    openCore({ database, clock }, { config: { ...manyOrders, STORAGE_DAYS: 7, TRANSIT_DAYS } })
  const { orderId } = await addIssuedOrder(await open({ RUH: [2, 4] }), user.id, '231200021879')
  const later = await open({ RUH: [9, 12] })
  const promised = { transitDays: { RUH: [2, 4] }, storageDays: 7 }
  expect((await readOrderFor(later, { role: 'user', userId: user.id }, orderId)).promises).toEqual(promised)
  expect(await findPromises(later, orderId)).toEqual(promised)
  const ofAgent = { role: 'agent', agentId: 5, partnerAgentId: agent.id } as const
  expect(await readOrderFor(later, ofAgent, orderId)).not.toHaveProperty('promises')
})

it('an order names its agent, its branch and the time of its payment to its owner alone', async () => {
  const { clock, core, user, create, pay } = await openFixture()
  const orderId = await create()
  const asOwner = () => readOrderFor(core, { role: 'user', userId: user.id }, orderId)
  expect(await asOwner()).toMatchObject({ agentCode: 'A01', centerCode: '1' })
  expect(await asOwner()).not.toHaveProperty('paidAt')
  clock.advance(minute)
  await pay(orderId)
  expect(await asOwner()).toMatchObject({ paidAt: new Date(noon + minute).toISOString() })
  const read = await readOrderFor(core, { role: 'agent', agentId: 5, partnerAgentId: 'A01' }, orderId)
  for (const fact of ['agentCode', 'centerCode', 'paidAt', 'amount']) expect(read).not.toHaveProperty(fact)
})

describe('the orders of a user', () => {
  it('come newest first, with their bookings and without the user', async () => {
    const { browser, clock, user, asUser, create, issue } = await openFixture()
    const first = await issue('231200021879')
    clock.advance(hour)
    const second = await create()
    const answer = await browser.get(`/api/orders/user/${user.id}`, asUser())
    expect(answer.json).toEqual({
      success: true,
      orders: [
        {
          orderId: second,
          status: 'PENDING_PAYMENT',
          type: 'FROM_MINA',
          amount: 50,
          creationDate: new Date(noon + hour).toISOString(),
          payable: true,
          agentCode: 'A01',
          centerCode: '1',
          cancellable: true,
          hasReceipt: false,
          promises: { transitDays: {} },
          bookings: [
            {
              awb: null,
              origin: expect.anything(),
              destination: expect.anything(),
              state: null,
              lastEventAt: null,
              events: [],
            },
          ],
        },
        {
          orderId: first,
          status: 'PAID',
          transactionId: `T${first}`,
          type: 'FROM_MINA',
          amount: 50,
          creationDate: new Date(noon).toISOString(),
          payable: false,
          paidAt: new Date(noon).toISOString(),
          agentCode: 'A01',
          centerCode: '1',
          cancellable: true,
          hasReceipt: false,
          promises: { transitDays: {} },
          bookings: [
            {
              awb: '231200021879',
              origin: {
                name: 'وكيل',
                address: 'منى',
                city: 'Mina',
                phone: '+966500000101',
                coordinates: null,
              },
              destination: {
                addressAR: 'حي السويدي',
                addressEN: 'Al Suwaidi',
                city: 'Riyadh',
                coordinates: null,
              },
              state: 'READY',
              lastEventAt: null,
              events: [],
            },
          ],
        },
      ],
      nextCursor: null,
    })
  })

  it('come in pages, each order once', async () => {
    const { browser, user, asUser, create } = await openFixture()
    const created: number[] = []
    for (let count = 0; count < 7; count += 1) created.push(await create())
    const seen: unknown[] = []
    let path = `/api/orders/user/${user.id}?limit=3`
    const sizes: number[] = []
    for (;;) {
      const { json } = await browser.get(path, asUser())
      const page = json.orders as { orderId: number }[]
      sizes.push(page.length)
      seen.push(...page.map(({ orderId }) => orderId))
      if (json.nextCursor === null) break
      path = `/api/orders/user/${user.id}?limit=3&cursor=${json.nextCursor}`
    }
    expect(sizes).toEqual([3, 3, 1])
    expect(seen).toEqual(created.toReversed())
  })
})

describe('the orders of an agent', () => {
  it('are the paid ones, with the name and phone of the customer', async () => {
    const { browser, asAgent, create, pay, refund, user, other } = await openFixture()
    await create()
    const paid = await pay(await create())
    const refunded = await pay(await create(other.id))
    await refund(refunded)
    await pay(await create(user.id, 'A02'))
    const { json } = await browser.get('/api/orders/agent/5', asAgent())
    expect(json).toMatchObject({
      success: true,
      nextCursor: null,
      orders: [
        { orderId: refunded, status: 'REFUNDED', user: { name: null, phone: null } },
        { orderId: paid, status: 'PAID', user: { name: 'عبد الله', phone: '+966512345678' } },
      ],
    })
    expect(json.orders).toHaveLength(2)
    // The agent does not see the price.
    for (const order of json.orders as object[]) expect(order).not.toHaveProperty('amount')
  })
})

describe('an order', () => {
  it('is visible to its agent once it is paid, and not before or when it expired', async () => {
    const { core, user, create, pay } = await openFixture()
    const principal = { role: 'agent', agentId: 5, partnerAgentId: 'A01' } as const
    const unpaid = await create()
    const expired = await create()
    await markExpired(core, expired)
    for (const orderId of [unpaid, expired])
      await expect(readOrderFor(core, principal, orderId)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' })
    await pay(unpaid)
    expect(await readOrderFor(core, principal, unpaid)).toMatchObject({ status: 'PAID' })
    expect(await readOrderFor(core, { role: 'user', userId: user.id }, expired)).toMatchObject({
      status: 'EXPIRED',
      payable: false,
    })
  })
})

describe('a label', () => {
  const path = '/api/orders/barcode/231200021879'

  it('is returned as base64, byte for byte', async () => {
    const { browser, asUser, issue } = await openFixture()
    await issue('231200021879')
    const { json } = await browser.get(path, asUser())
    expect(json).toEqual({ success: true, awbFile: pdf.toString('base64') })
  })

  it.each([
    ['', 'inline'],
    ['?download=', 'attachment'],
    ['?download=1', 'attachment'],
  ])('is returned as a file with the query "%s": %s', async (query, disposition) => {
    const { browser, asUser, issue } = await openFixture()
    await issue('231200021879')
    const answer = await browser.get(`${path}.pdf${query}`, asUser())
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `${disposition}; filename="AWB-231200021879.pdf"`,
    })
    expect(answer.bytes.equals(pdf)).toBe(true)
  })

  it('that does not exist is counted, and every twentieth request of one user is logged', async () => {
    const warn = vi.fn<(line: object) => void>()
    const log = { info: () => undefined, warn, error: () => undefined } as Log
    const { core, browser, asAgent, asUser, issue } = await openFixture(log)
    await issue('231200021879')
    const guess = (number: number, principal: { 'x-caller': string }) =>
      browser.get(`/api/orders/barcode/${290_000_000_000 + number}`, principal)
    for (let number = 0; number < 45; number += 1) await guess(number, asAgent())
    for (let number = 0; number < 19; number += 1) await guess(number, asUser())
    await browser.get('/api/orders/barcode/231200021879', asAgent())
    const warnings = warn.mock.calls.map(([line]) => line)
    expect(warnings).toEqual(
      [20, 40].map((count) => ({ event: 'orders.label-guesses', role: 'agent', id: 'A01', count })),
    )
    const counted = await core.metrics.registry.getSingleMetric('amtiati_label_reads_refused_total')?.get()
    expect(counted?.values.map(({ labels, value }) => [labels.role, value])).toEqual([
      ['agent', 45],
      ['user', 19],
    ])
  })

  it('of a refunded order is withdrawn for its owner and its agent, who still see the number', async () => {
    const { browser, core, refund, user, other, asUser, asAgent, issue } = await openFixture()
    const orderId = await issue('231200021879')
    await refund(orderId)
    for (const principal of [asUser(), asAgent()])
      for (const suffix of ['', '.pdf', '.pdf?download'])
        expect(problemOf(await browser.get(path + suffix, principal))).toMatchObject({
          status: 410,
          code: 'LABEL_WITHDRAWN',
        })
    expect(problemOf(await browser.get(path, asUser(other.id)))).toMatchObject({ code: 'LABEL_NOT_FOUND' })
    const { json } = await browser.get('/api/orders/agent/5', asAgent())
    expect(json.orders).toMatchObject([{ status: 'REFUNDED', bookings: [{ awb: '231200021879' }] }])
    const [kept] = await exportOrders(core, user.id, undefined, 10)
    expect(kept?.bookings[0]?.label).toBeNull()
  })

  it('whose file is missing answers when to retry', async () => {
    const { browser, asUser, issue } = await openFixture()
    await issue('231200021879', { label: false })
    const answer = await browser.get(path, asUser())
    expect(problemOf(answer)).toMatchObject({ status: 503, code: 'LABEL_NOT_READY', retryAfterSeconds: 5 })
  })

  it.each([
    ['is missing', { label: false }, true],
    ['has come', {}, undefined],
  ])('whose file %s is marked so in the order of its owner and its agent', async (_, options, isPending) => {
    const { browser, asUser, asAgent, issue } = await openFixture()
    const orderId = await issue('231200021879', options)
    for (const principal of [asUser(), asAgent()]) {
      const { json } = await browser.get(`/api/orders/${orderId}`, principal)
      expect((json.order as Order).bookings[0]?.labelPending).toBe(isPending)
    }
  })
})

it('an order under a key that a cancellation has bound meanwhile is refused as a conflict, and none is stored', async () => {
  const clock = manualClock()
  const database = await openMemory(clock)
  const core = await openCore({ database, clock })
  const { id: userId } = await ensureUser({ database }, '+966512345678', 'Maryam', noon)
  const earlier = await storeOrder(core, newOrder(userId), [newLeg('AM-1')])
  const key = { key: 'key-1', bodyHash: 'of an order' }
  // The cancellation binds it after the request has looked for it, and before its order is stored.
  await sql`create temp trigger bound after insert on orders begin
    insert into idempotency_keys (user_id, key, body_hash, order_id, created_at)
    values (${sql.lit(userId)}, 'key-1', 'of a cancellation', ${sql.lit(earlier)}, ${sql.lit(noon)}); end`.execute(
    database.tables,
  )
  const order = { userId, type: 'FROM_MINA', agent, center, amountHalalas: 5_000 } as const
  const created = database.transaction(() => createOrder(core, order, key))
  await expect(created).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  const stored = await database.tables.selectFrom('orders').select('id').execute()
  expect(stored).toEqual([{ id: earlier }])
})

describe('creating an order at the limit of open orders', () => {
  forEachEngine((_, open) => {
    it('returns the order of a repeated key, and refuses another key', async () => {
      const clock = manualClock()
      const database = await open()
      const user = await ensureUser({ database }, '+966512345678', 'Maryam', noon)
      const limits = { ...manyOrders.limits, openOrdersPerUser: 1 }
      const core = await openCore({ database, clock }, { config: { limits } })
      const order = { userId: user.id, type: 'FROM_MINA', agent, center, amountHalalas: 5_000 } as const
      const create = (key?: string, bodyHash = 'hash') =>
        database.transaction(() =>
          createOrder(core, order, key === undefined ? undefined : { key, bodyHash }),
        )
      const created = await atOnce(8, () => create('key-1'))
      expect(new Set(created.map(({ orderId, conflict }) => `${orderId} ${conflict}`)).size).toBe(1)
      expect(await create('key-1', 'other')).toEqual({ orderId: created[0]?.orderId, conflict: true })
      for (const key of ['key-2', undefined])
        await expect(create(key)).rejects.toMatchObject({ code: 'TOO_MANY_OPEN_ORDERS' })
    })
  })
})
