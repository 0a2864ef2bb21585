import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { transactionSignatureText } from '#shared/wire/payment/payment.signature.ts'
import { CreateIntentionRequest, type Transaction } from '#shared/wire/payment/payment.wire.ts'
import { sampleOf } from '#test/kit/outsider.ts'
import { intentionRequestOf, reportOf } from './payments.gateway.map.ts'
import type { IntentionRequest } from './payments.gateway.ts'

const places = {
  integrationId: 16_000,
  notificationUrl: 'https://shop.example/payments/callback',
  redirectionUrl: 'https://shop.example/thank-you',
}
const wish = (name: string): IntentionRequest => ({
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
    const request = intentionRequestOf(wish(name), places)
    expect(request.billing_data).toMatchObject({ first_name: first, last_name: last })
    expect(Value.Check(CreateIntentionRequest, request)).toBe(true)
  })

  it('sends the integration as a number, because a text is not found', () => {
    expect(intentionRequestOf(wish('A'), places).payment_methods).toEqual([16_000])
  })

  it('makes the items sum up to the amount', () => {
    const { amount, items } = intentionRequestOf(wish('A'), places)
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

  it.each(Object.keys(kinds))('keeps of %s what was signed, and nothing of the person', (name) => {
    const { obj } = sampleOf('payment', name)
    const { raw } = reportOf(obj)
    expect(transactionSignatureText(raw as Transaction)).toBe(transactionSignatureText(obj))
    const kept = JSON.stringify(raw)
    for (const said of ['Abdullah', '+966500000001', 'guest@example.com', 'xxxxxx', 'billing', 'shipping'])
      expect(kept).not.toContain(said)
  })

  it('has no reference where the provider names none', () => {
    const { obj } = sampleOf('payment', 'transaction-callback.success')
    expect(reportOf({ ...obj, order: { id: 7_000_001 } }).merchantReference).toBeNull()
    expect(
      reportOf({ ...obj, order: { id: 7_000_001, merchant_order_id: null } }).merchantReference,
    ).toBeNull()
  })
})
