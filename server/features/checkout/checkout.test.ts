import { describe, expect, it, onTestFinished } from 'vitest'
import { exportOrder, listForUser } from '#server/features/order-views/order-views.ts'
import type { PartnerProvider } from '#server/features/partner/partner.provider.ts'
import { renewPayment } from '#server/features/payments/intentions.ts'
import { bookingTypes } from '#shared/orders/booking-types.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import type { NewStop } from '#shared/stops/stops.schemas.ts'
import { day, minute, noon } from '#test/kit/basics/clock.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import {
  openBrowser,
  openFeatureApp,
  problemOf,
  refusedFieldsOf,
  routesFor,
} from '#test/kit/gateway/feature-app.ts'
import { agent, center } from '#test/kit/orders/orders.ts'
import { openPaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { stopSales } from '#test/kit/orders/stops.ts'
import { checkoutRoutes } from './checkout.routes.ts'

function partnerDouble() {
  const agents = new Map([[agent.id, agent]])
  const centers = new Map([[center.code, center]])
  const everyGatewayAsked = Promise.withResolvers<void>()
  let missing = 0
  const provider: PartnerProvider = {
    async fetchAgents() {
      missing -= 1
      if (missing <= 0) everyGatewayAsked.resolve()
      await everyGatewayAsked.promise
      return { rows: [...agents.values()], dropped: {} }
    },
    fetchCenters: async () => ({ rows: [...centers.values()], dropped: {} }),
  }
  /** Delays the lists until this many gateways have requested them. */
  const holdUntil = (gateways: number) => {
    missing = gateways
  }
  return { provider, agents, centers, holdUntil }
}

async function openFixture(enabledTypes: readonly BookingType[] = ['FROM_MINA']) {
  const { clock, core, database, provider, close } = await openPaymentFixture()
  onTestFinished(close)
  const partner = partnerDouble()
  const lines: unknown[] = []
  const write = (line: unknown) => void lines.push(line)
  const owner = { 'x-caller': JSON.stringify({ role: 'user', userId: 1 }) }
  const checkoutRequest = {
    userId: 1,
    type: 'FROM_MINA',
    noOfPackages: 1,
    agentCode: 'A01',
    centerCode: '1',
    amount: 50,
  }
  async function openGateway(offer: readonly BookingType[]) {
    const core = await openCore(
      { database, clock },
      {
        config: {
          ENABLED_BOOKING_TYPES: offer,
          PAYMENT_PUBLIC_KEY: 'public',
        },
        providers: {
          payments: provider,
          partner: partner.provider,
        },
        log: { info: write, warn: write, error: write },
      },
    )
    const browser = openBrowser(await openFeatureApp((app) => checkoutRoutes(core, routesFor(core, app))))
    const post = (path: string, body: object, headers: object = {}) =>
      browser.post(path, body, { ...owner, ...headers })
    const checkout = (change: object = {}, headers: object = {}) =>
      post('/api/checkout', { ...checkoutRequest, ...change }, headers)
    return { browser, post, checkout }
  }
  return {
    ...(await openGateway(enabledTypes)),
    openGateway,
    clock,
    core,
    partner,
    provider,
    lines,
    checkoutRequest,
    stop: (...wanted: readonly NewStop[]) => stopSales({ database }, 'Lulwa', 'the agent is ill', wanted),
    renew: (orderId: unknown) => renewPayment(core, 1, Number(orderId)),
    ordersOf: async () => (await listForUser(core, 1, { cursor: undefined, limit: undefined })).orders,
  }
}

const key = { 'idempotency-key': 'key-00000001' }

describe('a checkout', () => {
  it('logs the order that it made, once', async () => {
    const { checkout, lines } = await openFixture()
    const { json } = await checkout({}, key)
    await checkout({}, key)
    await checkout({ amount: 49 })
    const created = lines.filter((line) => (line as { event: string }).event === 'orders.created')
    expect(created).toEqual([{ event: 'orders.created', orderId: json.orderId, userId: 1 }])
  })

  it('creates an order and returns what the card widget opens with', async () => {
    const { checkout, ordersOf, provider } = await openFixture()
    const answer = await checkout()
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.json).toEqual({
      success: true,
      orderId: expect.any(Number),
      clientSecret: provider.intentions[0]?.clientSecret,
      publicKey: 'public',
    })
    expect(await ordersOf()).toEqual([
      {
        orderId: answer.json.orderId,
        status: 'PENDING_PAYMENT',
        type: 'FROM_MINA',
        amount: 50,
        creationDate: new Date(noon).toISOString(),
        payable: true,
        agentCode: 'A01',
        centerCode: '1',
        promises: expect.any(Object),
        hasReceipt: false,
        cancellable: true,
        bookings: [
          {
            awb: null,
            origin: expect.objectContaining({ name: 'وكيل', phone: '+966500000101' }),
            destination: expect.objectContaining({ addressAR: 'حي السويدي', city: 'Riyadh' }),
            state: null,
            lastEventAt: null,
            events: [],
          },
        ],
      },
    ])
    expect(provider.intentions.map(({ request }) => request)).toMatchObject([
      {
        orderId: answer.json.orderId,
        amountHalalas: 5_000,
        currency: 'SAR',
        customer: { name: 'Maryam', phone: '+966550000001' },
      },
    ])
  })

  it('keeps the terms that stood then, and in which language they were shown', async () => {
    const { checkout, core } = await openFixture()
    const termsOf = async (language: string) => {
      const { json } = await checkout({}, { 'accept-language': language })
      return (await exportOrder(core, Number(json.orderId)))?.order.terms
    }
    const shown = { terms: brand.purchase.terms, cancellation: { isOffered: true, hours: 0 } }
    const english = await termsOf('en')
    expect(english).toMatchObject({ language: 'en', shown })
    expect(await termsOf('ar')).toEqual({ ...english, language: 'ar' })
  })

  it('has the same result in the shape of the other call', async () => {
    const { post, checkoutRequest, ordersOf } = await openFixture()
    const { userId, amount, ...bookingDetails } = checkoutRequest
    const answer = await post('/api/payments/orders', { userId, amount, bookingDetails })
    expect(answer).toMatchObject({ status: 200, json: { success: true, clientSecret: expect.any(String) } })
    expect(await ordersOf()).toMatchObject([{ orderId: answer.json.orderId }])
  })

  it('of a return route creates two bookings for twice the fare', async () => {
    const { checkout, ordersOf, provider } = await openFixture(bookingTypes)
    expect((await checkout({ type: 'TO_AND_FROM_MINA', amount: 100 })).status).toBe(200)
    const [order] = await ordersOf()
    expect(order?.bookings.map(({ origin }) => origin.city)).toEqual(['Riyadh', 'Mina'])
    expect(provider.intentions).toMatchObject([{ request: { amountHalalas: 10_000 } }])
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
  ])('is refused as invalid when %s has the wrong type: %j', async (field, change) => {
    const { checkout, ordersOf } = await openFixture()
    const answer = await checkout(change)
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(refusedFieldsOf(answer)).toEqual([field])
    expect(await ordersOf()).toEqual([])
  })

  it('names refused fields inside bookingDetails', async () => {
    const { post, checkoutRequest } = await openFixture()
    const { userId, amount, type, agentCode, centerCode } = checkoutRequest
    const answer = await post('/api/payments/orders', {
      userId,
      amount,
      bookingDetails: { type, agentCode, centerCode, noOfPackages: 'one' },
    })
    expect(refusedFieldsOf(answer)).toEqual(['bookingDetails.noOfPackages'])
  })

  it('names every refused field at once, in the user’s language', async () => {
    const { browser, checkout, ordersOf, provider } = await openFixture()
    browser.cookies.set('lang', 'en')
    const answer = await checkout({ userId: 999, noOfPackages: 3, agentCode: 'A99', amount: 1 })
    expect(problemOf(answer).fields).toEqual([
      { field: 'userId', message: 'Does not match the signed-in account.' },
      { field: 'noOfPackages', message: 'One package per booking.' },
      { field: 'agentCode', message: 'Choose an agent from the list.' },
      { field: 'amount', message: 'The amount is not the fare of this route.' },
    ])
    expect(await ordersOf()).toEqual([])
    expect(provider.intentions).toEqual([])
  })

  it('stores the order when the provider is down', async () => {
    const { checkout, ordersOf, provider } = await openFixture()
    provider.fail('create', 'refused')
    const answer = await checkout()
    expect(problemOf(answer)).toMatchObject({ status: 503, code: 'PAYMENT_UNAVAILABLE' })
    expect(await ordersOf()).toMatchObject([{ status: 'PENDING_PAYMENT' }])
  })
})

describe('a checkout with a key', () => {
  it('returns the same order when repeated', async () => {
    const { checkout, ordersOf, provider } = await openFixture()
    const first = await checkout({}, key)
    const second = await checkout({}, key)
    expect(second.json).toEqual(first.json)
    expect(await ordersOf()).toHaveLength(1)
    expect(provider.intentions).toHaveLength(1)
  })

  it('is the same request in the shape of either call', async () => {
    const { checkout, post, checkoutRequest } = await openFixture()
    const first = await checkout({}, key)
    const { userId, amount, ...bookingDetails } = checkoutRequest
    const second = await post('/api/payments/orders', { bookingDetails, amount, userId }, key)
    expect(second.json).toEqual(first.json)
  })

  it.each([{ centerCode: '2' }, { agentCode: 'A02' }, { amount: 51 }])(
    'refuses another request with the same key: %j',
    async (change) => {
      const { checkout, ordersOf } = await openFixture()
      await checkout({}, key)
      expect(problemOf(await checkout(change, key))).toMatchObject({
        status: 409,
        code: 'IDEMPOTENCY_CONFLICT',
      })
      expect(await ordersOf()).toHaveLength(1)
    },
  )

  it('accepts one of two different concurrent requests', async () => {
    const { checkout, openGateway, partner, ordersOf } = await openFixture()
    const other = await openGateway(['FROM_MINA'])
    partner.centers.set('2', { ...center, code: '2' })
    // Both have found no order under the key when the lists arrive.
    partner.holdUntil(2)
    const answers = await Promise.all([checkout({}, key), other.checkout({ centerCode: '2' }, key)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await ordersOf()).toHaveLength(1)
  })

  it('opens the payment on retry when the provider was down the first time', async () => {
    const { checkout, ordersOf, provider } = await openFixture()
    provider.fail('create', 'refused')
    await checkout({}, key)
    const answer = await checkout({}, key)
    expect(answer).toMatchObject({
      status: 200,
      json: { clientSecret: provider.intentions[0]?.clientSecret },
    })
    expect(await ordersOf()).toMatchObject([{ orderId: answer.json.orderId }])
  })

  it('returns the stored order even if the offer has changed since', async () => {
    const { checkout, openGateway } = await openFixture()
    const first = await checkout({}, key)
    const later = await openGateway(['TO_MINA'])
    expect((await later.checkout({}, key)).json).toEqual(first.json)
    expect((await later.checkout()).status).toBe(422)
  })

  it('does not use up the key for a refused request', async () => {
    const { checkout } = await openFixture()
    expect((await checkout({ amount: 1 }, key)).status).toBe(422)
    expect((await checkout({}, key)).status).toBe(200)
  })

  it.each(['short', 'with space inside', 'x'.repeat(129)])(
    'refuses the key %j with the field named',
    async (bad) => {
      const { checkout, ordersOf } = await openFixture()
      expect(refusedFieldsOf(await checkout({}, { 'idempotency-key': bad }))).toEqual(['idempotency-key'])
      expect(await ordersOf()).toEqual([])
    },
  )
})

const ill = {
  what: 'agent',
  code: 'A01',
  text: { ar: 'الوكيل مريض اليوم.', en: 'The agent is ill.' },
} as const

describe('a checkout under a stop', () => {
  it('is refused in both shapes with the sentence in each language, and creates nothing', async () => {
    const { browser, checkout, post, checkoutRequest, stop, ordersOf, provider } = await openFixture()
    await stop(ill)
    const answer = await checkout({}, key)
    expect(problemOf(answer)).toMatchObject({ status: 409, code: 'SALES_STOPPED' })
    expect(answer.json).toMatchObject({
      message: 'هذا الحجز غير متاح الآن. الوكيل مريض اليوم.',
      stop: { ...ill, from: new Date(noon).toISOString() },
    })
    browser.cookies.set('lang', 'en')
    const { userId, amount, ...bookingDetails } = checkoutRequest
    const other = await post('/api/payments/orders', { userId, amount, bookingDetails })
    expect(other).toMatchObject({
      status: 409,
      json: { message: expect.stringContaining('The agent is ill.') },
    })
    expect([await ordersOf(), provider.intentions]).toEqual([[], []])
  })

  it('of another agent goes on, and of this one when the stop is over or taken back', async () => {
    const { checkout, partner, stop, clock } = await openFixture()
    partner.agents.set('A02', { ...agent, id: 'A02' })
    await stop({ ...ill, until: new Date(noon + minute).toISOString() })
    const statuses = [(await checkout({ agentCode: 'A02' })).status, (await checkout()).status]
    clock.advance(minute)
    statuses.push((await checkout()).status)
    await stop(ill)
    statuses.push((await checkout()).status)
    await stop()
    statuses.push((await checkout()).status)
    expect(statuses).toEqual([200, 409, 200, 409, 200])
  })

  it('answers a repeat of an earlier order as before, whose payment is still opened', async () => {
    const { checkout, stop, renew } = await openFixture()
    const first = await checkout({}, key)
    await stop({ what: 'all', text: ill.text })
    expect((await checkout({}, key)).json).toEqual(first.json)
    expect(await renew(first.json.orderId)).toMatchObject({ clientSecret: first.json.clientSecret })
    expect((await checkout({}, { 'idempotency-key': 'key-00000002' })).status).toBe(409)
  })
})

describe('two checkouts without a key', () => {
  it('create two orders', async () => {
    const { checkout, ordersOf, clock } = await openFixture()
    await checkout()
    clock.advance(day)
    await checkout()
    expect(await ordersOf()).toHaveLength(2)
  })
})
