import { createHmac } from 'node:crypto'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { transactionSignatureText } from '#shared/wire/payment/payment.signature.ts'
import { Intention, Transaction, TransactionCallback } from '#shared/wire/payment/payment.wire.ts'
import {
  buildIntentionRequest,
  buildPartner,
  createIntention,
  readAuthToken,
  secretKeyHeader,
  type TestPartner,
} from '#test/builders/mock-partner.builder.ts'

const almostOne = () => 0.999
const openPartner = () => buildPartner({ random: almostOne })

async function pay(partner: TestPartner, reference: string) {
  await createIntention(partner, { special_reference: reference })
  await partner.ask('POST', `/payments/${reference}/replay`, { outcome: 'success' })
}

describe('unusual answers', () => {
  it('have valid signatures and the same amounts, in more than one form', async () => {
    const partner = openPartner()
    await partner.ask('PUT', '/unusual/payment', { probability: 1 })
    const forms = new Set<string>()
    // Requested once: a token takes a number of the sequence that chooses the form, and some forms would be skipped.
    const token = await readAuthToken(partner)
    for (const reference of ['1', '2', '3', '4']) {
      await pay(partner, reference)
      const sent = partner.caught.at(-1)
      if (!Value.Check(TransactionCallback, sent?.body)) throw new Error('the callback cannot be read')
      const { obj } = sent.body
      const signature = createHmac('sha512', demoAccounts.payment.hmacSecret)
      expect(new URL(sent.url).searchParams.get('hmac')).toBe(
        signature.update(transactionSignatureText(obj)).digest('hex'),
      )
      expect(obj).toMatchObject({
        amount_cents: 5_000,
        success: true,
        order: { merchant_order_id: reference },
      })
      expect(Number(obj.order.paid_amount_cents)).toBe(5_000)
      const asked = (await partner.inquire({ merchant_order_id: reference }, token)).json()
      expect(Value.Check(Transaction, asked)).toBe(true)
      expect(transactionSignatureText(asked)).toBe(transactionSignatureText(obj))
      const { data, is_live, order } = obj
      forms.add(
        JSON.stringify([Array.isArray(data), data === undefined, is_live, typeof order.payment_status]),
      )
    }
    expect(forms.size).toBe(4)
  })

  it('are given to a new intention as well, until the setting is removed or everything is reset', async () => {
    const partner = openPartner()
    const open = async (reference: string) =>
      partner.app.inject({
        method: 'POST',
        url: '/payment/v1/intention/',
        headers: secretKeyHeader,
        payload: buildIntentionRequest({ special_reference: reference }),
      })
    expect((await open('1')).statusCode).toBe(201)
    await partner.ask('PUT', '/unusual/payment', { probability: 1 })
    const unusual = await open('2')
    expect(unusual.statusCode).toBe(200)
    expect(unusual.json()).toMatchObject({ intention_order_id: expect.stringMatching(/^\d+$/), status: null })
    expect(Value.Check(Intention, unusual.json())).toBe(true)
    await partner.ask('DELETE', '/unusual/payment')
    expect((await open('3')).statusCode).toBe(201)
    await partner.ask('PUT', '/unusual/payment', { probability: 1, lagMs: 1 })
    await partner.ask('POST', '/reset')
    expect((await partner.ask('GET', '/unusual/payment')).body).toEqual({ probability: 0, lagMs: 0 })
  })

  it.each([{ probability: 2 }, { lagMs: -1 }, { card: 1 }])('are not set by %j', async (body) => {
    expect((await openPartner().ask('PUT', '/unusual/payment', body)).status).toBe(400)
  })
})

describe('an inquiry that lags', () => {
  it('finds a payment and its refund only after the lag, and until then answers as before them', async () => {
    const partner = openPartner()
    await partner.ask('PUT', '/unusual/payment', { lagMs: 10_000 })
    await pay(partner, '1')
    expect((await partner.inquire({ merchant_order_id: '1' })).statusCode).toBe(404)
    partner.clock.advance(10_000)
    const paid = (await partner.inquire({ merchant_order_id: '1' })).json()
    expect(paid).toMatchObject({ success: true, is_refunded: false })
    await partner.ask('POST', '/payments/1/replay', { outcome: 'refund' })
    expect((await partner.inquire({ merchant_order_id: '1' })).json()).toMatchObject({
      id: paid.id,
      is_refunded: false,
    })
    partner.clock.advance(10_000)
    const read = await partner.app.inject({
      method: 'GET',
      url: `/payment/api/acceptance/transactions/${paid.id}`,
      headers: { authorization: `Bearer ${await readAuthToken(partner)}` },
    })
    expect(read.json()).toMatchObject({ id: paid.id, is_refunded: true })
    expect((await partner.inquire({ merchant_order_id: '1' })).json()).toMatchObject({
      parent_transaction: paid.id,
    })
  })
})
