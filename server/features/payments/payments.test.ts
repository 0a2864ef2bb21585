import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ordersRoutes } from '#server/features/order-views/order-views.routes.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { minute, second } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { meanwhile } from '#test/kit/basics/meanwhile.ts'
import {
  openBrowser,
  openFeatureApp,
  problemOf,
  routesFor,
  type TestBrowser,
} from '#test/kit/gateway/feature-app.ts'
import { openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { openAttempt, startAttempt } from './attempts.queries.ts'
import { openPayment, repeatPayment } from './intentions.ts'
import { listPaymentEvents } from './payment-events.queries.ts'
import { paymentsRoutes } from './payments.routes.ts'
import { attemptRules, type PaymentReport } from './payments.rules.ts'

let fixture: PaymentFixture
let app: FastifyInstance
let browser: TestBrowser
beforeEach(async () => {
  fixture = await openPaymentFixture()
  app = await openFeatureApp(async (feature) => {
    await ordersRoutes(fixture.core, routesFor(fixture.core, feature))
    await paymentsRoutes(fixture.core, routesFor(fixture.core, feature))
  })
  browser = openBrowser(app)
})
afterEach(() => fixture.close())

const header = (principal: object) => ({ 'x-caller': JSON.stringify(principal) })
/** The user of the fixture, another user, the agent of every order, and another agent. */
const owner = header({ role: 'user', userId: 1 })
const otherUser = header({ role: 'user', userId: 2 })
const agent = header({ role: 'agent', agentId: 5, partnerAgentId: 'A1' })
const otherAgent = header({ role: 'agent', agentId: 6, partnerAgentId: 'A2' })

const read = (key: number | string, principal = owner) => browser.get(`/api/orders/${key}`, principal)
const renew = (orderId: number, principal = owner) =>
  browser.post(`/api/orders/${orderId}/payment`, {}, principal)
const statusOf = (orderId: number) => fixture.statusOf(orderId)

/** Makes such a statement fail. @returns how it works again */
async function breakWrites(statement: 'INSERT ON payment_events' | 'UPDATE ON orders') {
  const { tables } = fixture.database
  await sql`CREATE TRIGGER broken BEFORE ${sql.raw(statement)} BEGIN SELECT RAISE(ABORT, 'disk full'); END`.execute(
    tables,
  )
  return () => sql`DROP TRIGGER broken`.execute(tables)
}

/** @returns what ends the time of `count` requests that open a payment from now on, once they have begun */
function holdOpenings() {
  const openings: AbortController[] = []
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const opening = new AbortController()
    openings.push(opening)
    return opening.signal
  })
  onTestFinished(() => timeout.mockRestore())
  return async (count: number) => {
    await eventually(async () => (openings.length >= count ? true : undefined))
    for (const opening of openings.splice(0)) opening.abort()
  }
}

const signature = 'a1'.repeat(64)
/** In the payment fixture a report stands for a signed callback. */
const deliver = (report: PaymentReport) => browser.post(`/api/payments/callback?hmac=${signature}`, report)

describe('a callback', () => {
  it('of a success pays the order and queues its booking', async () => {
    const { orderId, charge } = await fixture.openCharged()
    const answer = await deliver(fixture.provider.report(charge))
    expect(answer).toMatchObject({ status: 200, json: { success: true } })
    expect((await read(orderId)).json.order).toMatchObject({
      orderId,
      status: 'PAID',
      transactionId: String(charge.id),
    })
    await fixture.ship()
    expect(fixture.partner.shipments).toHaveLength(1)
  })

  it('with another reference pays nothing and does not block the correct one', async () => {
    const { orderId, charge } = await fixture.openCharged()
    const report = fixture.provider.report(charge)
    await deliver({ ...report, merchantReference: 'OD1-ANOTHER' })
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    expect(await fixture.eventsOf(charge)).toEqual(['succeeded reference-mismatch'])
    await deliver(report)
    expect(await statusOf(orderId)).toBe('PAID')
    expect(await fixture.eventsOf(charge)).toEqual(['succeeded applied'])
  })

  it('without a reference is matched by the provider’s order number', async () => {
    const { orderId, charge } = await fixture.openCharged()
    await deliver({ ...fixture.provider.report(charge), merchantReference: null })
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('about an unknown order is stored, acknowledged, and changes nothing', async () => {
    const { orderId, charge } = await fixture.openCharged()
    const answer = await deliver({ ...fixture.provider.report(charge), providerOrderId: 42 })
    expect(answer.status).toBe(200)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    expect(await fixture.eventsOf(charge)).toEqual(['succeeded unknown-order'])
  })

  it.each(['failed', 'pending', 'captured'] as const)(
    'of the kind %s is stored and changes nothing',
    async (kind) => {
      const { orderId, intention } = await fixture.openOrder()
      const charge = fixture.provider.charge(intention, false)
      await deliver(fixture.provider.report(charge, kind))
      expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
      expect(await fixture.eventsOf(charge)).toEqual([`${kind} noted`])
    },
  )

  it('of a success after a decline pays the order on the same secret', async () => {
    const { orderId, intention, clientSecret } = await fixture.openOrder()
    await deliver(fixture.provider.report(fixture.provider.charge(intention, false)))
    expect((await renew(orderId)).json.clientSecret).toBe(clientSecret)
    await deliver(fixture.provider.report(fixture.provider.charge(intention, true)))
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('of a decline after a success changes nothing', async () => {
    const { orderId, intention, charge: success } = await fixture.openPaid()
    await deliver(fixture.provider.report(fixture.provider.charge(intention, false)))
    await deliver(fixture.provider.report(success, 'failed'))
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('of a refund of the second payment leaves the order paid', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const [first, second] = [
      fixture.provider.charge(intention, true),
      fixture.provider.charge(intention, true),
    ]
    await deliver(fixture.provider.report(first))
    await deliver(fixture.provider.report(second))
    await deliver(fixture.provider.report(second, 'refunded'))
    expect(await statusOf(orderId)).toBe('PAID')
    await fixture.refund()
    expect(fixture.provider.refundsAsked).toEqual([])
  })

  it.each(['forged', 'unreadable'] as const)('that is %s is refused and not stored', async (outcome) => {
    const { orderId, charge } = await fixture.openCharged()
    Object.assign(fixture.provider, { readCallback: () => ({ outcome }) })
    expect(problemOf(await deliver(fixture.provider.report(charge)))).toMatchObject({
      status: 401,
      code: 'CALLBACK_REFUSED',
    })
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    expect(await fixture.eventsOf(charge)).toEqual([])
  })

  it('of a type that is not used is acknowledged', async () => {
    const { orderId, intention } = await fixture.openOrder()
    Object.assign(fixture.provider, { readCallback: () => ({ outcome: 'acknowledged', type: 'TOKEN' }) })
    const answer = await deliver(fixture.provider.report(fixture.provider.charge(intention, true)))
    expect(answer).toMatchObject({ status: 200, json: { success: true } })
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
  })

  it('that cannot be stored is answered with an error, so that the provider sends it again', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const report = fixture.provider.report(fixture.provider.charge(intention, true))
    const mend = await breakWrites('INSERT ON payment_events')
    expect((await deliver(report)).status).toBe(500)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await mend()
    expect((await deliver(report)).status).toBe(200)
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('is stored with its effects or not at all: no event stays when paying the order fails', async () => {
    const { orderId, charge } = await fixture.openCharged()
    const mend = await breakWrites('UPDATE ON orders')
    expect((await deliver(fixture.provider.report(charge))).status).toBe(500)
    expect(await fixture.eventsOf(charge)).toEqual([])
    await mend()
    await deliver(fixture.provider.report(charge))
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it.each([
    ['with no body', undefined, `?hmac=${signature}`],
    ['with a signature that is too long', {}, `?hmac=${'a'.repeat(300)}`],
    ['with no signature', {}, ''],
    ['with two signatures', {}, `?hmac=${signature}&hmac=${signature}`],
  ])('%s is refused', async (_, body, query) => {
    Object.assign(fixture.provider, { readCallback: () => ({ outcome: 'unreadable' }) })
    expect((await browser.post(`/api/payments/callback${query}`, body)).status).toBe(401)
  })

  it('is refused before its body is parsed where no signature comes with it, and where it is long', async () => {
    const post = (query: string, payload: string) =>
      app.inject({
        method: 'POST',
        url: `/api/payments/callback${query}`,
        headers: { 'content-type': 'application/json' },
        payload,
      })
    const broken = '{"type":'
    for (const query of ['', '?hmac=', '?hmac=abc', `?hmac=${signature}0`])
      expect((await post(query, broken)).json().code).toBe('CALLBACK_REFUSED')
    expect((await post(`?hmac=${signature}`, broken)).json().code).toBe('INVALID_REQUEST')
    const long = JSON.stringify({ type: 'x'.repeat(33 * 1024) })
    expect((await post(`?hmac=${signature}`, long)).json().code).toBe('BODY_TOO_LARGE')
  })
})

describe('opening a payment', () => {
  it('returns what the card widget opens with', async () => {
    const orderId = await fixture.createOrder()
    const answer = await renew(orderId)
    const [intention] = fixture.provider.intentions
    expect(answer.json).toEqual({
      success: true,
      orderId,
      clientSecret: intention?.clientSecret,
      publicKey: 'public',
    })
    expect(intention?.request).toEqual({
      reference: expect.stringMatching(new RegExp(`^OD${orderId}-[0-9A-Z]+-[0-9A-Z]{8}$`)),
      orderId,
      amountHalalas: 5_000,
      currency: 'SAR',
      lifeSeconds: 3_600,
      customer: { name: 'Maryam', phone: '+966550000001' },
    })
  })

  it('returns the same secret while it is usable, and later a new one under a new reference', async () => {
    const { orderId, clientSecret } = await fixture.openOrder()
    fixture.clock.advance(50 * minute - 1)
    expect((await renew(orderId)).json.clientSecret).toBe(clientSecret)
    fixture.clock.advance(1)
    const renewed = await renew(orderId)
    expect(renewed.json.clientSecret).not.toBe(clientSecret)
    const [first, second] = fixture.provider.intentions
    expect(first?.request.reference).not.toBe(second?.request.reference)
  })

  it.each(['cut-before', 'cut-after'] as const)(
    'never shows the secret of an intention whose answer was lost (%s), and opens another under a new reference',
    async (trouble) => {
      const orderId = await fixture.createOrder()
      fixture.provider.fail('create', trouble)
      const answer = await renew(orderId)
      expect(problemOf(answer)).toMatchObject({
        status: 503,
        code: 'PAYMENT_UNAVAILABLE',
        retryAfterSeconds: 5,
      })
      const again = await renew(orderId)
      const newest = fixture.provider.intentions.at(-1)
      expect(again.json.clientSecret).toBe(newest?.clientSecret)
      const references = fixture.provider.intentions.map(({ request }) => request.reference)
      expect(new Set(references).size).toBe(references.length)
    },
  )

  it('has its answer at the end of its time, also where it waits for another request, and works afterwards', async () => {
    const orderId = await fixture.createOrder()
    fixture.provider.fail('create', 'silent')
    const endOpenings = holdOpenings()
    const answers = [renew(orderId), renew(orderId)]
    await endOpenings(2)
    for (const answer of await Promise.all(answers))
      expect(problemOf(answer)).toMatchObject({ status: 503, code: 'PAYMENT_UNAVAILABLE' })
    expect((await renew(orderId)).status).toBe(200)
  })

  it('works again after a refusal by the provider', async () => {
    const orderId = await fixture.createOrder()
    fixture.provider.fail('create', 'refused')
    expect(problemOf(await renew(orderId)).code).toBe('PAYMENT_UNAVAILABLE')
    expect((await renew(orderId)).status).toBe(200)
  })

  it('takes over from a process that died while creating the intention', async () => {
    const orderId = await fixture.createOrder()
    const dead = await startAttempt(fixture.core, {
      order_id: orderId,
      reference: `OD${orderId}-DEAD`,
      amount_halalas: 5_000,
      currency: 'SAR',
      created_at: fixture.clock.now(),
    })
    fixture.clock.advance(30 * second)
    const answer = await renew(orderId)
    expect(answer.status).toBe(200)
    // The first process was only slow: its secret must not be shown beside the new one.
    const lateAnswer = { intentionId: 'pi_late', providerOrderId: 99, clientSecret: 'late', secretUntil: 0 }
    expect(await openAttempt(fixture.core, dead?.id ?? 0, lateAnswer)).toBe(false)
    expect((await renew(orderId)).json.clientSecret).toBe(answer.json.clientSecret)
  })

  it('does not supersede an attempt that was opened in the meantime', async () => {
    const orderId = await fixture.createOrder()
    const slow = await startAttempt(fixture.core, {
      order_id: orderId,
      reference: `OD${orderId}-SLOW`,
      amount_halalas: 5_000,
      currency: 'SAR',
      created_at: fixture.clock.now(),
    })
    fixture.clock.advance(30 * second)
    // Between reading and superseding the attempt, its own process gets its answer.
    meanwhile(fixture.database, 'wins', () =>
      openAttempt(fixture.core, slow?.id ?? 0, {
        intentionId: 'pi_slow',
        providerOrderId: 77,
        clientSecret: 'slow',
        secretUntil: fixture.clock.now() + minute,
      }),
    )
    expect((await renew(orderId)).json.clientSecret).toBe('slow')
    expect(fixture.provider.intentions).toEqual([])
  })

  it('of a link with the secret of another order is refused', async () => {
    const { clientSecret } = await fixture.openOrder()
    const other = await repeatPayment(fixture.core, await fixture.createOrder())
    const body = { clientSecret }
    const ask = (orderId: number) => browser.post(`/api/orders/${orderId}/payment`, body, owner)
    expect(problemOf(await ask(other.orderId))).toMatchObject({ status: 409, code: 'PAYMENT_LINK_MISMATCH' })
  })

  it('answers for another user’s order exactly as for one that does not exist', async () => {
    const { orderId } = await fixture.openOrder()
    const theirs = problemOf(await renew(orderId, otherUser))
    const none = problemOf(await renew(999, otherUser))
    expect(theirs).toMatchObject({ status: 404, code: 'ORDER_NOT_FOUND' })
    expect({ ...theirs, requestId: '' }).toEqual({ ...none, requestId: '' })
    expect(problemOf(await renew(orderId, agent))).toMatchObject({ status: 403, code: 'WRONG_ROLE' })
    expect(problemOf(await browser.post(`/api/orders/${orderId}/payment`))).toMatchObject({ status: 401 })
  })
})

describe('reading an order', () => {
  it('finds it by its number and by each of its references', async () => {
    const { orderId, intention } = await fixture.openOrder()
    fixture.clock.advance(attemptRules.reuseMs)
    const { clientSecret } = await openPayment(fixture.core, orderId)
    const second = fixture.provider.intentionOf(clientSecret)
    for (const key of [orderId, intention.request.reference, second.request.reference])
      expect((await read(key)).json.order).toMatchObject({ orderId, status: 'PENDING_PAYMENT' })
  })

  it('finds a payment whose callback was lost', async () => {
    const { orderId, charge } = await fixture.openCharged()
    expect((await read(orderId)).json.order).toMatchObject({
      status: 'PAID',
      transactionId: String(charge.id),
    })
    expect(await listPaymentEvents(fixture.core, String(charge.id))).toMatchObject([{ source: 'inquiry' }])
  })

  it('finds a payment on a superseded attempt', async () => {
    const { orderId, intention } = await fixture.openOrder()
    fixture.clock.advance(attemptRules.reuseMs)
    await openPayment(fixture.core, orderId)
    fixture.provider.charge(intention, true)
    fixture.clock.advance(attemptRules.inquiryGapMs)
    expect((await read(orderId)).json.order).toMatchObject({ status: 'PAID' })
  })

  it('asks the provider before replacing a secret, so that a lost callback causes no second payment', async () => {
    const { orderId, intention } = await fixture.openOrder()
    fixture.provider.charge(intention, true)
    fixture.clock.advance(attemptRules.reuseMs)
    await expect(openPayment(fixture.core, orderId)).rejects.toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
    expect((await read(orderId)).json.order).toMatchObject({ status: 'PAID' })
  })

  it.each(['refused', 'cut-before', 'silent'] as const)(
    'opens no second payment while the provider does not say whether the last one was made: %s',
    async (trouble) => {
      const { orderId, intention } = await fixture.openOrder()
      fixture.provider.charge(intention, true)
      fixture.clock.advance(attemptRules.reuseMs)
      fixture.provider.fail('inquire', trouble)
      const endOpenings = holdOpenings()
      const answer = renew(orderId)
      // The provider is silent for as long as the request has.
      if (trouble === 'silent') await endOpenings(1)
      expect(problemOf(await answer)).toMatchObject({
        status: 503,
        code: 'PAYMENT_UNCHECKED',
        retryAfterSeconds: 5,
      })
      expect(fixture.provider.intentions).toHaveLength(1)
      expect(problemOf(await renew(orderId)).code).toBe('ORDER_NOT_PAYABLE')
      expect(await statusOf(orderId)).toBe('PAID')
    },
  )

  it('asks about the last secret that was shown again, also after the intention that was to replace it failed', async () => {
    const { orderId, intention } = await fixture.openOrder()
    fixture.clock.advance(attemptRules.reuseMs)
    fixture.provider.fail('create', 'refused')
    expect(problemOf(await renew(orderId)).code).toBe('PAYMENT_UNAVAILABLE')
    fixture.provider.charge(intention, true)
    expect(problemOf(await renew(orderId)).code).toBe('ORDER_NOT_PAYABLE')
    expect(fixture.provider.intentions).toHaveLength(1)
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('opens no second payment while the provider counts money that it does not report', async () => {
    const { orderId, intention, charge } = await fixture.openCharged()
    fixture.provider.charge(intention, false)
    fixture.clock.advance(attemptRules.reuseMs)
    expect(problemOf(await renew(orderId)).code).toBe('PAYMENT_UNCHECKED')
    await deliver(fixture.provider.report(charge))
    expect(problemOf(await renew(orderId)).code).toBe('ORDER_NOT_PAYABLE')
    expect(fixture.provider.intentions).toHaveLength(1)
  })

  it('answers a repeated checkout with the last secret after the order was paid', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const first = await repeatPayment(fixture.core, orderId)
    await deliver(fixture.provider.report(fixture.provider.charge(intention, true)))
    expect(await repeatPayment(fixture.core, orderId)).toEqual(first)
  })

  it('answers a repeated checkout with the last secret when an inquiry reports the payment', async () => {
    const { orderId, intention, clientSecret } = await fixture.openOrder()
    fixture.provider.charge(intention, true)
    fixture.clock.advance(attemptRules.reuseMs)
    expect(await repeatPayment(fixture.core, orderId)).toMatchObject({ orderId, clientSecret })
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('asks the provider at most once in four seconds', async () => {
    const { orderId } = await fixture.openOrder()
    for (let count = 0; count < 5; count += 1) await read(orderId)
    await atOnce(20, () => read(orderId))
    expect(fixture.provider.inquiries).toHaveLength(1)
    fixture.clock.advance(attemptRules.inquiryGapMs - 1)
    await read(orderId)
    expect(fixture.provider.inquiries).toHaveLength(1)
    fixture.clock.advance(1)
    await read(orderId)
    expect(fixture.provider.inquiries).toHaveLength(2)
  })

  it('does not ask the provider about an order that is not unpaid', async () => {
    const { orderId, intention } = await fixture.openOrder()
    await deliver(fixture.provider.report(fixture.provider.charge(intention, true)))
    await read(orderId)
    expect(fixture.provider.inquiries).toEqual([])
  })

  it.each(['refused', 'cut-before'] as const)(
    'returns the order as stored when the provider fails: %s',
    async (trouble) => {
      const { orderId, intention } = await fixture.openOrder()
      fixture.provider.charge(intention, true)
      fixture.provider.fail('inquire', trouble)
      expect(await read(orderId)).toMatchObject({
        status: 200,
        json: { order: { status: 'PENDING_PAYMENT' } },
      })
      fixture.clock.advance(5 * second)
      expect((await read(orderId)).json.order).toMatchObject({ status: 'PAID' })
    },
  )

  it('asks the provider for no one but its owner and its agent', async () => {
    const { orderId, intention } = await fixture.openOrder()
    for (const principal of [otherUser, otherAgent])
      for (const key of [orderId, intention.request.reference])
        expect(problemOf(await read(key, principal)).code).toBe('ORDER_NOT_FOUND')
    expect(fixture.provider.inquiries).toEqual([])
  })

  it.each(['0', '007', '99999999999999999', 'OD1'])('finds no order under %s', async (key) => {
    expect(problemOf(await read(key))).toMatchObject({ status: 404, code: 'ORDER_NOT_FOUND' })
  })
})
