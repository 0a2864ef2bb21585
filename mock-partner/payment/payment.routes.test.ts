import { createHmac } from 'node:crypto'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { transactionSignatureText } from '#shared/wire/payment/payment.signature.ts'
import {
  AuthToken,
  authTokenLifeSeconds,
  ElementIntention,
  Intention,
  PaymentError,
  paymentPaths,
  Reversal,
  Transaction,
  TransactionCallback,
} from '#shared/wire/payment/payment.wire.ts'
import {
  buildIntentionRequest,
  buildPartner,
  createIntention,
  readAuthToken,
  secretKeyHeader,
  type TestPartner,
} from '#test/builders/mock-partner.builder.ts'

const { payment } = demoAccounts
const sign = (text: string) => createHmac('sha512', payment.hmacSecret).update(text).digest('hex')

const create = (partner: TestPartner, payload: unknown, headers: Record<string, string> = secretKeyHeader) =>
  partner.app.inject({
    method: 'POST',
    url: `/payment${paymentPaths.createIntention}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(payload),
  })

describe('creating an intention', () => {
  it('answers 201 with every field of the wire schema', async () => {
    const partner = buildPartner()
    const answer = await create(partner, buildIntentionRequest())
    expect(answer.statusCode).toBe(201)
    const body = answer.json()
    expect([...Value.Errors(Intention, body)]).toEqual([])
    expect(body).toMatchObject({
      id: expect.stringMatching(/^pi_test_[0-9a-f]{32}$/),
      client_secret: expect.stringMatching(/^sau_csk_test_[0-9a-f]{32}$/),
      status: 'intended',
      confirmed: false,
      object: 'paymentintention',
      special_reference: '42-1',
      intention_detail: { amount: 5_000, currency: 'SAR' },
      extras: {
        creation_extras: { order_number: 42, merchant_order_id: '42-1' },
        confirmation_extras: null,
      },
      payment_methods: [{ integration_id: payment.integrationId, name: 'card', live: false }],
      redirection_url: 'http://shop.example/thank-you',
      created: expect.stringMatching(/^2026-05-27T12:30:00\.\d{6}\+03:00$/),
    })
    expect(body.payment_keys[0].order_id).toBe(body.intention_order_id)
  })

  it('takes the secret key after Bearer as well', async () => {
    const answer = await create(buildPartner(), buildIntentionRequest(), {
      authorization: `Bearer ${payment.secretKey}`,
    })
    expect(answer.statusCode).toBe(201)
  })

  it.each([
    ['no key', {}],
    ['a wrong key', { authorization: 'Token sau_sk_test_wrong' }],
    ['the public key', { authorization: `Token ${payment.publicKey}` }],
  ])('answers 401 to %s', async (_name, headers) => {
    const answer = await create(buildPartner(), buildIntentionRequest(), headers)
    expect(answer.statusCode).toBe(401)
    expect(Value.Check(PaymentError, answer.json())).toBe(true)
    expect(answer.json()).toHaveProperty('detail')
  })

  it.each([
    ['another integration', [payment.integrationId + 1]],
    ['the integration spelled as a string', [String(payment.integrationId)]],
  ])('answers 404 to %s', async (_name, payment_methods) => {
    const answer = await create(buildPartner(), { ...buildIntentionRequest(), payment_methods })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toHaveProperty('detail')
  })

  it('names every missing field, nested ones inside their object', async () => {
    const answer = await create(buildPartner(), { billing_data: { first_name: 'A' }, items: [{}] })
    expect(answer.statusCode).toBe(400)
    const missing = ['This field is required.']
    expect(answer.json()).toEqual({
      amount: missing,
      currency: missing,
      payment_methods: missing,
      billing_data: { last_name: missing, email: missing, phone_number: missing },
      items: { name: missing, amount: missing },
    })
  })

  it.each([
    ['amount', { amount: 50.5 }],
    ['amount', { amount: 0 }],
    ['currency', { currency: 'EGP' }],
    ['expiration', { expiration: 3_110_401 }],
    ['notification_url', { notification_url: 'not a url' }],
    [
      'billing_data',
      { billing_data: { ...buildIntentionRequest().billing_data, last_name: 'x'.repeat(51) } },
    ],
    ['items', { items: [{ name: 'x'.repeat(51), amount: 5_000 }] }],
  ])('answers 400 for a bad %s', async (field, changes) => {
    const answer = await create(buildPartner(), { ...buildIntentionRequest(), ...changes })
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual([field])
  })

  it('answers 400 to a body that is not JSON, with the text of the provider’s framework', async () => {
    const { app } = buildPartner()
    const answer = await app.inject({
      method: 'POST',
      url: '/payment/v1/intention/',
      headers: { ...secretKeyHeader, 'content-type': 'application/json' },
      payload: '{"amount":',
    })
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual(['detail'])
  })

  it('answers 406 when the items do not add up', async () => {
    const answer = await create(buildPartner(), buildIntentionRequest({ amount: 5_001 }))
    expect(answer.statusCode).toBe(406)
    expect(answer.json().code).toBe('unmatched_item_prices')
  })

  it('refuses a reference that is in use', async () => {
    const partner = buildPartner()
    await createIntention(partner)
    const answer = await create(partner, buildIntentionRequest())
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual(['special_reference'])
    expect((await create(partner, buildIntentionRequest({ special_reference: '42-2' }))).statusCode).toBe(201)
  })
})

describe('updating an intention', () => {
  const update = (partner: TestPartner, clientSecret: string, payload: Record<string, unknown>) =>
    partner.app.inject({
      method: 'PUT',
      url: `/payment${paymentPaths.updateIntention(clientSecret)}`,
      headers: secretKeyHeader,
      payload,
    })

  it('changes the amount and keeps the ids', async () => {
    const partner = buildPartner()
    const { client_secret, intention_order_id, id } = await createIntention(partner)
    const answer = await update(partner, client_secret, {
      accept_order_id: intention_order_id,
      amount: 7_500,
      items: [{ name: 'Booking', amount: 7_500 }],
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ id, client_secret, intention_detail: { amount: 7_500 } })
  })

  it('requires the order of the intention', async () => {
    const partner = buildPartner()
    const { client_secret } = await createIntention(partner)
    for (const [accept_order_id, message] of [
      [undefined, 'This field is required.'],
      [1, 'Does not belong to this intention.'],
    ] as const) {
      const answer = await update(partner, client_secret, { accept_order_id, amount: 7_500 })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ accept_order_id: [message] })
    }
  })

  it('takes the order as digits, and null in place of a reference and of addresses', async () => {
    const partner = buildPartner()
    const empty = { special_reference: null, notification_url: null, redirection_url: null }
    const created = await create(partner, { ...buildIntentionRequest(), ...empty })
    expect(created.statusCode).toBe(201)
    const { client_secret, intention_order_id } = created.json()
    const body = { ...empty, accept_order_id: String(intention_order_id) }
    expect((await update(partner, client_secret, body)).statusCode).toBe(200)
  })

  it('is refused once paid, and for an unknown secret', async () => {
    const partner = buildPartner()
    const { client_secret, intention_order_id } = await createIntention(partner)
    await partner.replay({ outcome: 'success' })
    const body = { accept_order_id: intention_order_id, amount: 5_000 }
    expect((await update(partner, client_secret, body)).statusCode).toBe(400)
    expect((await update(partner, 'sau_csk_test_unknown', body)).statusCode).toBe(404)
  })
})

describe('the element call', () => {
  const read = (partner: TestPartner, clientSecret: string, publicKey: string = payment.publicKey) =>
    partner.app.inject(`/payment${paymentPaths.elementIntention(publicKey, clientSecret)}`)

  it('answers with the amount, and the keys by method', async () => {
    const partner = buildPartner()
    const { client_secret, intention_order_id } = await createIntention(partner)
    const body = (await read(partner, client_secret)).json()
    expect(Value.Check(ElementIntention, body)).toBe(true)
    expect(body).toMatchObject({
      payment_keys: { card: { order_id: intention_order_id } },
      intention_detail: { amount: 5_000, currency: 'SAR' },
    })
  })

  it('answers an error and a redirect once it is paid or expired', async () => {
    const partner = buildPartner()
    const paid = await createIntention(partner)
    await partner.replay({ outcome: 'success' })
    expect((await read(partner, paid.client_secret)).json()).toMatchObject({
      error: 'paid',
      redirect: expect.stringContaining('http://shop.example/thank-you?id='),
    })
    const late = await createIntention(partner, { special_reference: '43-1', extras: { order_number: 43 } })
    partner.clock.advance(3_600_000)
    expect((await read(partner, late.client_secret)).json()).toMatchObject({ error: 'expired' })
  })

  it('answers 404 to an unknown secret or key', async () => {
    const partner = buildPartner()
    const { client_secret } = await createIntention(partner)
    expect((await read(partner, 'sau_csk_test_unknown')).statusCode).toBe(404)
    expect((await read(partner, client_secret, 'sau_pk_test_unknown')).statusCode).toBe(404)
  })
})

describe('inquiry', () => {
  it('requires a token, which the API key obtains and which is valid for an hour', async () => {
    const partner = buildPartner()
    await createIntention(partner)
    await partner.replay({ outcome: 'success' })
    const answer = await partner.app.inject({
      method: 'POST',
      url: `/payment${paymentPaths.authTokens}`,
      payload: { api_key: payment.apiKey },
    })
    expect(answer.statusCode).toBe(201)
    expect(Value.Check(AuthToken, answer.json())).toBe(true)
    const ask = (headers: Record<string, string>) =>
      partner.app.inject({
        method: 'POST',
        url: `/payment${paymentPaths.transactionInquiry}`,
        headers,
        payload: { merchant_order_id: '42-1' },
      })
    const header = { authorization: `Bearer ${answer.json().token}` }
    expect((await ask(header)).statusCode).toBe(200)
    expect((await ask({})).statusCode).toBe(401)
    expect((await ask({ authorization: `Bearer ${answer.json().token}x` })).statusCode).toBe(401)
    partner.clock.advance(authTokenLifeSeconds * 1_000)
    expect((await ask(header)).statusCode).toBe(401)
  })

  it('refuses a wrong API key with 401 and a missing one with 400', async () => {
    const { app } = buildPartner()
    const url = `/payment${paymentPaths.authTokens}`
    expect((await app.inject({ method: 'POST', url, payload: { api_key: 'x' } })).statusCode).toBe(401)
    expect((await app.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(400)
  })

  it('answers the most recent transaction of an order, by either id', async () => {
    const partner = buildPartner()
    const { intention_order_id } = await createIntention(partner)
    await partner.replay({ outcome: 'decline' })
    await partner.replay({ outcome: 'success' })
    const byOrder = (await partner.inquire({ order_id: String(intention_order_id) })).json()
    const byReference = (await partner.inquire({ merchant_order_id: '42-1' })).json()
    expect([...Value.Errors(Transaction, byOrder)]).toEqual([])
    expect(byOrder).toEqual(byReference)
    expect(byOrder).toMatchObject({
      success: true,
      pending: false,
      amount_cents: 5_000,
      order: {
        id: intention_order_id,
        merchant_order_id: '42-1',
        paid_amount_cents: 5_000,
        payment_status: 'PAID',
      },
      payment_key_claims: { extra: { order_number: 42, merchant_order_id: '42-1' } },
    })
  })

  it('answers null for amounts that a callback reports as 0', async () => {
    const partner = buildPartner()
    await createIntention(partner)
    await partner.replay({ outcome: 'success' })
    expect((await partner.inquire({ merchant_order_id: '42-1' })).json()).toMatchObject({
      refunded_amount_cents: null,
      captured_amount: null,
      merchant_commission: null,
    })
    expect(partner.caught[0]?.body).toMatchObject({
      obj: { refunded_amount_cents: 0, captured_amount: 0, merchant_commission: 0 },
    })
  })

  it('answers 404 without a transaction and for unknown orders', async () => {
    const partner = buildPartner()
    const { intention_order_id } = await createIntention(partner)
    for (const payload of [{ order_id: intention_order_id }, { merchant_order_id: 'x' }, { order_id: 1 }])
      expect((await partner.inquire(payload)).statusCode).toBe(404)
    expect((await partner.inquire({})).statusCode).toBe(400)
  })

  it('finds one transaction by its id', async () => {
    const partner = buildPartner()
    await createIntention(partner)
    await partner.replay({ outcome: 'success' })
    const { id } = (await partner.inquire({ merchant_order_id: '42-1' })).json()
    const token = await readAuthToken(partner)
    const read = (path: string, headers: Record<string, string> = {}) =>
      partner.app.inject({ url: `/payment${path}`, headers })
    const bearer = { authorization: `Bearer ${token}` }
    expect((await read(paymentPaths.transaction(id), bearer)).json().id).toBe(id)
    expect((await read(`${paymentPaths.transaction(id)}?token=${token}`)).json().id).toBe(id)
    expect((await read(paymentPaths.transaction(id + 1), bearer)).statusCode).toBe(404)
    expect((await read(paymentPaths.transaction(id))).statusCode).toBe(401)
  })
})

describe('refund and void', () => {
  async function setUpPaid() {
    const partner = buildPartner()
    const intention = await createIntention(partner)
    await partner.replay({ outcome: 'success' })
    const { id } = (await partner.inquire({ merchant_order_id: '42-1' })).json()
    partner.caught.length = 0
    const post = (path: string, payload: Record<string, unknown>, headers = secretKeyHeader) =>
      partner.app.inject({ method: 'POST', url: `/payment${path}`, headers, payload })
    const refund = (amount_cents: unknown, transaction_id: unknown = id) =>
      post(paymentPaths.refund, { transaction_id, amount_cents })
    const readParent = async () => {
      const token = await readAuthToken(partner)
      const headers = { authorization: `Bearer ${token}` }
      return (await partner.app.inject({ url: `/payment${paymentPaths.transaction(id)}`, headers })).json()
    }
    return { partner, intention, id: Number(id), post, refund, readParent }
  }

  it('makes a child transaction and marks the parent', async () => {
    const { id, refund, readParent } = await setUpPaid()
    const answer = await refund(5_000)
    expect(answer.statusCode).toBe(201)
    expect(Value.Check(Reversal, answer.json())).toBe(true)
    expect(answer.json()).toMatchObject({
      success: true,
      pending: false,
      amount_cents: 5_000,
      is_refund: true,
      has_parent_transaction: true,
      parent_transaction: id,
    })
    expect(await readParent()).toMatchObject({
      id,
      success: true,
      is_refunded: true,
      refunded_amount_cents: 5_000,
    })
  })

  it('sends a callback about the parent under its own id, then one about the child, both signed', async () => {
    const { id, refund, partner } = await setUpPaid()
    const child = (await refund(5_000)).json()
    expect(partner.caught.map(({ body }) => body)).toMatchObject([
      { type: 'TRANSACTION', obj: { id, success: true, is_refunded: true, refunded_amount_cents: 5_000 } },
      { type: 'TRANSACTION', obj: { id: child.id, is_refund: true, parent_transaction: id } },
    ])
    for (const { url, body } of partner.caught) {
      const { obj } = body as TransactionCallback
      expect(new URL(url).searchParams.get('hmac')).toBe(sign(transactionSignatureText(obj)))
    }
  })

  it('adds partial refunds up and refuses more than is left', async () => {
    const { refund, readParent } = await setUpPaid()
    expect((await refund(2_000)).statusCode).toBe(201)
    expect((await refund('2000')).statusCode).toBe(201)
    expect((await readParent()).refunded_amount_cents).toBe(4_000)
    const answer = await refund(1_001)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual(['message'])
    expect((await readParent()).refunded_amount_cents).toBe(4_000)
  })

  it.each([0, -1, 1.5, 'all', undefined])('refuses the amount %s by name', async (amount) => {
    const { refund } = await setUpPaid()
    const answer = await refund(amount)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual(['amount_cents'])
  })

  it('voids on the day of the payment in Riyadh, and not after', async () => {
    const { id, partner, post, readParent } = await setUpPaid()
    // 09:30 UTC is 12:30 in Riyadh: the day ends in 11.5 hours.
    partner.clock.advance(11.5 * 3_600_000 - 1)
    const answer = await post(paymentPaths.void, { transaction_id: id })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ is_void: true, success: true, parent_transaction: id })
    expect(await readParent()).toMatchObject({ is_voided: true })
    expect((await post(paymentPaths.void, { transaction_id: id })).statusCode).toBe(400)

    const late = await setUpPaid()
    late.partner.clock.advance(11.5 * 3_600_000)
    const refused = await late.post(paymentPaths.void, { transaction_id: late.id })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toContain('can only be refunded')
  })

  it('refuses a refund after a void and a void after a refund', async () => {
    const voided = await setUpPaid()
    await voided.post(paymentPaths.void, { transaction_id: voided.id })
    expect((await voided.refund(5_000)).statusCode).toBe(400)
    const refunded = await setUpPaid()
    await refunded.refund(1)
    expect((await refunded.post(paymentPaths.void, { transaction_id: refunded.id })).statusCode).toBe(400)
  })

  it('refuses a declined, an unknown and an unnamed transaction', async () => {
    const { partner, refund, post } = await setUpPaid()
    await createIntention(partner, { special_reference: '43-1', extras: { order_number: 43 } })
    await partner.replay({ outcome: 'decline' }, 43)
    const declined = (await partner.inquire({ merchant_order_id: '43-1' })).json()
    expect((await refund(5_000, declined.id)).statusCode).toBe(400)
    expect((await refund(5_000, 1)).statusCode).toBe(404)
    expect((await post(paymentPaths.void, {})).json()).toHaveProperty('transaction_id')
  })

  it('needs the secret key', async () => {
    const { id, post } = await setUpPaid()
    const wrong = { authorization: 'Token wrong' }
    for (const path of [paymentPaths.refund, paymentPaths.void])
      expect((await post(path, { transaction_id: id, amount_cents: 1 }, wrong)).statusCode).toBe(401)
  })
})

it('answers unknown paths with the text of the provider’s framework', async () => {
  const { app } = buildPartner()
  const answer = await app.inject('/payment/v1/unknown')
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toEqual({ detail: 'Not found.' })
})

it('callbacks fit the wire schema, and their signature is appended to the query of the callback address', async () => {
  const partner = buildPartner()
  const { intention_order_id } = await createIntention(partner, {
    notification_url: 'http://shop.example/callback?shop=1',
  })
  await partner.replay({ outcome: 'success' })
  const [callback] = partner.caught
  if (callback === undefined) throw new Error('no callback')
  const body = callback.body as TransactionCallback
  expect([...Value.Errors(TransactionCallback, body)]).toEqual([])
  expect(body.obj).toMatchObject({
    success: true,
    is_live: false,
    integration_id: payment.integrationId,
    order: { id: intention_order_id, merchant_order_id: '42-1' },
    source_data: { pan: '2346', type: 'card', sub_type: 'MasterCard' },
    created_at: expect.stringMatching(/^2026-05-27T12:30:00\.\d{6}\+03:00$/),
  })
  expect(callback.url).toBe(
    `http://shop.example/callback?shop=1&hmac=${sign(transactionSignatureText(body.obj))}`,
  )
})
