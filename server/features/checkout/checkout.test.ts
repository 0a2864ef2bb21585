import { describe, expect, it } from 'vitest'
import { createOrders } from '#server/features/orders/orders.service.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import type { PartnerService } from '#server/features/partner/partner.service.ts'
import type { IntentionRequest, PaymentGateway } from '#server/features/payments/payments.gateway.ts'
import { createPayments } from '#server/features/payments/payments.service.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import { type BookingType, bookingTypes } from '#shared/orders/orders.schemas.ts'
import { day, manualClock, minute, noon } from '#test/kit/clock.ts'
import { openMemory } from '#test/kit/databases.ts'
import {
  headerScope,
  openBrowser,
  openRoomApp,
  problemOf,
  refusedFieldsOf,
  silentLog,
} from '#test/kit/room-app.ts'
import { checkoutRoutes } from './checkout.routes.ts'
import { createCheckout } from './checkout.service.ts'

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

/** The two lists a checkout asks about; both can be emptied, and can make those who ask wait for each other. */
function partnerDouble() {
  const agents = new Map([[agent.id, agent]])
  const centers = new Map([[center.code, center]])
  const everybodyIsHere = Promise.withResolvers<void>()
  let missing = 0
  const service: Pick<PartnerService, 'findAgent' | 'findCenter'> = {
    findAgent: async (id) => {
      missing -= 1
      if (missing <= 0) everybodyIsHere.resolve()
      await everybodyIsHere.promise
      return agents.get(id)
    },
    findCenter: async (code) => centers.get(code),
  }
  /** From now on nobody is answered until so many have asked. */
  const holdUntil = (asking: number) => {
    missing = asking
  }
  return { service: service as PartnerService, agents, centers, holdUntil }
}

/** The payment provider: it makes an intention of everything it is asked, and can be down. */
function providerDouble() {
  const intentions: IntentionRequest[] = []
  const state = { isDown: false }
  const gateway: Pick<PaymentGateway, 'createIntention'> = {
    async createIntention(request) {
      if (state.isDown) throw new Unreachable('POST /v1/intention/', false)
      intentions.push(request)
      const number = 7_000_000 + intentions.length
      return { intentionId: `pi_${number}`, providerOrderId: number, clientSecret: `secret-${number}` }
    },
  }
  return { gateway: gateway as PaymentGateway, intentions, state }
}

async function openRoom(enabledTypes: readonly BookingType[] = ['FROM_MINA']) {
  const database = await openMemory()
  const clock = manualClock()
  const partner = partnerDouble()
  const provider = providerDouble()
  const sessions = createSessionsStore(database)
  const user = await sessions.ensureUser('+966512345678', 'عبد الله', noon)
  const other = await sessions.ensureUser('+966587654321', 'Omar', noon)
  const orders = createOrders({
    database,
    store: createOrdersStore(database),
    findUsers: async () => new Map(),
    holdUser: sessions.holdUser,
    clock,
  })
  const payments = createPayments({
    database,
    store: createPaymentsStore(database),
    gateway: provider.gateway,
    orders,
    findUser: async () => user,
    holdUser: sessions.holdUser,
    onPaid: () => undefined,
    publicKey: 'pk-1',
    clock,
    log: silentLog,
    metrics: createMetrics(),
  })
  const checkout = createCheckout({
    orders,
    partner: partner.service,
    openPayment: payments.open,
    repeatPayment: payments.repeat,
    enabledTypes,
  })
  const app = await openRoomApp((room) => checkoutRoutes(room, headerScope, checkout))
  const browser = openBrowser(app)
  const as = (userId: number) => ({ 'x-caller': JSON.stringify({ role: 'user', userId }) })
  const wish = {
    userId: user.id,
    type: 'FROM_MINA',
    noOfPackages: 1,
    agentCode: 'A01',
    centerCode: '1',
    amount: 50,
  }
  return {
    clock,
    partner,
    provider,
    orders,
    user,
    other,
    wish,
    browser,
    ordersOf: async (userId = user.id) =>
      (await orders.listForUser(userId, { cursor: undefined, limit: undefined })).orders,
    checkout: (change: object = {}, headers: object = {}) =>
      browser.post('/api/checkout', { ...wish, ...change }, { ...as(user.id), ...headers }),
    post: (path: string, body: object, callerId = user.id, headers: object = {}) =>
      browser.post(path, body, { ...as(callerId), ...headers }),
  }
}

const key = { 'idempotency-key': 'key-00000001' }

describe('a checkout', () => {
  it('places an order and answers what the widget opens with', async () => {
    const { checkout, ordersOf, provider } = await openRoom()
    const answer = await checkout()
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.json).toEqual({
      success: true,
      orderId: expect.any(Number),
      clientSecret: 'secret-7000001',
      publicKey: 'pk-1',
    })
    expect(await ordersOf()).toEqual([
      {
        orderId: answer.json.orderId,
        status: 'PENDING_PAYMENT',
        type: 'FROM_MINA',
        creationDate: new Date(noon).toISOString(),
        bookings: [
          {
            awb: null,
            origin: expect.objectContaining({ name: 'وكيل', phone: '+966500000101' }),
            destination: expect.objectContaining({ addressAR: 'حي السويدي', city: 'Riyadh' }),
          },
        ],
      },
    ])
    expect(provider.intentions).toMatchObject([
      {
        orderId: answer.json.orderId,
        amountHalalas: 5_000,
        currency: 'SAR',
        customer: { name: 'عبد الله', phone: '+966512345678' },
      },
    ])
  })

  it('is the same in the words of the other call', async () => {
    const { post, wish, ordersOf } = await openRoom()
    const { userId, amount, ...bookingDetails } = wish
    const answer = await post('/api/payments/orders', { userId, amount, bookingDetails })
    expect(answer).toMatchObject({ status: 200, json: { success: true, clientSecret: 'secret-7000001' } })
    expect(await ordersOf()).toMatchObject([{ orderId: answer.json.orderId }])
  })

  it('of both ways makes two bookings for the fare of two', async () => {
    const { checkout, ordersOf, provider } = await openRoom(bookingTypes)
    expect((await checkout({ type: 'TO_AND_FROM_MINA', amount: 100 })).status).toBe(200)
    const [order] = await ordersOf()
    expect(order?.bookings.map(({ origin }) => origin.city)).toEqual(['Riyadh', 'Mina'])
    expect(provider.intentions).toMatchObject([{ amountHalalas: 10_000 }])
  })

  it.each<[string, object]>([
    ['userId', { userId: 999 }],
    ['type', { type: 'TO_MINA' }],
    ['noOfPackages', { noOfPackages: 2 }],
    ['noOfPackages', { noOfPackages: 0 }],
    ['agentCode', { agentCode: 'A99' }],
    ['centerCode', { centerCode: '99' }],
    ['amount', { amount: 49.99 }],
    ['amount', { amount: 0 }],
    ['amount', { amount: -50 }],
  ])('is refused by name when %s does not fit: %j', async (field, change) => {
    const { checkout, ordersOf, provider } = await openRoom()
    const answer = await checkout(change)
    expect(problemOf(answer)).toMatchObject({ status: 422, code: 'CHECKOUT_REFUSED' })
    expect(refusedFieldsOf(answer)).toEqual([field])
    expect(await ordersOf()).toEqual([])
    expect(provider.intentions).toEqual([])
  })

  it.each<[string, object]>([
    ['userId', { userId: '1' }],
    ['type', { type: 'TO_MARS' }],
    ['noOfPackages', { noOfPackages: 1.5 }],
    ['agentCode', { agentCode: '' }],
    ['agentCode', { agentCode: '../A01' }],
    ['centerCode', { centerCode: 1 }],
    ['amount', { amount: '50' }],
    ['discount', { discount: 50 }],
  ])('is not even read when %s is of the wrong kind: %j', async (field, change) => {
    const { checkout, ordersOf } = await openRoom()
    const answer = await checkout(change)
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(refusedFieldsOf(answer)).toEqual([field])
    expect(await ordersOf()).toEqual([])
  })

  it('names the fields inside bookingDetails, too', async () => {
    const { post, wish } = await openRoom()
    const { userId, amount, type, agentCode, centerCode } = wish
    const answer = await post('/api/payments/orders', {
      userId,
      amount,
      bookingDetails: { type, agentCode, centerCode, noOfPackages: 'one' },
    })
    expect(refusedFieldsOf(answer)).toEqual(['bookingDetails.noOfPackages'])
  })

  it('names everything that does not fit at once, in the caller’s language', async () => {
    const { browser, checkout } = await openRoom()
    browser.cookies.set('lang', 'en')
    const answer = await checkout({ userId: 999, noOfPackages: 3, agentCode: 'A99', amount: 1 })
    expect(problemOf(answer).fields).toEqual([
      { field: 'userId', message: 'Does not match the signed-in account.' },
      { field: 'noOfPackages', message: 'One package per booking.' },
      { field: 'agentCode', message: 'Choose an agent from the list.' },
      { field: 'amount', message: 'The amount is not the fare of this route.' },
    ])
  })

  it.each([
    [{}, 'NOT_SIGNED_IN', 401],
    [{ 'x-caller': JSON.stringify({ role: 'agent', agentId: 1, partnerAgentId: 'A01' }) }, 'WRONG_ROLE', 403],
  ] as const)('is for users only: %j', async (headers, code, status) => {
    const { browser, wish } = await openRoom()
    expect(problemOf(await browser.post('/api/checkout', wish, headers))).toMatchObject({ code, status })
  })

  it('keeps the order when the provider is down', async () => {
    const { checkout, ordersOf, provider } = await openRoom()
    provider.state.isDown = true
    const answer = await checkout()
    expect(problemOf(answer)).toMatchObject({ status: 503, code: 'PAYMENT_UNAVAILABLE' })
    expect(await ordersOf()).toMatchObject([{ status: 'PENDING_PAYMENT' }])
  })
})

describe('a checkout under a key', () => {
  it('answers the same order however often it is sent', async () => {
    const { checkout, ordersOf, provider } = await openRoom()
    const first = await checkout({}, key)
    const second = await checkout({}, key)
    expect(second.json).toEqual(first.json)
    expect(await ordersOf()).toHaveLength(1)
    expect(provider.intentions).toHaveLength(1)
  })

  it('is the same request in the words of either call', async () => {
    const { checkout, post, wish, user } = await openRoom()
    const first = await checkout({}, key)
    const { userId, amount, ...bookingDetails } = wish
    const second = await post('/api/payments/orders', { bookingDetails, amount, userId }, user.id, key)
    expect(second.json).toEqual(first.json)
  })

  it.each([{ centerCode: '2' }, { agentCode: 'A02' }, { amount: 51 }])(
    'refuses another request under the same key: %j',
    async (change) => {
      const { checkout, ordersOf } = await openRoom()
      await checkout({}, key)
      expect(problemOf(await checkout(change, key))).toMatchObject({
        status: 409,
        code: 'IDEMPOTENCY_CONFLICT',
      })
      expect(await ordersOf()).toHaveLength(1)
    },
  )

  it('makes one order and one intention of fifty that come at once', async () => {
    const { checkout, ordersOf, provider } = await openRoom()
    const answers = await Promise.all(Array.from({ length: 50 }, () => checkout({}, key)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(new Set(answers.map(({ json }) => json.orderId)).size).toBe(1)
    expect(new Set(answers.map(({ json }) => json.clientSecret)).size).toBe(1)
    expect(await ordersOf()).toHaveLength(1)
    expect(provider.intentions).toHaveLength(1)
  })

  it('lets one of two different requests through that come at once', async () => {
    const { checkout, partner, ordersOf } = await openRoom()
    partner.centers.set('2', { ...center, code: '2' })
    partner.holdUntil(2)
    const answers = await Promise.all([checkout({}, key), checkout({ centerCode: '2' }, key)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await ordersOf()).toHaveLength(1)
  })

  it('goes on where the provider was down the first time', async () => {
    const { checkout, ordersOf, provider } = await openRoom()
    provider.state.isDown = true
    await checkout({}, key)
    provider.state.isDown = false
    const answer = await checkout({}, key)
    expect(answer).toMatchObject({ status: 200, json: { clientSecret: 'secret-7000001' } })
    expect(await ordersOf()).toMatchObject([{ orderId: answer.json.orderId }])
  })

  it('is answered from what was made, even if the offer has changed since', async () => {
    const { checkout, partner } = await openRoom()
    const first = await checkout({}, key)
    partner.agents.clear()
    partner.centers.clear()
    expect((await checkout({}, key)).json).toEqual(first.json)
  })

  it('answers a fresh secret for the same order when the first has grown old', async () => {
    const { checkout, clock } = await openRoom()
    const first = await checkout({}, key)
    clock.advance(51 * minute)
    const second = await checkout({}, key)
    expect(second.json.orderId).toBe(first.json.orderId)
    expect(second.json.clientSecret).not.toBe(first.json.clientSecret)
  })

  it('does not spend the key on a request that is refused', async () => {
    const { checkout } = await openRoom()
    expect((await checkout({ amount: 1 }, key)).status).toBe(422)
    expect((await checkout({}, key)).status).toBe(200)
  })

  it('keeps the keys of two users apart', async () => {
    const { checkout, post, wish, other, ordersOf } = await openRoom()
    const mine = await checkout({}, key)
    const theirs = await post('/api/checkout', { ...wish, userId: other.id }, other.id, key)
    expect(theirs.status).toBe(200)
    expect(theirs.json.orderId).not.toBe(mine.json.orderId)
    expect(await ordersOf(other.id)).toMatchObject([{ orderId: theirs.json.orderId }])
  })

  it.each(['short', 'with space inside', 'x'.repeat(129)])('refuses the key %j by name', async (bad) => {
    const { checkout, ordersOf } = await openRoom()
    expect(refusedFieldsOf(await checkout({}, { 'idempotency-key': bad }))).toEqual(['idempotency-key'])
    expect(await ordersOf()).toEqual([])
  })
})

describe('two checkouts without a key', () => {
  it('are two orders', async () => {
    const { checkout, ordersOf, clock } = await openRoom()
    await checkout()
    clock.advance(day)
    await checkout()
    expect(await ordersOf()).toHaveLength(2)
  })
})
