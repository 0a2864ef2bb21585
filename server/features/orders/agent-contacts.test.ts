import { expect, it } from 'vitest'
import { ensureUser } from '#server/features/users/users.queries.ts'
import { agentContactsPerHour } from '#shared/orders/agent-contacts.rules.ts'
import { day, hour, manualClock, noon } from '#test/kit/basics/clock.ts'
import { forEachEngine, type OpenDatabase } from '#test/kit/database/databases.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { openBrowser, problemOf } from '#test/kit/gateway/feature-app.ts'
import { addIssuedOrder, refundOrder, reportBag } from '#test/kit/orders/core-orders.ts'
import { manyOrders, openOrdersApp } from '#test/kit/orders/orders.ts'
import { scanOf } from '#test/kit/orders/stored-orders.ts'

const name = 'Maryam Al-Harbi'
const phone = '+966501112233'
const receiver = { name: 'Khalid Omar', phone: '+966522221111' }
/** Whatever names a person of an order. */
const people = /Maryam|Khalid|Harbi|1112233|2221111|2223333/
const noPeople = { name: null, phone: null }

/** Orders of one person, read as agent A01 on one of two gateways. */
async function openContacts(open: OpenDatabase) {
  const clock = manualClock(noon)
  const database = await open(clock)
  const user = await ensureUser({ database }, phone, name, noon)
  const openGateway = () => openCore({ database, clock }, { config: manyOrders })
  const core = await openGateway()
  const first = openBrowser(await openOrdersApp(core))
  const second = openBrowser(await openOrdersApp(await openGateway()))
  const caller = { 'x-caller': JSON.stringify({ role: 'agent', agentId: 5, partnerAgentId: 'A01' }) }
  const on = (gateway: number) => (gateway % 2 === 0 ? first : second)
  let count = 0

  return {
    core,
    clock,
    /** A paid order with its airway bill, whose bag another person collects. */
    async add() {
      count += 1
      const awb = String(290_000_000_000 + count)
      const { orderId, booking } = await addIssuedOrder(core, user.id, awb)
      await database.tables
        .updateTable('bookings')
        .set({
          receiver_name: receiver.name,
          receiver_phone: receiver.phone,
          second_phone: '+966522223333',
          receiver: receiver.name,
        })
        .where('id', '=', booking.id)
        .execute()
      return { orderId, bookingId: booking.id, awb }
    },
    get: (path: string, gateway = 0) => on(gateway).get(path, caller),
    handOver: (awb: string) => first.post('/api/handovers', { awb }, caller),
    undo: (awb: string) => first.delete(`/api/handovers/${awb}`, undefined, caller),
    list: async (query: Readonly<Record<string, string>> = {}, gateway = 0) =>
      (await on(gateway).get(`/api/orders/agent/5?${new URLSearchParams(query)}`, caller)).json as {
        orders: { orderId: number; user: object }[]
        counts: object
        nextCursor: string | null
      },
  }
}

forEachEngine((_, open) => {
  it('an agent sees name and phone of bags to be handed over and received lately, and of no other', async () => {
    const { add, list, get, core, clock, handOver } = await openContacts(open)
    const refunded = await add()
    await refundOrder(core, refunded.orderId)
    const received = await add()
    const waiting = await add()
    expect((await handOver(received.awb)).status).toBe(200)
    const shown = { user: { name, phone }, receiver, secondPhone: '+966522223333' }

    const { orders: listed } = await list({ order: 'oldest' })
    expect(listed).toMatchObject([{ user: noPeople }, shown, shown])
    expect(JSON.stringify(listed[0])).not.toMatch(people)
    expect((await get(`/api/orders/${waiting.orderId}`)).json).toMatchObject({ order: shown })
    expect((await get(`/api/orders/${refunded.orderId}`)).bytes.toString()).not.toMatch(people)
    expect(problemOf(await get(`/api/orders/barcode/${refunded.awb}`)).code).toBe('LABEL_WITHDRAWN')

    // A month after the hand-over, while the courier still scans the bag, and three months after the payment.
    clock.advance(31 * day)
    await reportBag(core, received.bookingId, scanOf('at-branch', clock.now()))
    expect((await list({ order: 'oldest' })).orders).toMatchObject([
      { user: noPeople },
      { user: noPeople },
      shown,
    ])
    expect(problemOf(await get(`/api/orders/barcode/${received.awb}.pdf`)).code).toBe('LABEL_CLOSED')
    expect((await get(`/api/orders/barcode/${waiting.awb}.pdf`)).status).toBe(200)
    clock.advance(60 * day)
    const late = await list({ order: 'oldest' })
    expect(JSON.stringify(late)).not.toMatch(people)
    // A bag that comes after all is taken, and its owner can be called.
    expect((await handOver(waiting.awb)).json).toMatchObject({ order: shown })
  })

  it('names and phones that an agent is not shown find nothing, as those of nobody', async () => {
    const { add, list, core, clock } = await openContacts(open)
    const hidden = await add()
    await refundOrder(core, hidden.orderId)
    const words = [name, 'mar', 'ma', 'khalid', phone, '0501112233', '2233', 'harbi khalid']
    for (const q of words) {
      const found = await list({ q })
      expect(found.orders, q).toEqual([])
      expect({ counts: found.counts, next: found.nextCursor }, q).toEqual({
        counts: (await list({ q: 'nobody' })).counts,
        next: null,
      })
    }
    // What is on the bag itself finds it still, and names beside it do not.
    for (const q of [`OD-${hidden.orderId}`, hidden.awb, 'riyadh'])
      expect((await list({ q })).orders, q).toMatchObject([{ orderId: hidden.orderId, user: noPeople }])
    clock.advance(hour)
    expect((await list({ q: 'riyadh maryam' })).orders).toEqual([])
    const waiting = await add()
    for (const q of words) expect((await list({ q })).orders, q).toMatchObject([{ orderId: waiting.orderId }])
  })
})

it('an agent is shown the people of three hundred different orders an hour, on all gateways and by every reading', async () => {
  const { add, list, get, handOver, undo, clock } = await openContacts(openMemory)
  const bags = [await add()]
  while (bags.length < agentContactsPerHour + 2) bags.push(await add())
  const cursors: string[] = []
  for (let page = 0; page < 3; page += 1) {
    const cursor = cursors.at(-1)
    const answer = await list(
      { limit: '100', order: 'oldest', ...(cursor !== undefined && { cursor }) },
      page,
    )
    expect(answer.orders).toHaveLength(100)
    cursors.push(String(answer.nextCursor))
  }
  const [first, beyond, last] = [bags[0], bags.at(-2), bags.at(-1)]
  if (!first || !beyond || !last) throw new Error('there are bags')
  for (const gateway of [0, 1])
    for (const path of [
      `/api/orders/${beyond.orderId}`,
      `/api/orders/barcode/${beyond.awb}`,
      `/api/orders/barcode/${beyond.awb}.pdf`,
      `/api/orders/agent/5?limit=2`,
      `/api/orders/agent/5?q=${beyond.awb}`,
      `/api/orders/agent/5?cursor=${cursors.at(-1)}&order=oldest`,
    ])
      expect(problemOf(await get(path, gateway)), path).toMatchObject({
        status: 429,
        retryAfterSeconds: 3_600,
      })
  // The same orders are shown again, and a bag is taken as ever, without the names of its people.
  expect((await get(`/api/orders/${first.orderId}`, 1)).json).toMatchObject({
    order: { user: { name, phone } },
  })
  const taken = await handOver(last.awb)
  expect([taken.status, taken.json.order]).toMatchObject([200, { user: noPeople }])
  expect(taken.bytes.toString()).not.toMatch(people)
  expect((await undo(last.awb)).bytes.toString()).not.toMatch(people)
  clock.advance(hour)
  expect((await get(`/api/orders/${beyond.orderId}`)).json).toMatchObject({
    order: { user: { name, phone } },
  })
})
