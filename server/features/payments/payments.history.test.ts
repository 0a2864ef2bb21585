import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listEvents, recordEvent } from '#server/features/history/history.ts'
import { type Charge, openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { receiveCallback } from './callbacks.ts'
import { cancelOrder, cancelWithin } from './cancellations.ts'
import { openPayment } from './intentions.ts'
import type { PaymentReport } from './payments.rules.ts'

let fixture: PaymentFixture
beforeEach(async () => {
  fixture = await openPaymentFixture()
})
afterEach(() => fixture.close())

const staff = {
  kind: 'staff',
  issuer: 'https://id.example',
  subject: 'm1',
  name: 'Majed',
  roles: ['money'],
} as const
const opened = 'payment-opened by owner'
const paid = 'paid by provider 5000'
const receipt = 'receipt-issued by system 5000'

const receive = (charge: Charge, change: Partial<PaymentReport> = {}) =>
  receiveCallback(fixture.core, { ...fixture.provider.report(charge), ...change }, 'signed')
const cancel = (orderId: number) => cancelOrder(fixture.core, 1, orderId)

/** The events of an order about its money: kind, actor, sum, outcome or reason, and what people wrote. */
async function historyOf(orderId: number): Promise<string[]> {
  const events = await listEvents(fixture, 'order_id', [orderId])
  return events
    .filter(({ kind }) => /^(?:payment|paid|refund|receipt)/.test(kind))
    .map(({ kind, by, data }) => {
      const { halalas, outcome, reason, personal } = {
        outcome: undefined,
        reason: undefined,
        personal: null,
        ...data,
      } as Record<string, unknown>
      const said = (personal as { reason: string } | null)?.reason
      const sum = kind === 'payment-opened' ? undefined : halalas
      return [kind, 'by', by.kind, sum, outcome, reason, said].filter((word) => word !== undefined).join(' ')
    })
}

describe('the history of an order', () => {
  it('has each declined card with the words of the bank, and each report that was corrected', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const declined = fixture.provider.charge(intention, false)
    const raw = { data: { message: 'Insufficient funds' } }
    await receive(declined, { merchantReference: 'OD9', raw })
    await receive(declined, { merchantReference: 'OD8', raw })
    await receive(declined, { raw })
    await receive(declined, { raw })
    await receive(fixture.provider.charge(intention, true))
    expect(await historyOf(orderId)).toEqual([
      opened,
      'payment-noted by provider 5000 reference-mismatch',
      'payment-failed by provider 5000 Insufficient funds',
      paid,
      receipt,
    ])
  })

  it('has a cancellation’s refund by who cancelled, also where the payment came after it', async () => {
    const { orderId: own } = await fixture.openPaid()
    await cancel(own)
    expect((await historyOf(own)).at(-1)).toBe('refund-ordered by owner 5000 cancelled')
    const { orderId: closed } = await fixture.openPaid()
    await fixture.database.transaction(() =>
      cancelWithin(fixture.core, 1, closed, { by: staff, reason: 'she called', isApproved: true }),
    )
    expect((await historyOf(closed)).at(-1)).toBe('refund-ordered by staff 5000 cancelled she called')
    const { orderId: late, charge } = await fixture.openCharged()
    await cancel(late)
    const data = { personal: null }
    await fixture.database.transaction(() =>
      recordEvent(fixture, { kind: 'order-cancelled', data, by: staff, orderId: late }),
    )
    await receive(charge)
    expect(await historyOf(late)).toEqual([opened, paid, receipt, 'refund-ordered by staff 5000 cancelled'])
  })

  it('has the refund of a payment for a deleted account by its owner', async () => {
    const { orderId, charge } = await fixture.openCharged()
    await fixture.database.tables.updateTable('users').set({ deleted_at: fixture.clock.now() }).execute()
    await receive(charge)
    expect(await historyOf(orderId)).toEqual([
      opened,
      'payment-noted by provider 5000 owner-deleted',
      'refund-ordered by owner 5000 owner-deleted',
    ])
  })

  it('has no payment that the provider did not open', async () => {
    fixture.provider.fail('create', 'refused')
    const orderId = await fixture.createOrder()
    await expect(openPayment(fixture.core, orderId)).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' })
    expect(await historyOf(orderId)).toEqual([])
  })
})
