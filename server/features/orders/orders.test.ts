import { describe, expect, it } from 'vitest'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { hour, manualClock, minute, noon } from '#test/kit/clock.ts'
import { openMemory } from '#test/kit/databases.ts'
import { headerScope, openBrowser, openRoomApp, problemOf, refusedFieldsOf } from '#test/kit/room-app.ts'
import { ordersRoutes } from './orders.routes.ts'
import { createOrders } from './orders.service.ts'
import { createOrdersStore } from './orders.store.ts'

const agent = {
  id: 'A01',
  name: 'وكيل',
  address: 'منى',
  city: 'Mina',
  phone: '+966500000101',
  coordinates: null,
}
const center = {
  code: '1',
  addressAR: 'حي السويدي',
  addressEN: 'Al Suwaidi',
  city: 'Riyadh',
  coordinates: null,
}
const pdf = Buffer.from('%PDF-1.4 a label \xff', 'latin1')

async function openRoom() {
  const database = await openMemory()
  const clock = manualClock()
  const sessions = createSessionsStore(database)
  const user = await sessions.ensureUser('+966512345678', 'عبد الله', noon)
  const other = await sessions.ensureUser('+966587654321', 'Omar', noon)
  const store = createOrdersStore(database)
  const orders = createOrders({
    database,
    store,
    findUsers: async (ids) => new Map((await sessions.findUsers(ids)).map((row) => [row.id, row])),
    holdUser: sessions.holdUser,
    clock,
  })
  const app = await openRoomApp((room) => ordersRoutes(room, headerScope, orders))
  const browser = openBrowser(app)
  const header = (caller: object) => ({ 'x-caller': JSON.stringify(caller) })
  const asUser = (userId = user.id) => header({ role: 'user', userId })
  const asAgent = (partnerAgentId = 'A01', agentId = 5) => header({ role: 'agent', agentId, partnerAgentId })

  async function place(userId = user.id, agentId = 'A01'): Promise<number> {
    const { orderId } = await orders.place(
      { userId, type: 'FROM_MINA', agent: { ...agent, id: agentId }, center, amountHalalas: 5_000 },
      undefined,
    )
    return orderId
  }

  async function pay(orderId: number): Promise<number> {
    await orders.markPaid(orderId, `T${orderId}`)
    return orderId
  }

  /** A paid order whose booking has the airway bill, and its label unless told otherwise. */
  async function issue(
    awb: string,
    { userId = user.id, agentId = 'A01', label = true } = {},
  ): Promise<number> {
    const orderId = await pay(await place(userId, agentId))
    const booking = await orders.leaseBooking('lease', minute)
    if (!booking) throw new Error('nothing to lease')
    await orders.recordAwb(booking.id, 'lease', awb)
    if (label) await orders.recordLabel(booking.id, pdf)
    return orderId
  }

  return { browser, clock, orders, user, other, asUser, asAgent, place, pay, issue }
}

describe('the orders of a user', () => {
  it('come newest first, with their bookings and no word about the user', async () => {
    const { browser, clock, user, asUser, place, issue } = await openRoom()
    const first = await issue('231200021879')
    clock.advance(hour)
    const second = await place()
    const answer = await browser.get(`/api/orders/user/${user.id}`, asUser())
    expect(answer.json).toEqual({
      success: true,
      orders: [
        {
          orderId: second,
          status: 'PENDING_PAYMENT',
          type: 'FROM_MINA',
          creationDate: new Date(noon + hour).toISOString(),
          bookings: [{ awb: null, origin: expect.anything(), destination: expect.anything() }],
        },
        {
          orderId: first,
          status: 'PAID',
          transactionId: `T${first}`,
          type: 'FROM_MINA',
          creationDate: new Date(noon).toISOString(),
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
            },
          ],
        },
      ],
      nextCursor: null,
    })
  })

  it('are none where there is none', async () => {
    const { browser, user, asUser } = await openRoom()
    expect((await browser.get(`/api/orders/user/${user.id}`, asUser())).json).toEqual({
      success: true,
      orders: [],
      nextCursor: null,
    })
  })

  it('come in pages, each order once', async () => {
    const { browser, user, asUser, place } = await openRoom()
    const placed: number[] = []
    for (let count = 0; count < 7; count += 1) placed.push(await place())
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
    expect(seen).toEqual(placed.toReversed())
  })

  it('end without another page when the last one is full', async () => {
    const { browser, user, asUser, place } = await openRoom()
    for (let count = 0; count < 4; count += 1) await place()
    const { json } = await browser.get(`/api/orders/user/${user.id}?limit=4`, asUser())
    expect(json).toMatchObject({ nextCursor: null })
    expect(json.orders).toHaveLength(4)
  })

  it('come twenty at a time unless told, and a hundred at most', async () => {
    const { browser, user, asUser, place } = await openRoom()
    for (let count = 0; count < 21; count += 1) await place()
    const { json } = await browser.get(`/api/orders/user/${user.id}`, asUser())
    expect(json.orders).toHaveLength(20)
    const all = await browser.get(`/api/orders/user/${user.id}?limit=100`, asUser())
    expect(all.json.orders).toHaveLength(21)
  })

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=', 'cursor'],
    ['cursor=%27%20OR%201', 'cursor'],
    ['page=2', 'page'],
  ])('are not listed for the query %s, which is refused by name', async (query, field) => {
    const { browser, user, asUser } = await openRoom()
    const answer = await browser.get(`/api/orders/user/${user.id}?${query}`, asUser())
    expect(refusedFieldsOf(answer)).toEqual([field])
  })

  it('are for that user only', async () => {
    const { browser, user, other, asUser, asAgent, place } = await openRoom()
    await place(other.id)
    const path = `/api/orders/user/${other.id}`
    expect(problemOf(await browser.get(path, asUser()))).toMatchObject({
      status: 404,
      code: 'ORDER_NOT_FOUND',
    })
    expect(problemOf(await browser.get(path, asAgent()))).toMatchObject({ status: 403, code: 'WRONG_ROLE' })
    expect(problemOf(await browser.get(path))).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' })
    expect((await browser.get(`/api/orders/user/${user.id}`, asUser())).json.orders).toEqual([])
  })

  it.each(['0', '-1', '1.0', '1e0', '01', '%31%20', 'me'])(
    'are not found under the number %s',
    async (number) => {
      const { browser, asUser } = await openRoom()
      expect(refusedFieldsOf(await browser.get(`/api/orders/user/${number}`, asUser()))).toEqual(['userId'])
    },
  )
})

describe('the orders of an agent', () => {
  it('are the paid ones, with the name and phone of the customer', async () => {
    const { browser, asAgent, place, pay, user, other, orders } = await openRoom()
    await place()
    const paid = await pay(await place())
    const refunded = await pay(await place(other.id))
    await orders.markRefunded(refunded, `T${refunded}`)
    await pay(await place(user.id, 'A02'))
    const { json } = await browser.get('/api/orders/agent/5', asAgent())
    expect(json).toMatchObject({
      success: true,
      nextCursor: null,
      orders: [
        { orderId: refunded, status: 'REFUNDED', user: { name: 'Omar', phone: '+966587654321' } },
        { orderId: paid, status: 'PAID', user: { name: 'عبد الله', phone: '+966512345678' } },
      ],
    })
    expect(json.orders).toHaveLength(2)
  })

  it('come in pages', async () => {
    const { browser, asAgent, place, pay } = await openRoom()
    const paid: number[] = []
    for (let count = 0; count < 3; count += 1) paid.push(await pay(await place()))
    const first = await browser.get('/api/orders/agent/5?limit=2', asAgent())
    const rest = await browser.get(`/api/orders/agent/5?limit=2&cursor=${first.json.nextCursor}`, asAgent())
    const numbers = [first, rest].flatMap(({ json }) =>
      (json.orders as { orderId: number }[]).map(({ orderId }) => orderId),
    )
    expect(numbers).toEqual(paid.toReversed())
  })

  it('are for that agent only', async () => {
    const { browser, asAgent, asUser } = await openRoom()
    const path = '/api/orders/agent/6'
    expect(problemOf(await browser.get(path, asAgent()))).toMatchObject({
      status: 404,
      code: 'ORDER_NOT_FOUND',
    })
    expect(problemOf(await browser.get(path, asUser()))).toMatchObject({ status: 403, code: 'WRONG_ROLE' })
    expect(problemOf(await browser.get(path))).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' })
  })
})

describe('a label', () => {
  const path = '/api/orders/barcode/231200021879'

  it('comes as base64, to the byte', async () => {
    const { browser, asUser, issue } = await openRoom()
    await issue('231200021879')
    const { json } = await browser.get(path, asUser())
    expect(json).toEqual({ success: true, awbFile: pdf.toString('base64') })
  })

  it.each([
    ['', 'inline'],
    ['?download=', 'attachment'],
    ['?download=1', 'attachment'],
  ])('comes as a file with the query "%s": %s', async (query, disposition) => {
    const { browser, asUser, issue } = await openRoom()
    await issue('231200021879')
    const answer = await browser.get(`${path}.pdf${query}`, asUser())
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `${disposition}; filename="amtiati-231200021879.pdf"`,
    })
    expect(answer.bytes.equals(pdf)).toBe(true)
  })

  it('is for its owner and for the agent who collects it', async () => {
    const { browser, asUser, asAgent, issue } = await openRoom()
    await issue('231200021879')
    for (const caller of [asUser(), asAgent()])
      for (const suffix of ['', '.pdf']) expect((await browser.get(path + suffix, caller)).status).toBe(200)
  })

  it('of somebody else answers exactly like one that does not exist', async () => {
    const { browser, other, asUser, asAgent, issue } = await openRoom()
    await issue('231200021879')
    const strangers = [asUser(other.id), asAgent('A02', 6)]
    for (const caller of strangers)
      for (const suffix of ['', '.pdf']) {
        const theirs = problemOf(await browser.get(path + suffix, caller))
        const none = problemOf(await browser.get(`/api/orders/barcode/999999999999${suffix}`, caller))
        expect(theirs).toMatchObject({ status: 404, code: 'LABEL_NOT_FOUND' })
        expect({ ...theirs, requestId: '' }).toEqual({ ...none, requestId: '' })
      }
  })

  it('whose file has not come yet says when to come back', async () => {
    const { browser, asUser, issue } = await openRoom()
    await issue('231200021879', { label: false })
    const answer = await browser.get(path, asUser())
    expect(problemOf(answer)).toMatchObject({ status: 503, code: 'LABEL_NOT_READY', retryAfterSeconds: 5 })
  })

  it.each(['abc', '12345', '1'.repeat(21), '2312-0002', '٢٣١٢٠٠٠٢١٨٧٩'])(
    'has no number like %s',
    async (awb) => {
      const { browser, asUser } = await openRoom()
      const answer = await browser.get(`/api/orders/barcode/${encodeURIComponent(awb)}`, asUser())
      expect(refusedFieldsOf(answer)).toEqual(['awb'])
    },
  )

  it('is for nobody who is not signed in', async () => {
    const { browser, issue } = await openRoom()
    await issue('231200021879')
    expect(problemOf(await browser.get(path)).code).toBe('NOT_SIGNED_IN')
    expect(problemOf(await browser.get(`${path}.pdf`)).code).toBe('NOT_SIGNED_IN')
  })
})

describe('a lease', () => {
  it('carries everything the partner is asked with', async () => {
    const { orders, user, place, pay } = await openRoom()
    const orderId = await pay(await place())
    expect(await orders.leaseBooking('lease', minute)).toEqual({
      id: expect.any(Number),
      orderId,
      userId: user.id,
      reference: expect.stringMatching(/^AM-[0-9A-Z]+-[0-9A-Z]{8}$/),
      awb: null,
      tries: 1,
      inDoubtUntil: 0,
      branchCode: '1',
      origin: expect.objectContaining({ city: 'Mina' }),
      destination: expect.objectContaining({ city: 'Riyadh' }),
    })
  })

  it('given back is due after the wait', async () => {
    const { orders, clock, place, pay } = await openRoom()
    await pay(await place())
    const leased = await orders.leaseBooking('lease-1', minute)
    await orders.releaseBooking(leased?.id ?? 0, 'lease-1', 5_000)
    clock.advance(4_999)
    expect(await orders.leaseBooking('lease-2', minute)).toBeUndefined()
    clock.advance(1)
    expect(await orders.leaseBooking('lease-2', minute)).toMatchObject({ id: leased?.id, tries: 2 })
  })
})

describe('unissuedAgeMs', () => {
  it('is the age of the oldest booking that was paid and has no airway bill', async () => {
    const { orders, clock, place, pay, issue } = await openRoom()
    expect(await orders.unissuedAgeMs()).toBe(0)
    await issue('231200021879')
    clock.advance(minute)
    await pay(await place())
    clock.advance(3 * minute)
    await pay(await place())
    expect(await orders.unissuedAgeMs()).toBe(3 * minute)
  })
})
