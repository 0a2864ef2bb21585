import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findEvent } from '#server/features/history/history.ts'
import { readOrderFor } from '#server/features/order-views/order-views.ts'
import { exportReceipts } from '#server/features/receipts/receipts.ts'
import { day, hour, minute, second } from '#test/kit/basics/clock.ts'
import { meanwhile } from '#test/kit/basics/meanwhile.ts'
import { recordWakes } from '#test/kit/gateway/wakes.ts'
import { type Charge, openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { receiveCallback } from './callbacks.ts'
import { openPayment, renewPayment, repeatPayment } from './intentions.ts'
import { applyReport } from './outcomes.ts'
import { attemptRules, type PaymentReport } from './payments.rules.ts'
import { readReturnedAmount } from './payments.ts'
import {
  countOverdueRefunds,
  listRefunds,
  listRefundsOfTransaction,
  scheduleRefundNow,
  sumReturned,
} from './refunds.queries.ts'

/** Refunds that the gateway orders, and reports that only make an inquiry due. */

let fixture: PaymentFixture
beforeEach(async () => {
  fixture = await openPaymentFixture()
})
afterEach(() => fixture.close())

const owner = { role: 'user', userId: 1 } as const

const receive = (charge: Charge, change: Partial<PaymentReport> = {}) =>
  receiveCallback(fixture.core, { ...fixture.provider.report(charge), ...change }, 'signed')
const orderOf = (orderId: number) => readOrderFor(fixture.core, owner, orderId)

describe('a wrong amount', () => {
  it.each([
    ['a riyal short', 4_900, 49],
    ['a halala over', 5_001, 50.01],
  ])(
    '%s is refunded, shown on the order, and only then the order can be paid again',
    async (_, halalas, amount) => {
      const { orderId, clientSecret, intention } = await fixture.openOrder()
      const wrong = fixture.provider.charge(intention, true, halalas)
      await receive(wrong)
      const pending = { state: 'pending', amount, reason: 'wrong-amount' }
      expect(await orderOf(orderId)).toMatchObject({
        status: 'PENDING_PAYMENT',
        payable: false,
        refund: pending,
      })
      for (const open of [
        openPayment(fixture.core, orderId),
        repeatPayment(fixture.core, orderId),
        renewPayment(fixture.core, 1, orderId),
      ])
        await expect(open).rejects.toMatchObject({ code: 'ORDER_NOT_PAYABLE' })

      await fixture.refundFor(5 * second)
      expect(wrong.refundedHalalas).toBe(halalas)
      expect(fixture.provider.refundsAsked).toEqual([String(wrong.id)])
      const done = { ...pending, state: 'done' }
      expect(await orderOf(orderId)).toMatchObject({ status: 'PENDING_PAYMENT', payable: true, refund: done })

      // The provider would refuse a second payment on the same intention.
      const again = await openPayment(fixture.core, orderId)
      expect(again.clientSecret).not.toBe(clientSecret)
      await receive(fixture.provider.charge(fixture.provider.intentionOf(again.clientSecret), true))
      expect(await orderOf(orderId)).toMatchObject({ status: 'PAID', payable: false, refund: done })
    },
  )

  it('reported by a callback alone is not refunded: the provider’s own answer pays the order', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const charge = fixture.provider.charge(intention, true)
    await receive(charge, { amountHalalas: 500 })
    expect(await orderOf(orderId)).toMatchObject({ status: 'PENDING_PAYMENT', payable: false })
    await fixture.refund()
    expect(fixture.provider.refundsAsked).toEqual([])
    const order = await orderOf(orderId)
    expect(order).toMatchObject({ status: 'PAID', transactionId: String(charge.id) })
    expect(order).not.toHaveProperty('refund')
    expect(await fixture.eventsOf(charge)).toEqual(['succeeded applied'])
  })

  it.each(['callback', 'inquiry'] as const)('does not block the correct %s', async (source) => {
    const { orderId, intention } = await fixture.openOrder()
    const charge = fixture.provider.charge(intention, true)
    await receive(charge, { amountHalalas: 500 })
    if (source === 'callback') await receive(charge)
    else await fixture.readOrder(owner, String(orderId))
    expect(await orderOf(orderId)).toMatchObject({ status: 'PAID', transactionId: String(charge.id) })
    await fixture.refundFor(hour, minute)
    expect(fixture.provider.refundsAsked).toEqual([])
  })

  it('that the provider does not know is never requested, and needs help after six hours', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const wrong = fixture.provider.charge(intention, true, 4_900)
    await receive(wrong, { transactionId: '99' })
    await fixture.refundFor(6 * hour - minute, minute)
    expect((await orderOf(orderId)).refund).toMatchObject({ state: 'pending' })
    expect(await countOverdueRefunds(fixture.core, fixture.clock.now() - 6 * hour)).toBe(0)
    await fixture.refundFor(minute, minute)
    expect((await orderOf(orderId)).refund).toMatchObject({ state: 'needs-help', amount: 49 })
    expect(await countOverdueRefunds(fixture.core, fixture.clock.now() - 6 * hour)).toBe(1)
    expect(fixture.provider.refundsAsked).toEqual([])
  })

  it('in another currency is refunded whole in its own minor units, and shown in it', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const wrong = fixture.provider.charge(intention, true, 5_000, 'EGP')
    await receive(wrong)
    await fixture.refundFor(5 * second)
    expect(wrong.refundedHalalas).toBe(5_000)
    expect((await orderOf(orderId)).refund).toEqual({
      state: 'done',
      amount: 50,
      currency: 'EGP',
      reason: 'wrong-amount',
    })
  })

  it.each([
    ['the refund worker sees it', async () => fixture.refundFor(5 * second)],
    ['the provider reports it', async (wrong: Charge) => receive(wrong)],
  ])('that was returned is told once, when %s', async (_, finish) => {
    const { orderId, intention } = await fixture.openOrder()
    const wrong = fixture.provider.charge(intention, true, 4_900)
    await receive(wrong)
    expect(await fixture.listSms()).toEqual([])
    if (finish.length > 0) fixture.provider.reverse(wrong)
    await finish(wrong)
    await fixture.refundFor(5 * second)
    await receive(wrong)
    const [refund] = await listRefundsOfTransaction(fixture.core, String(wrong.id))
    const told = await fixture.listSms()
    expect(told).toMatchObject([{ kind: 'wrong-amount', order_id: orderId, booking_id: 0 }])
    expect(await findEvent(fixture, told[0]?.reported_event_id ?? 0)).toMatchObject({
      kind: 'refunded',
      data: { refundId: refund?.id },
    })
    const returned = { amount: 4_900, currency: 'SAR' }
    expect(await readReturnedAmount(fixture.core, refund?.id ?? 0)).toEqual(returned)
    expect(await readReturnedAmount(fixture.core, 99)).toBeUndefined()
  })

  it('of which only the return was reported is still shown', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const wrong = fixture.provider.charge(intention, true, 4_900)
    fixture.provider.reverse(wrong)
    await receive(wrong)
    expect(await orderOf(orderId)).toMatchObject({
      payable: true,
      refund: { state: 'done', amount: 49, reason: 'wrong-amount' },
    })
  })

  it('whose refund was written off is not payable until the provider shows it as returned, which is told', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const wrong = fixture.provider.charge(intention, true, 4_900)
    await receive(wrong)
    await fixture.writeOff(wrong)
    expect(await orderOf(orderId)).toMatchObject({
      status: 'PENDING_PAYMENT',
      payable: false,
      refund: { state: 'needs-help', amount: 49, reason: 'wrong-amount' },
    })
    await expect(openPayment(fixture.core, orderId)).rejects.toMatchObject({ code: 'ORDER_NOT_PAYABLE' })

    fixture.provider.reverse(wrong)
    await receive(wrong)
    expect(await orderOf(orderId)).toMatchObject({
      payable: true,
      refund: { state: 'done', amount: 49, reason: 'wrong-amount' },
    })
    expect((await fixture.listSms()).map(({ kind }) => kind)).toEqual(['wrong-amount'])
    await openPayment(fixture.core, orderId)
  })

  it('that may be on its way back pays nothing, whatever is reported later', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const wrong = fixture.provider.charge(intention, true, 4_900)
    await receive(wrong)
    fixture.provider.fail('refund', 'cut-after')
    await fixture.refund()
    expect(wrong.refundedHalalas).toBe(4_900)
    expect(await listRefundsOfTransaction(fixture.core, String(wrong.id))).toMatchObject([
      { state: 'uncertain' },
    ])
    await receive(wrong, { kind: 'succeeded', amountHalalas: 5_000 })
    expect(await orderOf(orderId)).toMatchObject({ status: 'PENDING_PAYMENT', payable: false })
    await fixture.refundFor(2 * minute)
    expect((await orderOf(orderId)).refund).toMatchObject({ state: 'done' })
  })
})

describe('refunded money', () => {
  it.each([
    ['whole', [5_000]],
    ['in two parts', [2_000, 3_000]],
  ])(
    'of a second payment whose refund was written off is counted and has its receipts when it comes back %s',
    async (_, parts) => {
      const { orderId, intention } = await fixture.openOrder()
      await receive(fixture.provider.charge(intention, true))
      const second = fixture.provider.charge(intention, true)
      await receive(second)
      await fixture.writeOff(second)
      for (const part of parts) {
        fixture.provider.reverse(second, part)
        await applyReport(fixture.core, fixture.provider.report(second), 'inquiry')
        expect(await sumReturned(fixture.core, 'transaction_id', String(second.id))).toBe(
          second.refundedHalalas,
        )
      }
      // Told again, it is the same.
      await receive(second)
      expect(await orderOf(orderId)).toMatchObject({
        status: 'PAID',
        refund: { state: 'done', amount: 50, reason: 'second-payment' },
      })
      expect(await sumReturned(fixture.core, 'transaction_id', String(second.id))).toBe(5_000)
      const receipts = (await exportReceipts(fixture.core, [orderId])).get(orderId) ?? []
      expect(receipts.map(({ kind, amountHalalas }) => `${kind} ${amountHalalas}`)).toEqual([
        ...['invoice 5000', 'receipt 5000', 'refund-receipt 5000'],
      ])
    },
  )

  it('of a second payment that was returned before it was reported is counted', async () => {
    const { orderId, intention } = await fixture.openOrder()
    await receive(fixture.provider.charge(intention, true))
    const second = fixture.provider.charge(intention, true)
    fixture.provider.reverse(second)
    await receive(second)
    expect(await sumReturned(fixture.core, 'transaction_id', String(second.id))).toBe(5_000)
    expect((await orderOf(orderId)).refund).toMatchObject({
      state: 'done',
      amount: 50,
      reason: 'second-payment',
    })
  })

  it('of a part leaves the order paid; that of the rest, ordered later, returns it', async () => {
    const { orderId, charge } = await fixture.openPaid()
    await fixture.orderRefund(charge, 2_000)
    await fixture.refundFor(5 * second)
    expect(charge.refundedHalalas).toBe(2_000)
    expect(await orderOf(orderId)).toMatchObject({
      status: 'PAID',
      refund: { state: 'done', amount: 20, reason: 'operator' },
      bookings: [{ state: 'AWAITING_LABEL' }],
    })
    await fixture.orderRefund(charge)
    expect(await orderOf(orderId)).toMatchObject({ status: 'PAID', refund: { state: 'pending', amount: 30 } })
    await fixture.refundFor(5 * second)
    expect(charge.refundedHalalas).toBe(5_000)
    expect(await orderOf(orderId)).toMatchObject({
      status: 'REFUNDED',
      refund: { state: 'done', amount: 50 },
    })
    const receipts = (await exportReceipts(fixture.core, [orderId])).get(orderId) ?? []
    expect(receipts.map(({ kind, amountHalalas }) => `${kind} ${amountHalalas}`)).toEqual([
      ...['invoice 5000', 'credit-note 2000', 'credit-note 3000'],
    ])
  })

  it('is requested for all that is left where a part by hand is stored just before the request', async () => {
    const { orderId, charge } = await fixture.openPaid()
    await fixture.orderRefund(charge)
    fixture.provider.reverse(charge, 1_000)
    // The first transaction of the worker stores that the refund is requested.
    meanwhile(fixture.database, 'transaction', () =>
      applyReport(fixture.core, fixture.provider.report(charge), 'inquiry'),
    )
    await fixture.refundFor(5 * second)
    expect(charge.refundedHalalas).toBe(5_000)
    expect(await orderOf(orderId)).toMatchObject({
      status: 'REFUNDED',
      refund: { state: 'done', amount: 50 },
    })
  })

  it('that the bank dropped is requested again when an operator asks for it, a day later', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const wrong = fixture.provider.charge(intention, true, 4_900)
    await receive(wrong)
    await fixture.refundFor(5 * second)
    expect(fixture.provider.refundsAsked).toHaveLength(1)
    // As if it never came back: the provider shows the transaction as paid, and the refund waits for it to change.
    wrong.refundedHalalas = 0
    await fixture.database.tables
      .updateTable('refunds')
      .set({ state: 'asked', done_at: null, due_at: fixture.clock.now() })
      .execute()
    await fixture.refundFor(2 * hour)
    expect(fixture.provider.refundsAsked).toHaveLength(1)
    const [refund] = await listRefunds(fixture.core, [orderId])
    fixture.clock.advance(day)
    expect(await scheduleRefundNow(fixture.core, refund?.id ?? 0)).toBe(true)
    await fixture.refundFor(5 * second)
    expect(fixture.provider.refundsAsked).toHaveLength(2)
    expect((await listRefunds(fixture.core, [orderId]))[0]).toMatchObject({ state: 'done' })
  })

  it('is shown to the owner; the agent sees only the status', async () => {
    const { orderId, intention } = await fixture.openOrder()
    await receive(fixture.provider.charge(intention, true))
    await receive(fixture.provider.charge(intention, true))
    const agent = { role: 'agent', agentId: 5, partnerAgentId: 'A1' } as const
    const order = await readOrderFor(fixture.core, agent, orderId)
    expect(order).toMatchObject({ status: 'PAID', payable: false })
    expect(order).not.toHaveProperty('refund')
  })
})

describe('a report that only makes an inquiry due', () => {
  it('is asked about once, and then again on schedule', async () => {
    const { intention } = await fixture.openOrder()
    const charge = fixture.provider.charge(intention, true)
    await receive(charge)
    for (let passed = 0; passed < 20 * minute; passed += minute) {
      fixture.clock.advance(minute)
      await fixture.sweep()
    }
    const asked = fixture.provider.inquiries.length
    await receive(charge, { transactionId: '77', isChild: true })
    for (let passed = 0; passed < 39 * minute; passed += minute) {
      await fixture.sweep()
      fixture.clock.advance(minute)
    }
    expect(fixture.provider.inquiries).toHaveLength(asked + 1)
    fixture.clock.advance(minute)
    await fixture.sweep()
    expect(fixture.provider.inquiries).toHaveLength(asked + 2)
  })

  it('is the child of a refund long after the last scheduled inquiry', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const charge = fixture.provider.charge(intention, true)
    await receive(charge)
    for (let passed = 0; passed < 9 * day; passed += hour) {
      fixture.clock.advance(hour)
      await fixture.sweep()
    }
    const asked = fixture.provider.inquiries.length
    fixture.provider.reverse(charge)
    await receive(charge, { transactionId: '77', isChild: true })
    await fixture.sweep()
    expect(fixture.provider.inquiries).toHaveLength(asked + 1)
    expect((await orderOf(orderId)).status).toBe('REFUNDED')
  })

  it('is the older callback shape about an intention of ours, at most as often as a page may ask', async () => {
    const { orderId, intention } = await fixture.openOrder()
    fixture.provider.charge(intention, true)
    const intentionId = `pi_${intention.providerOrderId}`
    const woken = recordWakes(fixture.core)
    const hint = (id: string) => {
      Object.assign(fixture.provider, {
        readCallback: () => ({ outcome: 'hint', type: 'flash', intentionId: id }),
      })
      return receiveCallback(fixture.core, {}, undefined)
    }
    await hint('pi_of_another_merchant')
    await fixture.sweep()
    expect(fixture.provider.inquiries).toEqual([])
    for (let count = 0; count < 5; count += 1) {
      await hint(intentionId)
      await fixture.sweep()
    }
    expect(fixture.provider.inquiries).toHaveLength(1)
    expect(woken).toContain('inquiries')
    expect((await orderOf(orderId)).status).toBe('PAID')
  })
})

describe('the payment link', () => {
  it('returns another secret for a spent one, once, however often it is reported as spent', async () => {
    const { orderId, clientSecret } = await fixture.openOrder()
    const [one, other] = await Promise.all([
      renewPayment(fixture.core, 1, orderId, clientSecret, true),
      renewPayment(fixture.core, 1, orderId, clientSecret, true),
    ])
    expect(one.clientSecret).not.toBe(clientSecret)
    expect(other).toEqual(one)
    expect(await renewPayment(fixture.core, 1, orderId, clientSecret, true)).toEqual(one)
  })

  it('replaces spent secrets up to a limit', async () => {
    let { orderId, clientSecret } = await fixture.openOrder()
    const seen = new Set([clientSecret])
    for (let round = 0; round < 2 * attemptRules.mostPerOrder; round += 1) {
      clientSecret = (await renewPayment(fixture.core, 1, orderId, clientSecret, true)).clientSecret
      seen.add(clientSecret)
    }
    expect(seen.size).toBe(attemptRules.mostPerOrder)
  })

  it.each(['another order’s', 'invented', 'cut off', 'longer'] as const)(
    'is refused with a secret that is %s',
    async (which) => {
      const { orderId, clientSecret } = await fixture.openOrder()
      const other = await fixture.openOrder()
      const secret = {
        'another order’s': other.clientSecret,
        invented: 'secret',
        'cut off': clientSecret.slice(0, -1),
        longer: `${clientSecret}0`,
      }[which]
      const intentions = fixture.provider.intentions.length
      await expect(renewPayment(fixture.core, 1, orderId, secret)).rejects.toMatchObject({
        code: 'PAYMENT_LINK_MISMATCH',
      })
      expect(fixture.provider.intentions).toHaveLength(intentions)
    },
  )

  it('of a paid order is refused as not payable with its own secret, and as a mismatch with another', async () => {
    const paid = await fixture.openOrder()
    await receive(fixture.provider.charge(paid.intention, true))
    const { orderId, clientSecret } = await fixture.openOrder()
    const refused = (id: number, secret: string) => renewPayment(fixture.core, 1, id, secret)
    await expect(refused(paid.orderId, paid.clientSecret)).rejects.toMatchObject({
      code: 'ORDER_NOT_PAYABLE',
    })
    await expect(refused(paid.orderId, clientSecret)).rejects.toMatchObject({ code: 'PAYMENT_LINK_MISMATCH' })
    await expect(refused(orderId, paid.clientSecret)).rejects.toMatchObject({ code: 'PAYMENT_LINK_MISMATCH' })
  })
})
