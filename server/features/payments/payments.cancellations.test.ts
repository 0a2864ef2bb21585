import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readOrderFor } from '#server/features/order-views/order-views.ts'
import { countStopped, findBookings } from '#server/features/orders/bookings.queries.ts'
import { listUnused } from '#server/features/orders/cancellation.ts'
import { findKey } from '#server/features/orders/order-creation.queries.ts'
import { markExpired, resumeCarriage, stopCarriage } from '#server/features/orders/orders.queries.ts'
import { findPayable } from '#server/features/orders/orders.ts'
import { hour, minute, second } from '#test/kit/basics/clock.ts'
import { compensateWithin } from '#test/kit/orders/claims.ts'
import { type Charge, openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { findLiveAttempt } from './attempts.queries.ts'
import { receiveCallback } from './callbacks.ts'
import { cancelOrder, cancelWithin } from './cancellations.ts'
import { openPayment, renewPayment, repeatPayment } from './intentions.ts'
import { attemptRules, type PaymentReport } from './payments.rules.ts'
import { markRefundDone, readOpenRefunds } from './refunds.queries.ts'

/** Cancelled orders and their money. */

let fixture: PaymentFixture
beforeEach(async () => {
  fixture = await openPaymentFixture()
})
afterEach(() => fixture.close())

const owner = { role: 'user', userId: 1 } as const
const system = { kind: 'system' } as const

const receive = (charge: Charge, change: Partial<PaymentReport> = {}) =>
  receiveCallback(fixture.core, { ...fixture.provider.report(charge), ...change }, 'signed')
const orderOf = (orderId: number) => readOrderFor(fixture.core, owner, orderId)

/** Records a compensation of a claim about the order. */
async function compensate(orderId: number, halalas: number): Promise<void> {
  const [booking] = await findBookings(fixture.core, [orderId])
  const bag = { userId: 1, orderId, bookingId: booking?.id ?? 0 }
  await fixture.database.transaction(() => compensateWithin(fixture.core, bag, halalas, fixture.clock.now()))
}

const cancel = (orderId: number, key?: string) => cancelOrder(fixture.core, 1, orderId, key)

describe('a paid order', () => {
  it('is cancelled at once, and refunded when the money is back', async () => {
    const { orderId, charge } = await fixture.openPaid()
    expect(await orderOf(orderId)).toMatchObject({ status: 'PAID', cancellable: true })
    await cancel(orderId)
    const refund = { state: 'pending', amount: 50, reason: 'cancelled' }
    expect(await orderOf(orderId)).toMatchObject({
      status: 'CANCELLED',
      payable: false,
      cancellable: false,
      refund,
      bookings: [{ awb: null, state: 'CANCELLED', events: [{ kind: 'cancelled', source: 'system' }] }],
    })
    await fixture.refundFor(5 * second)
    expect(charge.refundedHalalas).toBe(5_000)
    expect(fixture.provider.refundsAsked).toEqual([String(charge.id)])
    // No callback about the refund has come: reading the transaction is enough.
    expect(await orderOf(orderId)).toMatchObject({ status: 'REFUNDED', refund: { ...refund, state: 'done' } })
    await fixture.ship()
    expect(fixture.partner.shipments).toEqual([])
  })

  it('has all its dates from the database where the clock of the gateway is two hours ahead', async () => {
    const { database, clock } = fixture
    const paidAt = clock.now() - 2 * hour
    database.setAhead(-2 * hour)
    const { orderId } = await fixture.openPaid()
    clock.advance(minute)
    await cancel(orderId)
    await fixture.refundFor(5 * second)
    const [order] = await database.tables
      .selectFrom('orders')
      .select(['paid_at', 'ended', 'ended_at'])
      .execute()
    const receipts = await database.tables
      .selectFrom('receipts')
      .select('issued_at')
      .orderBy('number')
      .execute()
    const [refund] = await database.tables.selectFrom('refunds').select('done_at').execute()
    const doneAt = refund?.done_at ?? 0
    expect(doneAt - paidAt - minute).toBeOneOf([1, 2, 3, 4, 5].map((seconds) => seconds * second))
    expect(order).toEqual({ paid_at: paidAt, ended: 'cancelled', ended_at: paidAt + minute })
    expect(receipts).toEqual([{ issued_at: paidAt }, { issued_at: doneAt }])
  })

  it('is refunded by the provider’s own report as well, and once', async () => {
    const { orderId, charge } = await fixture.openPaid()
    await cancel(orderId)
    await fixture.refund()
    await receive(charge)
    expect(await orderOf(orderId)).toMatchObject({ status: 'REFUNDED', refund: { state: 'done' } })
    await fixture.refundFor(minute)
    expect(fixture.provider.refundsAsked).toEqual([String(charge.id)])
    expect(await fixture.eventsOf(charge)).toEqual(['succeeded applied', 'refunded applied'])
  })

  it('that an operator refunds before the worker does is refunded once', async () => {
    const { orderId, charge } = await fixture.openPaid()
    await cancel(orderId)
    fixture.provider.reverse(charge)
    await fixture.refundFor(minute)
    expect(fixture.provider.refundsAsked).toEqual([])
    expect(await orderOf(orderId)).toMatchObject({
      status: 'REFUNDED',
      refund: { state: 'done', amount: 50, reason: 'cancelled' },
    })
  })

  it('that was paid twice gets both payments back', async () => {
    const { orderId, charge, intention } = await fixture.openPaid()
    await cancel(orderId)
    const other = fixture.provider.charge(intention, true)
    await receive(other)
    await fixture.refundFor(10 * second)
    expect([charge.refundedHalalas, other.refundedHalalas]).toEqual([5_000, 5_000])
    expect((await orderOf(orderId)).status).toBe('REFUNDED')
  })

  it('is cancelled once, however often it is asked for', async () => {
    const { orderId, charge } = await fixture.openPaid()
    await Promise.all([
      cancel(orderId),
      cancel(orderId),
      cancel(orderId, 'key-of-the-first'),
      cancel(orderId),
    ])
    await fixture.refundFor(10 * second)
    await cancel(orderId)
    expect(fixture.provider.refundsAsked).toEqual([String(charge.id)])
    expect((await orderOf(orderId)).status).toBe('REFUNDED')
  })

  it('whose refund was written off is cancelled with a new refund, which goes back', async () => {
    const { orderId, charge } = await fixture.openPaid()
    await fixture.orderRefund(charge)
    await fixture.writeOff(charge)
    expect(await orderOf(orderId)).toMatchObject({ status: 'PAID', cancellable: true })
    expect((await orderOf(orderId)).refund).toBeUndefined()
    await cancel(orderId)
    expect(await orderOf(orderId)).toMatchObject({
      status: 'CANCELLED',
      refund: { state: 'pending', amount: 50, reason: 'cancelled' },
    })
    await fixture.refundFor(minute)
    expect(charge.refundedHalalas).toBe(5_000)
    expect(await orderOf(orderId)).toMatchObject({ status: 'REFUNDED', refund: { state: 'done' } })
  })

  it('no money of which is left to return is not cancelled, and says why', async () => {
    const { orderId, charge } = await fixture.openPaid()
    await fixture.orderRefund(charge)
    await fixture.database.transaction(() =>
      markRefundDone(fixture.core, String(charge.id), fixture.clock.now()),
    )
    await expect(cancel(orderId)).rejects.toMatchObject({
      code: 'ORDER_NOT_CANCELLABLE',
      details: { values: { why: { en: expect.stringContaining('left to return') } } },
    })
    expect((await orderOf(orderId)).status).toBe('PAID')
  })

  it('for which a compensation was promised is not cancelled by its owner, who reads the sum', async () => {
    const { orderId } = await fixture.openPaid()
    await compensate(orderId, 3_000)
    expect(await orderOf(orderId)).toMatchObject({ status: 'PAID', cancellable: false })
    await expect(cancel(orderId)).rejects.toMatchObject({
      code: 'ORDER_NOT_CANCELLABLE',
      details: { values: { why: { en: expect.stringMatching(/promised you .*30\.00/) } } },
    })
    expect((await readOpenRefunds(fixture.core)).count).toBe(0)
    const [unused] = await listUnused(fixture.core, 1)
    expect(unused).toMatchObject({ orderId, cancellable: false })
    await fixture.database.transaction(() =>
      cancelWithin(fixture.core, 1, orderId, { isApproved: true, by: system }),
    )
    expect((await orderOf(orderId)).status).toBe('CANCELLED')
  })
})

describe('a key', () => {
  it('repeats its cancellation, and is refused for another order', async () => {
    const first = await fixture.openPaid()
    const other = await fixture.openPaid()
    await cancel(first.orderId, 'one-intention')
    await cancel(first.orderId, 'one-intention')
    await expect(cancel(other.orderId, 'one-intention')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
    expect((await orderOf(other.orderId)).status).toBe('PAID')
  })

  it('of a cancellation that changed nothing is not kept, and compared all the same', async () => {
    const first = await fixture.openPaid()
    const other = await fixture.openPaid()
    await cancel(first.orderId, 'one-intention')
    await cancel(other.orderId, 'another')
    await cancel(first.orderId, 'again')
    const user = (await findPayable(fixture.core, first.orderId))?.userId ?? 0
    expect(await findKey(fixture.core, user, 'one-intention')).toBeDefined()
    expect(await findKey(fixture.core, user, 'again')).toBeUndefined()
    await expect(cancel(first.orderId, 'another')).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  })

  it('of a refused cancellation is not used up', async () => {
    const { orderId } = await fixture.openOrder()
    await markExpired(fixture.core, orderId)
    await expect(cancel(orderId, 'one-intention')).rejects.toMatchObject({ code: 'ORDER_NOT_CANCELLABLE' })
    const other = await fixture.openPaid()
    await cancel(other.orderId, 'one-intention')
    expect((await orderOf(other.orderId)).status).toBe('CANCELLED')
  })
})

describe('an unpaid order', () => {
  it('is dropped, and its card page refused', async () => {
    const { orderId, clientSecret } = await fixture.openOrder()
    await cancel(orderId)
    expect(await orderOf(orderId)).toMatchObject({ status: 'CANCELLED', payable: false })
    expect(await orderOf(orderId)).not.toHaveProperty('refund')
    for (const open of [
      openPayment(fixture.core, orderId),
      repeatPayment(fixture.core, orderId),
      renewPayment(fixture.core, 1, orderId, clientSecret),
    ])
      await expect(open).rejects.toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
    expect(await findLiveAttempt(fixture.core, orderId)).toBeUndefined()
  })

  it('is seen by its owner alone; a cancelled order that was paid by its agent, too', async () => {
    const agent = { role: 'agent', agentId: 5, partnerAgentId: 'A1' } as const
    const paid = await fixture.openPaid()
    const { orderId } = await fixture.openOrder()
    for (const id of [paid.orderId, orderId]) await cancel(id)
    expect(await readOrderFor(fixture.core, agent, paid.orderId)).toMatchObject({ status: 'CANCELLED' })
    await expect(readOrderFor(fixture.core, agent, orderId)).rejects.toMatchObject({
      code: 'ORDER_NOT_FOUND',
    })
  })

  it('whose payment is never reported is asked about at once', async () => {
    const { orderId, intention } = await fixture.openOrder()
    fixture.clock.advance(attemptRules.inquiryGapMs)
    const charge = fixture.provider.charge(intention, true)
    await cancel(orderId)
    await fixture.sweep()
    await fixture.refundFor(5 * second)
    expect(charge.refundedHalalas).toBe(5_000)
    expect((await orderOf(orderId)).status).toBe('REFUNDED')
  })

  it('whose payment is made on the last minute of its secret is found by the schedule', async () => {
    const { orderId, intention } = await fixture.openOrder()
    await cancel(orderId)
    await fixture.sweep()
    fixture.clock.advance(59 * minute)
    const charge = fixture.provider.charge(intention, true)
    for (let passed = 0; passed < 2 * hour; passed += 5 * minute) {
      fixture.clock.advance(5 * minute)
      await fixture.sweep()
      await fixture.refund()
    }
    expect(charge.refundedHalalas).toBe(5_000)
    expect((await orderOf(orderId)).status).toBe('REFUNDED')
  })

  it('whose payment and refund are reported in the wrong order ends refunded', async () => {
    const { orderId, intention } = await fixture.openOrder()
    await cancel(orderId)
    const charge = fixture.provider.charge(intention, true)
    fixture.provider.reverse(charge)
    await receive(charge)
    expect((await orderOf(orderId)).status).toBe('REFUNDED')
    await receive(charge, { kind: 'succeeded', refundedHalalas: 0 })
    await fixture.refundFor(minute)
    expect(fixture.provider.refundsAsked).toEqual([])
    expect(await orderOf(orderId)).toMatchObject({ status: 'REFUNDED', refund: { state: 'done' } })
  })

  it('gets a wrong amount back, too', async () => {
    const { orderId, intention } = await fixture.openOrder()
    await cancel(orderId)
    const wrong = fixture.provider.charge(intention, true, 4_900)
    await receive(wrong)
    await fixture.refundFor(5 * second)
    expect(wrong.refundedHalalas).toBe(4_900)
    expect(await orderOf(orderId)).toMatchObject({
      status: 'CANCELLED',
      refund: { state: 'done', amount: 49 },
    })
  })

  it('is not expired, and no payment that began earlier is opened for it', async () => {
    const { orderId } = await fixture.openOrder()
    await cancel(orderId)
    for (let passed = 0; passed < 2 * hour; passed += 5 * minute) {
      fixture.clock.advance(5 * minute)
      await fixture.sweep()
    }
    expect((await orderOf(orderId)).status).toBe('CANCELLED')
  })
})

describe('the shipment of a cancelled order', () => {
  it('whose creation never reached the partner ends without one, and stops for no operator', async () => {
    const { orderId } = await fixture.openPaid()
    fixture.partner.fail('create', 'cut-before')
    await fixture.ship()
    await cancel(orderId)
    for (let passed = 0; passed < 5 * minute; passed += 10 * second) {
      fixture.clock.advance(10 * second)
      await fixture.ship()
    }
    expect(fixture.partner.shipments).toEqual([])
    expect(await countStopped(fixture.core)).toBe(0)
    expect(await findBookings(fixture.core, [orderId])).toMatchObject([{ state: 'canceled' }])
  })
})

describe('the shipment of an order whose refund is written off', () => {
  it('is announced once where its number was found while the bag was void', async () => {
    const { orderId, charge } = await fixture.openPaid()
    // The partner made it, and its answer was lost.
    fixture.partner.fail('create', 'cut-after')
    await fixture.ship()
    await fixture.orderRefund(charge)
    await fixture.database.transaction(() => stopCarriage(fixture.core, orderId, fixture.clock.now()))
    fixture.clock.advance(5 * minute)
    await fixture.ship()
    const awb = fixture.partner.shipments[0]?.awb
    expect((await orderOf(orderId)).bookings).toMatchObject([{ awb, state: 'CANCELLED' }])
    expect(await fixture.listSms()).toMatchObject([
      { kind: 'paid', order_id: orderId, held_until: expect.any(Number) },
    ])

    await fixture.writeOff(charge)
    await fixture.database.transaction(() => resumeCarriage(fixture.core, orderId))
    await fixture.ship()
    expect((await orderOf(orderId)).bookings).toMatchObject([{ awb, state: 'READY' }])
    // It is due now, with the airway bill.
    expect(await fixture.listSms()).toMatchObject([{ kind: 'paid', order_id: orderId, held_until: null }])
    expect(fixture.partner.shipments).toHaveLength(1)
  })
})
