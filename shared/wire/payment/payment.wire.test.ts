import { createHmac } from 'node:crypto'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { wireSamples } from '#test/kit/gateway/wire-samples.ts'
import { redirectSignatureText, tokenSignatureText, transactionSignatureText } from './payment.signature.ts'
import {
  AuthToken,
  AuthTokenRequest,
  CallbackEnvelope,
  CreateIntentionRequest,
  ElementIntention,
  InquiryRequest,
  Intention,
  PaymentError,
  RedirectQuery,
  RefundRequest,
  Reversal,
  redirectQueryKeys,
  TokenCallback,
  Transaction,
  TransactionCallback,
  UpdateIntentionRequest,
  VoidRequest,
} from './payment.wire.ts'

const { names, readSample } = wireSamples(import.meta.url, {
  'create-intention-request': CreateIntentionRequest,
  'update-intention-request': UpdateIntentionRequest,
  intention: Intention,
  'element-intention': ElementIntention,
  'auth-token-request': AuthTokenRequest,
  'auth-token': AuthToken,
  'inquiry-request': InquiryRequest,
  transaction: Transaction,
  'transaction-callback': TransactionCallback,
  'token-callback': TokenCallback,
  'redirect-query': RedirectQuery,
  'refund-request': RefundRequest,
  'void-request': VoidRequest,
  reversal: Reversal,
  'payment-error': PaymentError,
})

const sign = (text: string) => createHmac('sha512', 'test-hmac-secret').update(text).digest('hex')
/** Computed outside this repository; the same computation reproduces the digest of Odoo's published fixture. */
const golden = {
  text: '155002026-01-15T18:52:15.803661+03:00SARfalsefalse900000116000truefalsefalsefalsetruefalse70000015000false0008MasterCardcardtrue',
  success:
    '192e7e51155c49160f97f8bae7474fe9ead52f562a86a415a96d6b22572652aceac1385c02abd9b29f5ed56c30d5f9e19945a16429be410287c340d21f514fdb',
  declined:
    '2827aacd69a43fbff15ea81db72a0f2c9a094fa731cd810b76d567ebebb1615a8b70b2eed0acbc3214599b8ffdc3ade5bad39a66c54b1567200cf16ce4ecad68',
}

describe('samples of the payment wire', () => {
  it('of callbacks are refused when a signed field is missing or of another type', () => {
    const { obj } = readSample('transaction-callback.success.json')
    const { owner: _, ...withoutOwner } = obj
    expect(Value.Check(Transaction, withoutOwner)).toBe(false)
    expect(Value.Check(Transaction, { ...obj, success: 'true' })).toBe(false)
    expect(Value.Check(Transaction, { ...obj, amount_cents: '15500' })).toBe(false)
  })

  it('of both callback kinds fit the common envelope', () => {
    for (const name of names.filter((each) => each.includes('-callback.'))) {
      expect(Value.Check(CallbackEnvelope, readSample(name))).toBe(true)
    }
  })

  it('of the redirect carry the keys in their order on the wire, with dots', () => {
    expect(Object.keys(readSample('redirect-query.success.json'))).toEqual([...redirectQueryKeys])
  })
})

describe('transactionSignatureText', () => {
  it('gives the golden text and signature', () => {
    const { obj } = readSample('transaction-callback.success.json')
    expect(transactionSignatureText(obj)).toBe(golden.text)
    expect(sign(transactionSignatureText(obj))).toBe(golden.success)
  })

  it('gives the golden signature of a decline', () => {
    const { obj } = readSample('transaction-callback.declined.json')
    expect(sign(transactionSignatureText(obj))).toBe(golden.declined)
  })

  it('is the same for an inquiry, whose unsigned numbers are null instead of 0', () => {
    expect(transactionSignatureText(readSample('transaction.inquiry.json'))).toBe(golden.text)
  })

  it('joins null as nothing', () => {
    const { obj } = readSample('transaction-callback.success.json')
    expect(transactionSignatureText({ ...obj, source_data: { ...obj.source_data, pan: null } })).toBe(
      golden.text.replace('0008', ''),
    )
  })

  it('changes with the refund that reuses the id of its parent', () => {
    const { obj } = readSample('transaction-callback.refunded-parent.json')
    expect(sign(transactionSignatureText(obj))).not.toBe(golden.success)
  })
})

describe('redirectSignatureText', () => {
  it.each(['success', 'declined'] as const)('gives the signature that the %s sample carries', (outcome) => {
    const query = readSample(`redirect-query.${outcome}.json`)
    expect(query.hmac).toBe(golden[outcome])
    expect(sign(redirectSignatureText(query))).toBe(query.hmac)
  })

  it('reads the order from `order_id` only when there is no `order`', () => {
    const { order, ...rest } = readSample('redirect-query.success.json')
    expect(redirectSignatureText({ ...rest, order_id: order })).toBe(golden.text)
    expect(redirectSignatureText({ ...rest, order, order_id: '1' })).toBe(golden.text)
  })
})

describe('tokenSignatureText', () => {
  it('joins the token fields in the published order', () => {
    const { obj } = readSample('token-callback.saved-card.json')
    expect(tokenSignatureText(obj)).toBe(
      'MasterCard2026-01-15T18:52:16.459109+03:00guest@example.com27000xxxx-xxxx-xxxx-0008110007000001' +
        '0123456789abcdef0123456789abcdef0123456789abcdef01234567',
    )
  })
})
