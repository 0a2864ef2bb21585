import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { day, minute, second } from '#test/kit/clock.ts'
import { type Charge, type MoneyRoom, openMoneyRoom } from '#test/kit/money-room.ts'
import {
  headerScope,
  openBrowser,
  openRoomApp,
  problemOf,
  refusedFieldsOf,
  type TestBrowser,
} from '#test/kit/room-app.ts'
import { paymentsRoutes } from './payments.routes.ts'
import { attemptRules, type PaymentReport } from './payments.rules.ts'
import { paymentsWebhook } from './payments.webhook.ts'

let room: MoneyRoom
let browser: TestBrowser
beforeEach(async () => {
  room = await openMoneyRoom()
  const app = await openRoomApp((app) => {
    paymentsRoutes(app, headerScope, room.payments)
    paymentsWebhook(app, headerScope, room.payments)
  })
  browser = openBrowser(app)
})
afterEach(() => room.close())

const header = (caller: object) => ({ 'x-caller': JSON.stringify(caller) })
/** The one pilgrim of the room, another pilgrim, the agent of every order, and another agent. */
const owner = header({ role: 'user', userId: 1 })
const stranger = header({ role: 'user', userId: 2 })
const agent = header({ role: 'agent', agentId: 5, partnerAgentId: 'A1' })
const otherAgent = header({ role: 'agent', agentId: 6, partnerAgentId: 'A2' })

const read = (key: number | string, caller = owner) => browser.get(`/api/orders/${key}`, caller)
const renew = (orderId: number, caller = owner) => browser.post(`/api/orders/${orderId}/payment`, {}, caller)
const statusOf = async (orderId: number) => (await room.orders.findPayable(orderId))?.status
const eventsOf = async (charge: Charge) =>
  (await room.paymentsStore.listEvents(String(charge.id))).map(({ kind, outcome }) => `${kind} ${outcome}`)

/** In the money room a report stands for a signed callback. */
const deliver = (report: PaymentReport) => browser.post('/api/payments/callback?hmac=signed', report)

async function place() {
  const orderId = await room.place()
  const { clientSecret } = await room.payments.open(orderId)
  return { orderId, intention: room.provider.intentionOf(clientSecret), clientSecret }
}

describe('a callback', () => {
  it('of a success pays the order and queues its booking', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    const answer = await deliver(room.provider.report(charge))
    expect(answer).toMatchObject({ status: 200, json: { success: true } })
    expect((await read(orderId)).json.order).toMatchObject({
      orderId,
      status: 'PAID',
      transactionId: String(charge.id),
    })
    await room.ship()
    expect(room.partner.shipments).toHaveLength(1)
  })

  it('that comes twenty times at once has one effect and twenty good answers', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    const report = room.provider.report(charge)
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(report)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await statusOf(orderId)).toBe('PAID')
    expect(await eventsOf(charge)).toEqual(['succeeded applied'])
  })

  it.each<[string, Partial<PaymentReport>]>([
    ['a halala too little', { amountHalalas: 4_999 }],
    ['a halala too much', { amountHalalas: 5_001 }],
    ['another currency', { currency: 'EGP' }],
  ])('of %s is taken down and pays nothing', async (_, change) => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    expect((await deliver({ ...room.provider.report(charge), ...change })).status).toBe(200)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    expect(await eventsOf(charge)).toEqual(['succeeded amount-mismatch'])
    await room.ship()
    expect(room.partner.shipments).toEqual([])
  })

  it('that names another reference pays nothing, and does not stand in the way of the true one', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    const report = room.provider.report(charge)
    await deliver({ ...report, merchantReference: 'OD1-SOMEBODY-ELSE' })
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    expect(await eventsOf(charge)).toEqual(['succeeded reference-mismatch'])
    await deliver(report)
    expect(await statusOf(orderId)).toBe('PAID')
    expect(await eventsOf(charge)).toEqual(['succeeded applied'])
  })

  it('without a reference is taken by the provider’s own order number', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    await deliver({ ...room.provider.report(charge), merchantReference: null })
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('about an order nobody knows is kept, answered well, and changes nothing', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    const answer = await deliver({ ...room.provider.report(charge), providerOrderId: 42 })
    expect(answer.status).toBe(200)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    expect(await eventsOf(charge)).toEqual(['succeeded unknown-order'])
  })

  it.each(['failed', 'pending', 'captured'] as const)(
    'of the kind %s is taken down and changes nothing',
    async (kind) => {
      const { orderId, intention } = await place()
      const charge = room.provider.charge(intention, false)
      await deliver(room.provider.report(charge, kind))
      expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
      expect(await eventsOf(charge)).toEqual([`${kind} noted`])
    },
  )

  it('of a success after a decline pays the order on the same secret', async () => {
    const { orderId, intention, clientSecret } = await place()
    await deliver(room.provider.report(room.provider.charge(intention, false)))
    expect((await renew(orderId)).json.clientSecret).toBe(clientSecret)
    await deliver(room.provider.report(room.provider.charge(intention, true)))
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('of a decline after a success takes nothing back', async () => {
    const { orderId, intention } = await place()
    const success = room.provider.charge(intention, true)
    await deliver(room.provider.report(success))
    await deliver(room.provider.report(room.provider.charge(intention, false)))
    await deliver(room.provider.report(success, 'failed'))
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('of a second payment leaves the first and orders the second back, once', async () => {
    const { orderId, intention } = await place()
    const [first, second] = [room.provider.charge(intention, true), room.provider.charge(intention, true)]
    await deliver(room.provider.report(first))
    await deliver(room.provider.report(second))
    await deliver(room.provider.report(second))
    expect((await read(orderId)).json.order).toMatchObject({
      status: 'PAID',
      transactionId: String(first.id),
    })
    expect(await eventsOf(second)).toEqual(['succeeded second-payment'])
    await room.giveBack()
    expect(room.provider.refundsAsked).toEqual([String(second.id)])
    expect(first.refundedHalalas).toBe(0)
  })

  it('of a part going back leaves the order paid, and of the rest takes it back', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    await deliver(room.provider.report(charge))
    charge.refundedHalalas = charge.amountHalalas - 100
    await deliver(room.provider.report(charge))
    expect(await statusOf(orderId)).toBe('PAID')
    charge.refundedHalalas = charge.amountHalalas
    await deliver(room.provider.report(charge))
    expect(await statusOf(orderId)).toBe('REFUNDED')
  })

  it.each(['refunded', 'voided'] as const)('of the payment being %s takes the order back', async (kind) => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    await deliver(room.provider.report(charge))
    await deliver(room.provider.report(charge, kind))
    expect((await read(orderId)).json.order).toMatchObject({
      status: 'REFUNDED',
      transactionId: String(charge.id),
    })
    await room.ship()
    expect(room.partner.shipments).toEqual([])
  })

  it('of a refund that overtook its payment ends with the money gone back and nothing shipped', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    await deliver(room.provider.report(charge, 'refunded'))
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await deliver(room.provider.report(charge, 'succeeded'))
    expect(await statusOf(orderId)).toBe('REFUNDED')
    await room.ship()
    expect(room.partner.shipments).toEqual([])
  })

  it('of a payment and of its refund at once never ends paid', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    await Promise.all([
      deliver(room.provider.report(charge, 'succeeded')),
      deliver(room.provider.report(charge, 'refunded')),
    ])
    expect(await statusOf(orderId)).toBe('REFUNDED')
  })

  it('of a refund of the second payment leaves the order paid', async () => {
    const { orderId, intention } = await place()
    const [first, second] = [room.provider.charge(intention, true), room.provider.charge(intention, true)]
    await deliver(room.provider.report(first))
    await deliver(room.provider.report(second))
    await deliver(room.provider.report(second, 'refunded'))
    expect(await statusOf(orderId)).toBe('PAID')
    await room.giveBack()
    expect(room.provider.refundsAsked).toEqual([])
  })

  it('that comes late, on a payment that was opened anew since, still pays', async () => {
    const { orderId, intention } = await place()
    room.clock.advance(attemptRules.reuseMs)
    await renew(orderId)
    const charge = room.provider.charge(intention, true)
    room.clock.advance(day)
    await deliver(room.provider.report(charge))
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('revives an order that has expired: the pilgrim paid and the bag can still be carried', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    await room.orders.markExpired(orderId)
    await deliver(room.provider.report(charge))
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it.each(['forged', 'unreadable'] as const)('that is %s is refused and leaves no trace', async (outcome) => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    Object.assign(room.provider, { readCallback: () => ({ outcome }) })
    expect(problemOf(await deliver(room.provider.report(charge)))).toMatchObject({
      status: 401,
      code: 'CALLBACK_REFUSED',
    })
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    expect(await eventsOf(charge)).toEqual([])
  })

  it('that is none of our concern is acknowledged', async () => {
    const { orderId, intention } = await place()
    Object.assign(room.provider, { readCallback: () => ({ outcome: 'acknowledged', type: 'TOKEN' }) })
    const answer = await deliver(room.provider.report(room.provider.charge(intention, true)))
    expect(answer).toMatchObject({ status: 200, json: { success: true } })
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
  })

  it('that cannot be stored is not answered well, so that it comes again', async () => {
    const { orderId, intention } = await place()
    const report = room.provider.report(room.provider.charge(intention, true))
    const { addEvent } = room.paymentsStore
    Object.assign(room.paymentsStore, {
      addEvent: async () => {
        throw new Error('disk full')
      },
    })
    expect((await deliver(report)).status).toBe(500)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    Object.assign(room.paymentsStore, { addEvent })
    expect((await deliver(report)).status).toBe(200)
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('is kept whole or not at all: an order that cannot be paid leaves no event behind', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    const { markPaid } = room.orders
    Object.assign(room.orders, {
      markPaid: async () => {
        throw new Error('the database went away')
      },
    })
    expect((await deliver(room.provider.report(charge))).status).toBe(500)
    expect(await eventsOf(charge)).toEqual([])
    Object.assign(room.orders, { markPaid })
    await deliver(room.provider.report(charge))
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it.each([
    ['with no body', undefined, '', 401],
    ['with a signature too long to be one', {}, `?hmac=${'a'.repeat(300)}`, 400],
  ])('%s is refused', async (_, body, query, status) => {
    Object.assign(room.provider, { readCallback: () => ({ outcome: 'unreadable' }) })
    expect((await browser.post(`/api/payments/callback${query}`, body)).status).toBe(status)
  })
})

describe('opening a payment', () => {
  it('answers what the widget opens with', async () => {
    const orderId = await room.place()
    const answer = await renew(orderId)
    const [intention] = room.provider.intentions
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

  it('answers the same secret while it is young, and a new one under a new reference when it is old', async () => {
    const { orderId, clientSecret } = await place()
    room.clock.advance(attemptRules.reuseMs - 1)
    expect((await renew(orderId)).json.clientSecret).toBe(clientSecret)
    room.clock.advance(1)
    const renewed = await renew(orderId)
    expect(renewed.json.clientSecret).not.toBe(clientSecret)
    const [first, second] = room.provider.intentions
    expect(first?.request.reference).not.toBe(second?.request.reference)
  })

  it('asks the provider once when twenty ask at once', async () => {
    const orderId = await room.place()
    const answers = await Promise.all(Array.from({ length: 20 }, () => renew(orderId)))
    expect(new Set(answers.map(({ json }) => json.clientSecret)).size).toBe(1)
    expect(room.provider.intentions).toHaveLength(1)
  })

  it.each(['cut-before', 'cut-after'] as const)(
    'shows no secret of an intention whose answer was lost (%s), and opens another under a new reference',
    async (trouble) => {
      const orderId = await room.place()
      room.provider.fail('create', trouble)
      const answer = await renew(orderId)
      expect(problemOf(answer)).toMatchObject({
        status: 503,
        code: 'PAYMENT_UNAVAILABLE',
        retryAfterSeconds: 5,
      })
      const again = await renew(orderId)
      const newest = room.provider.intentions.at(-1)
      expect(again.json.clientSecret).toBe(newest?.clientSecret)
      const references = room.provider.intentions.map(({ request }) => request.reference)
      expect(new Set(references).size).toBe(references.length)
    },
  )

  it('goes on after a refusal of the provider', async () => {
    const orderId = await room.place()
    room.provider.fail('create', 'refused')
    expect(problemOf(await renew(orderId)).code).toBe('PAYMENT_UNAVAILABLE')
    expect((await renew(orderId)).status).toBe(200)
  })

  it('takes over from a process that died while it asked the provider', async () => {
    const orderId = await room.place()
    const dead = await room.paymentsStore.startAttempt({
      order_id: orderId,
      reference: `OD${orderId}-DEAD`,
      amount_halalas: 5_000,
      currency: 'SAR',
      created_at: room.clock.now(),
    })
    room.clock.advance(attemptRules.creatingMs)
    const answer = await renew(orderId)
    expect(answer.status).toBe(200)
    // The dead process wakes up after all: its secret is not shown beside the new one.
    const woken = { intentionId: 'pi_late', providerOrderId: 99, clientSecret: 'late', secretUntil: 0 }
    expect(await room.paymentsStore.openAttempt(dead?.id ?? 0, woken)).toBe(false)
    expect((await renew(orderId)).json.clientSecret).toBe(answer.json.clientSecret)
  })

  it('does not give up a payment that was opened while it was being judged', async () => {
    const orderId = await room.place()
    const slow = await room.paymentsStore.startAttempt({
      order_id: orderId,
      reference: `OD${orderId}-SLOW`,
      amount_halalas: 5_000,
      currency: 'SAR',
      created_at: room.clock.now(),
    })
    room.clock.advance(attemptRules.creatingMs)
    // Between the look at the attempt and the decision about it, its own process gets its answer.
    const { findLiveAttempt } = room.paymentsStore
    Object.assign(room.paymentsStore, {
      findLiveAttempt: async (id: number) => {
        Object.assign(room.paymentsStore, { findLiveAttempt })
        const seen = await findLiveAttempt(id)
        await room.paymentsStore.openAttempt(slow?.id ?? 0, {
          intentionId: 'pi_slow',
          providerOrderId: 77,
          clientSecret: 'slow',
          secretUntil: room.clock.now() + minute,
        })
        return seen
      },
    })
    expect((await renew(orderId)).json.clientSecret).toBe('slow')
    expect(room.provider.intentions).toEqual([])
  })

  it.each(['PAID', 'REFUNDED', 'EXPIRED'] as const)('is refused for an order that is %s', async (status) => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    if (status === 'EXPIRED') await room.orders.markExpired(orderId)
    else await deliver(room.provider.report(charge))
    if (status === 'REFUNDED') await deliver(room.provider.report(charge, 'refunded'))
    expect(problemOf(await renew(orderId))).toMatchObject({ status: 409, code: 'ORDER_NOT_PAYABLE' })
  })

  it('is for the owner: somebody else’s order answers exactly like one that does not exist', async () => {
    const { orderId } = await place()
    const theirs = problemOf(await renew(orderId, stranger))
    const none = problemOf(await renew(999, stranger))
    expect(theirs).toMatchObject({ status: 404, code: 'ORDER_NOT_FOUND' })
    expect({ ...theirs, requestId: '' }).toEqual({ ...none, requestId: '' })
    expect(problemOf(await renew(orderId, agent))).toMatchObject({ status: 403, code: 'WRONG_ROLE' })
    expect(problemOf(await browser.post(`/api/orders/${orderId}/payment`))).toMatchObject({ status: 401 })
  })

  it('takes no field, and no number that is none', async () => {
    const { orderId } = await place()
    const answer = await browser.post(`/api/orders/${orderId}/payment`, { amount: 1 }, owner)
    expect(problemOf(answer).code).toBe('INVALID_REQUEST')
    expect(refusedFieldsOf(await browser.post('/api/orders/OD1/payment', {}, owner))).toEqual(['id'])
  })
})

describe('reading an order', () => {
  it('finds it by its number and by every reference that was issued for it', async () => {
    const { orderId, intention } = await place()
    room.clock.advance(attemptRules.reuseMs)
    const { clientSecret } = await room.payments.open(orderId)
    const second = room.provider.intentionOf(clientSecret)
    for (const key of [orderId, intention.request.reference, second.request.reference])
      expect((await read(key)).json.order).toMatchObject({ orderId, status: 'PENDING_PAYMENT' })
  })

  it('finds a payment whose callback is lost', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    expect((await read(orderId)).json.order).toMatchObject({
      status: 'PAID',
      transactionId: String(charge.id),
    })
    expect(await room.paymentsStore.listEvents(String(charge.id))).toMatchObject([{ source: 'inquiry' }])
  })

  it('finds it on a payment that was opened anew since, too', async () => {
    const { orderId, intention } = await place()
    room.clock.advance(attemptRules.reuseMs)
    await room.payments.open(orderId)
    room.provider.charge(intention, true)
    room.clock.advance(attemptRules.inquiryGapMs)
    expect((await read(orderId)).json.order).toMatchObject({ status: 'PAID' })
  })

  it('asks the provider before it replaces a secret, so that a lost callback makes no second payment', async () => {
    const { orderId, intention } = await place()
    room.provider.charge(intention, true)
    room.clock.advance(attemptRules.reuseMs)
    await expect(room.payments.open(orderId)).rejects.toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
    expect((await read(orderId)).json.order).toMatchObject({ status: 'PAID' })
  })

  it('answers a repeated checkout with its last secret after the order was paid', async () => {
    const { orderId, intention } = await place()
    const first = await room.payments.repeat(orderId)
    await deliver(room.provider.report(room.provider.charge(intention, true)))
    expect(await room.payments.repeat(orderId)).toEqual(first)
  })

  it('answers a repeated checkout with its last secret when only asking shows that the order is paid', async () => {
    const { orderId, intention, clientSecret } = await place()
    room.provider.charge(intention, true)
    room.clock.advance(attemptRules.reuseMs)
    expect(await room.payments.repeat(orderId)).toMatchObject({ orderId, clientSecret })
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('refuses a repeated checkout of an order that expired or whose money went back', async () => {
    const expired = await place()
    await room.orders.markExpired(expired.orderId)
    const refunded = await place()
    const charge = room.provider.charge(refunded.intention, true)
    await deliver(room.provider.report(charge))
    await room.orders.markRefunded(refunded.orderId, String(charge.id))
    for (const { orderId } of [expired, refunded])
      await expect(room.payments.repeat(orderId)).rejects.toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
  })

  it('asks the provider at most once in four seconds, however often the page asks', async () => {
    const { orderId } = await place()
    for (let count = 0; count < 5; count += 1) await read(orderId)
    await Promise.all(Array.from({ length: 20 }, () => read(orderId)))
    expect(room.provider.inquiries).toHaveLength(1)
    room.clock.advance(attemptRules.inquiryGapMs - 1)
    await read(orderId)
    expect(room.provider.inquiries).toHaveLength(1)
    room.clock.advance(1)
    await read(orderId)
    expect(room.provider.inquiries).toHaveLength(2)
  })

  it('asks nothing about an order that waits for nothing', async () => {
    const { orderId, intention } = await place()
    await deliver(room.provider.report(room.provider.charge(intention, true)))
    await read(orderId)
    expect(room.provider.inquiries).toEqual([])
  })

  it.each(['refused', 'cut-before'] as const)(
    'shows the order as it stands when the provider fails: %s',
    async (trouble) => {
      const { orderId, intention } = await place()
      room.provider.charge(intention, true)
      room.provider.fail('inquire', trouble)
      expect(await read(orderId)).toMatchObject({
        status: 200,
        json: { order: { status: 'PENDING_PAYMENT' } },
      })
      room.clock.advance(5 * second)
      expect((await read(orderId)).json.order).toMatchObject({ status: 'PAID' })
    },
  )

  it('does not believe an inquiry about another amount', async () => {
    const { orderId, intention } = await place()
    room.provider.charge(intention, true, 4_999)
    expect((await read(orderId)).json.order).toMatchObject({ status: 'PENDING_PAYMENT' })
  })

  it('takes the same payment by callback and by inquiry once', async () => {
    const { orderId, intention } = await place()
    const charge = room.provider.charge(intention, true)
    await Promise.all([read(orderId), deliver(room.provider.report(charge)), read(orderId)])
    expect(await statusOf(orderId)).toBe('PAID')
    expect(await eventsOf(charge)).toEqual(['succeeded applied'])
  })

  it('is for the owner, and for the agent once it is paid, with the customer’s name and phone', async () => {
    const { orderId, intention } = await place()
    expect(problemOf(await read(orderId, agent))).toMatchObject({ status: 404, code: 'ORDER_NOT_FOUND' })
    await deliver(room.provider.report(room.provider.charge(intention, true)))
    expect((await read(orderId, owner)).json.order).not.toHaveProperty('user')
    expect((await read(orderId, agent)).json.order).toMatchObject({
      orderId,
      user: { name: 'Maryam', phone: '+966550000001' },
    })
  })

  it('of somebody else answers exactly like one that does not exist, and asks nobody about it', async () => {
    const { orderId, intention } = await place()
    for (const caller of [stranger, otherAgent])
      for (const key of [orderId, intention.request.reference]) {
        const theirs = problemOf(await read(key, caller))
        const none = problemOf(await read('999', caller))
        expect(theirs).toMatchObject({ status: 404, code: 'ORDER_NOT_FOUND' })
        expect({ ...theirs, requestId: '' }).toEqual({ ...none, requestId: '' })
      }
    expect(room.provider.inquiries).toEqual([])
    expect(problemOf(await read(orderId, {} as never))).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' })
  })

  it.each(['OD_1', 'a%20b', '%D9%A1', 'x'.repeat(65)])('has no key like %s', async (key) => {
    expect(refusedFieldsOf(await read(key))).toEqual(['id'])
  })

  it.each(['0', '007', '99999999999999999', 'OD1'])('finds nothing under %s', async (key) => {
    expect(problemOf(await read(key))).toMatchObject({ status: 404, code: 'ORDER_NOT_FOUND' })
  })
})
