import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readOrderFor } from '#server/features/order-views/order-views.ts'
import { exportReceipts } from '#server/features/receipts/receipts.ts'
import type { EventKind } from '#shared/payments/payments.schemas.ts'
import { hour, minute } from '#test/kit/basics/clock.ts'
import { silentLog } from '#test/kit/gateway/feature-app.ts'
import { recordWakes } from '#test/kit/gateway/wakes.ts'
import { type Charge, openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { listOpenedAttempts } from './attempts.queries.ts'
import { receiveCallback } from './callbacks.ts'
import { reconcile } from './inquiries.ts'
import { openPayment } from './intentions.ts'
import { attemptRules, type PaymentReport } from './payments.rules.ts'
import { leaseRefund, listRefundsOfTransaction } from './refunds.queries.ts'

/** Payments first reported by their refund, and unclear or repeated reports. */

let fixture: PaymentFixture
beforeEach(async () => {
  fixture = await openPaymentFixture()
})
afterEach(() => fixture.close())

const owner = { role: 'user', userId: 1 } as const

const receive = (charge: Charge, kind?: EventKind, change: Partial<PaymentReport> = {}) =>
  receiveCallback(fixture.core, { ...fixture.provider.report(charge, kind), ...change }, 'signed')
const orderOf = (orderId: number) => readOrderFor(fixture.core, owner, orderId)
const ask = (orderId: number) => fixture.readOrder(owner, String(orderId))

describe('a payment first reported by its refund', () => {
  it.each(['callback', 'inquiry'] as const)('in part pays the order and ships it, by %s', async (source) => {
    const { orderId, charge } = await fixture.openCharged()
    fixture.provider.reverse(charge, 1_000)
    const woken = recordWakes(fixture.core)
    if (source === 'callback') await receive(charge)
    else await ask(orderId)
    // Only the provider's answer to an inquiry proves a part.
    expect(woken).toEqual(source === 'callback' ? ['shipments', 'inquiries'] : ['shipments'])
    expect(await orderOf(orderId)).toMatchObject({ status: 'PAID', transactionId: String(charge.id) })
    expect((await fixture.eventsOf(charge)).toSorted()).toEqual([
      'refunded partial-refund',
      'succeeded applied',
    ])
    await fixture.ship()
    expect(fixture.partner.shipments).toHaveLength(1)
    await fixture.refundFor(hour, minute)
    expect(fixture.provider.refundsAsked).toEqual([])
  })

  it.each(['refunded', 'voided'] as const)(
    'whole (%s) leaves the order refunded, not payable',
    async (kind) => {
      const { orderId, charge } = await fixture.openCharged()
      fixture.provider.reverse(charge)
      await receive(charge, kind)
      expect(await orderOf(orderId)).toMatchObject({
        status: 'REFUNDED',
        payable: false,
        refund: { state: 'done', amount: 50 },
      })
      expect((await fixture.eventsOf(charge)).toSorted()).toEqual(
        [`${kind} applied`, 'succeeded applied'].toSorted(),
      )
      await expect(openPayment(fixture.core, orderId)).rejects.toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
      await fixture.ship()
      expect(fixture.partner.shipments).toEqual([])
    },
  )

  it.each([1_000, 5_000])('is not refunded again by its late success (%i returned)', async (halalas) => {
    const { orderId, charge } = await fixture.openCharged()
    fixture.provider.reverse(charge, halalas)
    await receive(charge)
    const { status } = await orderOf(orderId)
    await receive(charge, 'succeeded', { refundedHalalas: 0 })
    expect((await orderOf(orderId)).status).toBe(status)
    await fixture.refundFor(hour, minute)
    expect(fixture.provider.refundsAsked).toEqual([])
    expect(charge.refundedHalalas).toBe(halalas)
  })

  it('in part is refunded to the rest when another payment paid the order', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const [first, second] = [
      fixture.provider.charge(intention, true),
      fixture.provider.charge(intention, true),
    ]
    await receive(first)
    fixture.provider.reverse(second, 1_000)
    await receive(second)
    expect(await fixture.eventsOf(second)).toContain('succeeded second-payment')
    await fixture.sweep()
    await fixture.refundFor(minute)
    expect([first.refundedHalalas, second.refundedHalalas]).toEqual([0, 5_000])
    expect(await orderOf(orderId)).toMatchObject({ status: 'PAID', transactionId: String(first.id) })
    // The receipt of a payment is about all of it, whoever returned which part.
    const receipts = (await exportReceipts(fixture.core, [orderId])).get(orderId) ?? []
    expect(receipts.map(({ kind, amountHalalas }) => `${kind} ${amountHalalas}`)).toEqual([
      ...['invoice 5000', 'receipt 5000', 'refund-receipt 5000'],
    ])
  })
})

describe('a refund with an unreadable amount', () => {
  const unclear = { refundedHalalas: 'unreadable' } as const

  it('leaves a paid order paid, and is classified again once readable', async () => {
    const { orderId, charge } = await fixture.openPaid()
    fixture.provider.reverse(charge, 1_000)
    await receive(charge, 'refunded', unclear)
    expect((await orderOf(orderId)).status).toBe('PAID')
    fixture.provider.reverse(charge)
    await receive(charge)
    expect((await orderOf(orderId)).status).toBe('REFUNDED')
  })

  it('neither pays an order nor marks it as refunded', async () => {
    const { orderId, charge } = await fixture.openCharged()
    fixture.provider.reverse(charge)
    await receive(charge, 'refunded', unclear)
    expect((await orderOf(orderId)).status).toBe('PENDING_PAYMENT')
    await receive(charge)
    expect((await orderOf(orderId)).status).toBe('REFUNDED')
  })

  it('does not finish a refund: it is read again, and then the rest is requested', async () => {
    const { orderId, intention } = await fixture.openOrder()
    await receive(fixture.provider.charge(intention, true))
    const second = fixture.provider.charge(intention, true)
    await receive(second)
    fixture.provider.reverse(second, 1_000)
    const { readTransaction } = fixture.provider
    Object.assign(fixture.provider, {
      readTransaction: async (id: string) => ({ ...(await readTransaction(id)), ...unclear }),
    })
    await fixture.refundFor(hour, minute)
    expect((await orderOf(orderId)).refund).toMatchObject({ state: 'pending' })
    expect(fixture.provider.refundsAsked).toEqual([])
    Object.assign(fixture.provider, { readTransaction })
    await fixture.refundFor(hour, minute)
    expect(second.refundedHalalas).toBe(5_000)
    expect((await orderOf(orderId)).refund).toMatchObject({ state: 'done' })
  })
})

describe('a repeated callback that matches two orders', () => {
  /** Two orders, and a sender of a report of a charge on the first that claims to be of the second. */
  async function openAmbiguous(isApproved: boolean) {
    const [mine, other] = [await fixture.openOrder(), await fixture.openOrder()]
    const charge = fixture.provider.charge(mine.intention, isApproved)
    Object.assign(fixture.provider, {
      readCallback: () => ({
        outcome: 'report',
        secret: 'current',
        report: {
          ...fixture.provider.report(charge),
          providerOrderId: other.intention.providerOrderId,
          merchantReference: null,
        },
        otherOrderIds: [mine.intention.providerOrderId],
      }),
    })
    const replay = async () => {
      for (let count = 0; count < 50; count += 1) {
        await receiveCallback(fixture.core, {}, 'signed')
        await fixture.sweep()
      }
    }
    return { ...mine, replay }
  }

  it('causes one inquiry per order and gap', async () => {
    const { replay } = await openAmbiguous(false)
    await replay()
    expect(fixture.provider.inquiries).toHaveLength(2)
    fixture.clock.advance(attemptRules.inquiryGapMs)
    await replay()
    expect(fixture.provider.inquiries).toHaveLength(4)
  })

  it('causes none once its payment was applied to one of the two', async () => {
    const { orderId, replay } = await openAmbiguous(true)
    await replay()
    expect((await orderOf(orderId)).status).toBe('PAID')
    const asked = fixture.provider.inquiries.length
    for (let time = 0; time < 3; time += 1) {
      fixture.clock.advance(attemptRules.inquiryGapMs)
      await replay()
    }
    expect(fixture.provider.inquiries).toHaveLength(asked)
  })
})

describe('a payment hidden by the newest transaction', () => {
  /** Asks about the order's payments; returns how many hidden payments were counted. */
  async function countHidden(orderId: number): Promise<number> {
    const core = await fixture.openGateway(silentLog)
    for (const attempt of await listOpenedAttempts(core, orderId)) await reconcile(core, attempt)
    const { values } = (await core.metrics.registry
      .getSingleMetric('amtiati_payment_hidden_payments_total')
      ?.get()) ?? {
      values: [],
    }
    return values.reduce((sum, { value }) => sum + value, 0)
  }

  it('is counted behind a refund of ours', async () => {
    const { orderId, intention } = await fixture.openOrder()
    fixture.provider.charge(intention, true)
    await receive(fixture.provider.charge(intention, true, 4_900))
    await fixture.refundFor(minute)
    expect((await orderOf(orderId)).refund).toMatchObject({ state: 'done' })
    expect(await countHidden(orderId)).toBe(1)
  })

  it('is not counted where the newest transaction is that success, even one that pays nothing', async () => {
    const { orderId, intention } = await fixture.openOrder()
    fixture.provider.charge(intention, true, 4_900)
    expect(await countHidden(orderId)).toBe(0)
  })

  it('is counted behind a decline', async () => {
    const { orderId, intention } = await fixture.openOrder()
    fixture.provider.charge(intention, true)
    fixture.provider.charge(intention, false)
    expect(await countHidden(orderId)).toBe(1)
  })

  it('waits for a person, once for a sum, until it is reported', async () => {
    const findings = () =>
      fixture.database.tables
        .selectFrom('payment_findings')
        .select(['amount_halalas', 'closed_at'])
        .where('agreed_at', 'is', null)
        .orderBy('id')
        .execute()
    const { orderId, intention, charge: hidden } = await fixture.openCharged()
    await receive(fixture.provider.charge(intention, true))
    await countHidden(orderId)
    await countHidden(orderId)
    expect(await findings()).toEqual([{ amount_halalas: 5_000, closed_at: null }])
    await fixture.database.tables.updateTable('payment_findings').set({ closed_at: 1 }).execute()
    await countHidden(orderId)
    expect(await findings()).toEqual([{ amount_halalas: 5_000, closed_at: 1 }])
    const another = fixture.provider.charge(intention, true)
    fixture.provider.charge(intention, false)
    await countHidden(orderId)
    expect((await findings()).at(-1)).toEqual({ amount_halalas: 10_000, closed_at: null })
    await receive(hidden)
    await receive(another)
    await countHidden(orderId)
    expect(await findings()).toEqual([])
  })

  it('is not counted while a wrong amount that was reported is on its way back', async () => {
    const { orderId, intention } = await fixture.openOrder()
    await receive(fixture.provider.charge(intention, true, 4_900))
    fixture.provider.charge(intention, false)
    expect(await countHidden(orderId)).toBe(0)
  })

  it('is not counted where the only payment was returned', async () => {
    const { orderId, intention } = await fixture.openOrder()
    await receive(fixture.provider.charge(intention, true, 4_900))
    await fixture.refundFor(minute)
    expect(await countHidden(orderId)).toBe(0)
  })

  it.each([1_000, 5_000])('is not counted where the order is paid (%i returned)', async (halalas) => {
    const { orderId, intention, charge } = await fixture.openCharged()
    fixture.provider.reverse(charge, halalas)
    expect(await countHidden(orderId)).toBe(0)
    fixture.provider.charge(intention, false)
    expect(await countHidden(orderId)).toBe(0)
  })
})

describe('a claimed refund', () => {
  async function paidTwice() {
    const { intention } = await fixture.openOrder()
    await receive(fixture.provider.charge(intention, true))
    const second = fixture.provider.charge(intention, true)
    await receive(second)
    return second
  }

  it('is not requested when another worker has claimed it during the read', async () => {
    const second = await paidTwice()
    const { readTransaction } = fixture.provider
    Object.assign(fixture.provider, {
      readTransaction: async (id: string) => {
        Object.assign(fixture.provider, { readTransaction })
        fixture.clock.advance(minute)
        await leaseRefund(fixture.core)
        return readTransaction(id)
      },
    })
    await fixture.refund()
    expect(fixture.provider.refundsAsked).toEqual([])
    await fixture.refundFor(5 * minute)
    expect(fixture.provider.refundsAsked).toEqual([String(second.id)])
    expect(second.refundedHalalas).toBe(5_000)
  })

  it.each(['refused', 'cut-after'] as const)('stays uncertain when a read fails (%s)', async (trouble) => {
    const second = await paidTwice()
    fixture.provider.fail('refund', 'cut-before')
    await fixture.refund()
    const stateOf = async () =>
      (await listRefundsOfTransaction(fixture.core, String(second.id))).map(({ state }) => state)
    expect(await stateOf()).toEqual(['uncertain'])
    fixture.provider.fail('read', trouble)
    fixture.clock.advance(minute)
    await fixture.refund()
    expect(await stateOf()).toEqual(['uncertain'])
    await fixture.refundFor(5 * minute)
    expect(await stateOf()).toEqual(['done'])
    expect(second.refundedHalalas).toBe(5_000)
  })
})

describe('a success of amount zero', () => {
  it.each([
    ['succeeded', 'amount-mismatch'],
    ['refunded', 'noted'],
  ] as const)('orders no refund (%s)', async (kind, outcome) => {
    const { orderId, charge } = await fixture.openCharged(0)
    await receive(charge, kind)
    expect(await listRefundsOfTransaction(fixture.core, String(charge.id))).toEqual([])
    expect(await orderOf(orderId)).toMatchObject({ status: 'PENDING_PAYMENT', payable: true })
    expect(await fixture.eventsOf(charge)).toEqual([`${kind} ${outcome}`])
  })

  it('withdraws the refund that an earlier report ordered', async () => {
    const { orderId, charge } = await fixture.openCharged(0)
    await receive(charge, 'succeeded', { amountHalalas: 100 })
    expect((await orderOf(orderId)).payable).toBe(false)
    await fixture.refund()
    expect((await orderOf(orderId)).payable).toBe(true)
    await fixture.refundFor(minute)
    expect(fixture.provider.refundsAsked).toEqual([])
  })
})
