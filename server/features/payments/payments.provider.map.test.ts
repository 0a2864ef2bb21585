import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { transactionSignatureText } from '#shared/wire/payment/payment.signature.ts'
import { CreateIntentionRequest, type Transaction } from '#shared/wire/payment/payment.wire.ts'
import { sampleOf } from '#test/kit/gateway/stub-service.ts'
import { intentionRequestOf, reportOf } from './payments.provider.map.ts'
import type { IntentionRequest } from './payments.provider.ts'

const callbackUrls = {
  integrationId: 16_000,
  notificationUrl: 'https://shop.example/payments/callback',
  redirectionUrl: 'https://shop.example/thank-you',
}
const requestFor = (name: string): IntentionRequest => ({
  reference: 'OD42-A',
  orderId: 42,
  amountHalalas: 5_000,
  currency: 'SAR',
  lifeSeconds: 3_600,
  customer: { name, phone: '+966500000001' },
})

describe('intentionRequestOf', () => {
  it.each([
    ['Abdullah', 'Abdullah', 'NA'],
    ['  Abdullah   bin  Omar ', 'Abdullah', 'bin Omar'],
    ['عبد الله بن عمر', 'عبد', 'الله بن عمر'],
    ['', 'NA', 'NA'],
    ['ي'.repeat(80), 'ي'.repeat(50), 'NA'],
  ])('splits the name %j into first and last', (name, first, last) => {
    const request = intentionRequestOf(requestFor(name), callbackUrls)
    expect(request.billing_data).toMatchObject({ first_name: first, last_name: last })
    expect(Value.Check(CreateIntentionRequest, request)).toBe(true)
  })

  it('sends the integration as a number, because the provider does not find a text', () => {
    expect(intentionRequestOf(requestFor('A'), callbackUrls).payment_methods).toEqual([16_000])
  })

  it('sends items that sum up to the amount', () => {
    const { amount, items } = intentionRequestOf(requestFor('A'), callbackUrls)
    expect(items?.reduce((sum, item) => sum + item.amount * (item.quantity ?? 1), 0)).toBe(amount)
  })
})

describe('reportOf', () => {
  const kinds = {
    'transaction-callback.success': ['9000001', 'succeeded'],
    'transaction-callback.declined': ['9000001', 'failed'],
    'transaction-callback.refunded-parent': ['9000001', 'refunded'],
    'transaction-callback.refund-child': ['9000002', 'refunded'],
  } as const

  it.each(Object.entries(kinds))('reads %s', (name, [transactionId, kind]) => {
    const { obj } = sampleOf('payment', name)
    expect(reportOf(obj)).toMatchObject({ transactionId, kind, providerOrderId: 7_000_001 })
  })

  it.each(Object.keys(kinds))(
    'stores the signed fields of %s, and nothing that identifies the payer',
    (name) => {
      const { obj } = sampleOf('payment', name)
      const { raw } = reportOf(obj)
      expect(transactionSignatureText(raw as Transaction)).toBe(transactionSignatureText(obj))
      const kept = JSON.stringify(raw)
      for (const said of ['Abdullah', '+966500000001', 'guest@example.com', 'xxxxxx', 'billing', 'shipping'])
        expect(kept).not.toContain(said)
    },
  )

  it('has no reference where the provider sends none', () => {
    const { obj } = sampleOf('payment', 'transaction-callback.success')
    expect(reportOf({ ...obj, order: { id: 7_000_001 } }).merchantReference).toBeNull()
    expect(
      reportOf({ ...obj, order: { id: 7_000_001, merchant_order_id: null } }).merchantReference,
    ).toBeNull()
  })

  it.each([
    [1_000, 1_000],
    ['1000', 1_000],
    ['1000.00', 1_000],
    [0, 0],
    [null, null],
    [undefined, null],
    ['1000.50', 'unreadable'],
    [1_000.5, 'unreadable'],
    [-1_000, 'unreadable'],
    ['a part', 'unreadable'],
    [{}, 'unreadable'],
  ])('reads %j as the returned amount', (refunded_amount_cents, refundedHalalas) => {
    const { obj } = sampleOf('payment', 'transaction-callback.refunded-parent')
    const report = reportOf({ ...obj, refunded_amount_cents })
    expect(report).toMatchObject({ kind: 'refunded', refundedHalalas })
    expect(report.dropped).toEqual(refundedHalalas === 'unreadable' ? ['refunded_amount_cents'] : [])
  })
})
