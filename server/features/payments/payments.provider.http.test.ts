import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createExternalService } from '#server/platform/external-service.ts'
import { OutcomeUnknownError, UnreachableError } from '#server/platform/unreachable.ts'
import {
  redirectSignatureText,
  tokenSignatureText,
  transactionSignatureText,
} from '#shared/wire/payment/payment.signature.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { openStubService, type Reply, sampleOf } from '#test/kit/gateway/stub-service.ts'
import { createPaymentProvider } from './payments.provider.http.ts'
import { type IntentionRequest, type PaymentProvider, ProviderRefusal } from './payments.provider.ts'

/** The stored fields of a transaction are tested in payments.provider.map.test.ts. */
const storedRaw = expect.objectContaining({ id: 9_000_001 })

type Failing = typeof ProviderRefusal | typeof UnreachableError | typeof OutcomeUnknownError

const noon = 1_800_000_000_000
const minute = 60_000

/** Computed outside this repository; see the test vector in docs/wires/payment.md P22. */
const golden = {
  success:
    '192e7e51155c49160f97f8bae7474fe9ead52f562a86a415a96d6b22572652aceac1385c02abd9b29f5ed56c30d5f9e19945a16429be410287c340d21f514fdb',
  declined:
    '2827aacd69a43fbff15ea81db72a0f2c9a094fa731cd810b76d567ebebb1615a8b70b2eed0acbc3214599b8ffdc3ade5bad39a66c54b1567200cf16ce4ecad68',
}

const signed = (text: string) => createHmac('sha512', 'test-hmac-secret').update(text).digest('hex')

function providerAt(
  baseUrl: string,
  now = () => noon,
  integrationId = 16_000,
  secrets: { hmacSecret?: string; previousHmacSecret?: string } = {},
) {
  const account = {
    baseUrl,
    secretKey: 'sau_sk_test_1',
    apiKey: 'c2FtcGxlLWFwaS1rZXk=',
    hmacSecret: 'test-hmac-secret',
    integrationId,
    notificationUrl: 'https://shop.example/payments/callback',
    redirectionUrl: 'https://shop.example/thank-you',
    ...secrets,
  }
  const services = {
    payment: createExternalService('payment'),
    inquiry: createExternalService('payment_inquiry'),
  }
  return createPaymentProvider(account, services, now)
}

async function openProvider(...replies: Reply[]) {
  const service = await openStubService()
  service.replies(...replies)
  return { service, provider: providerAt(service.url) }
}

const json = { accept: 'application/json', 'content-type': 'application/json' }
const token = { status: 201, json: sampleOf('payment', 'auth-token.fresh') }
const transaction = { status: 200, json: sampleOf('payment', 'transaction.inquiry') }
const tokenPath = '/api/auth/tokens'
const inquiryPath = '/api/ecommerce/orders/transaction_inquiry'
const bearer = 'Bearer c2FtcGxlLWJlYXJlci10b2tlbg'

/** The report of both the stored inquiry and the stored success callback. */
const report = {
  transactionId: '9000001',
  kind: 'succeeded',
  providerOrderId: 7_000_001,
  merchantReference: '42-1',
  amountHalalas: 15_500,
  currency: 'SAR',
  orderPaidHalalas: 15_500,
  refundedHalalas: 0,
  isChild: false,
  dropped: [],
}

const intentionRequest: IntentionRequest = {
  reference: '42-1',
  orderId: 42,
  amountHalalas: 15_500,
  currency: 'SAR',
  lifeSeconds: 3_600,
  customer: { name: 'Abdullah', phone: '+966500000001' },
}

describe('the caller’s signal', () => {
  type Ask = (provider: PaymentProvider, signal: AbortSignal) => Promise<unknown>
  const inquire: Ask = (provider, signal) => provider.inquire({ reference: '42-1' }, signal)
  const create: Ask = (provider, signal) => provider.createIntention(intentionRequest, signal)

  it.each<[string, Reply[], Ask, Failing]>([
    ['the token', ['hang'], inquire, UnreachableError],
    ['an inquiry', [token, 'hang'], inquire, UnreachableError],
    ['a creation', ['hang'], create, OutcomeUnknownError],
  ])('ends the request for %s, and none follows', async (_, replies, ask, kind) => {
    const { service, provider } = await openProvider(...replies)
    const ending = new AbortController()
    const answer = ask(provider, ending.signal)
    await eventually(async () => (service.requests.length === replies.length ? true : undefined))
    ending.abort()
    await expect(answer).rejects.toBeInstanceOf(kind)
    expect(service.requests).toHaveLength(replies.length)
  })
})

describe('createIntention', () => {
  const created = { status: 201, json: sampleOf('payment', 'intention.created') }

  it('requests with the secret key one item of the whole amount, with both URLs and an explicit lifetime', async () => {
    const { service, provider } = await openProvider(created)
    expect(await provider.createIntention(intentionRequest)).toEqual({
      intentionId: 'pi_test_0123456789abcdef0123456789abcdef',
      providerOrderId: 7_000_001,
      clientSecret: 'sau_csk_test_0123456789abcdef0123456789abcdef',
    })
    expect(service.requests).toEqual([
      {
        method: 'POST',
        path: '/v1/intention/',
        headers: { ...json, authorization: 'Token sau_sk_test_1' },
        body: expect.any(String),
      },
    ])
    const sample = sampleOf('payment', 'create-intention-request.one-line')
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
      ...sample,
      items: [{ name: 'OD-42', amount: 15_500, quantity: 1 }],
      billing_data: { ...sample.billing_data, email: 'care@amtiati.example', country: 'SA' },
    })
  })

  it.each([
    ['bad-key', 401],
    ['unknown-integration', 404],
    ['missing-field', 400],
    ['items-sum', 406],
  ])('treats %s with %i as a refusal, with the body for the log', async (sample, status) => {
    const body = sampleOf('payment', `payment-error.${sample}`)
    const { service, provider } = await openProvider({ status, json: body })
    const error = await provider.createIntention(intentionRequest).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ProviderRefusal)
    expect(error).toMatchObject({ status, body })
    expect(service.requests).toHaveLength(1)
  })

  it.each<[string, Failing, Reply]>([
    [
      'success without a secret',
      ProviderRefusal,
      { status: 201, json: { ...created.json, client_secret: undefined } },
    ],
    ['success that is no JSON', ProviderRefusal, { status: 200, text: 'OK' }],
    ['a 500', ProviderRefusal, { status: 500, json: created.json }],
    ['a broken connection', OutcomeUnknownError, 'reset'],
  ])('fails with the kind that says what is known after %s, and is not repeated', async (_, kind, reply) => {
    const { service, provider } = await openProvider(reply)
    await expect(provider.createIntention(intentionRequest)).rejects.toBeInstanceOf(kind)
    expect(service.requests).toHaveLength(1)
  })
})

describe('inquire', () => {
  const asked = { providerOrderId: 7_000_001 }

  it('requests a token with the API key, then asks with it by the provider’s order number', async () => {
    const { service, provider } = await openProvider(token, transaction)
    expect(await provider.inquire(asked)).toEqual({ ...report, refundedHalalas: null, raw: storedRaw })
    expect(service.requests.map(({ body }) => JSON.parse(body))).toEqual([
      sampleOf('payment', 'auth-token-request.api-key'),
      { order_id: 7_000_001 },
    ])
    expect(service.requests.map(({ method, path, headers }) => ({ method, path, headers }))).toEqual([
      { method: 'POST', path: tokenPath, headers: json },
      { method: 'POST', path: inquiryPath, headers: { ...json, authorization: bearer } },
    ])
  })

  it('asks by our reference where the provider’s number is unknown', async () => {
    const { service, provider } = await openProvider(token, transaction)
    expect(await provider.inquire({ reference: '42-1' })).toMatchObject({ providerOrderId: 7_000_001 })
    expect(JSON.parse(service.requests[1]?.body ?? '')).toEqual(
      sampleOf('payment', 'inquiry-request.by-reference'),
    )
  })

  it('returns the payment where the newest transaction is its refund', async () => {
    const child = { status: 200, json: sampleOf('payment', 'transaction-callback.refund-child').obj }
    const parent = { status: 200, json: sampleOf('payment', 'transaction-callback.refunded-parent').obj }
    const { service, provider } = await openProvider(token, child, parent)
    expect(await provider.inquire(asked)).toMatchObject({ transactionId: '9000001', kind: 'refunded' })
    expect(service.requests[2]).toEqual({
      method: 'GET',
      path: '/api/acceptance/transactions/9000001',
      headers: { accept: 'application/json', authorization: bearer },
      body: '',
    })
  })

  it('refuses a refund whose payment cannot be read', async () => {
    const { obj } = sampleOf('payment', 'transaction-callback.refund-child')
    const unknown = await openProvider(token, { status: 200, json: obj }, { status: 404, json: {} })
    await expect(unknown.provider.inquire(asked)).rejects.toThrow('inquiry: unreadable parent')
    const unnamed = await openProvider(token, { status: 200, json: { ...obj, parent_transaction: {} } })
    await expect(unnamed.provider.inquire(asked)).rejects.toThrow('inquiry: unreadable parent')
  })

  it('returns no report where the provider knows no transaction', async () => {
    const { provider } = await openProvider(token, { status: 404, json: { detail: 'Not found.' } })
    expect(await provider.inquire(asked)).toBeUndefined()
  })

  it('reuses the token and renews it five minutes before its hour ends', async () => {
    const service = await openStubService()
    let at = noon
    const provider = providerAt(service.url, () => at)
    service.always(tokenPath, token)
    service.always(inquiryPath, transaction)
    const tokensAsked = () => service.requests.filter(({ path }) => path === tokenPath).length

    await provider.inquire(asked)
    at = noon + 55 * minute - 1
    await provider.inquire(asked)
    expect(tokensAsked()).toBe(1)
    at = noon + 55 * minute
    await provider.inquire(asked)
    expect(tokensAsked()).toBe(2)
  })

  it('requests a new token once when the old one is refused', async () => {
    const refused = { status: 401, json: { detail: 'expired' } }
    const fresh = { status: 200, json: { token: 'new-token' } }
    const { service, provider } = await openProvider(token, refused, fresh, transaction)
    expect(await provider.inquire(asked)).toMatchObject({ transactionId: '9000001' })
    expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer new-token')
    expect(service.requests).toHaveLength(4)
  })

  it('fails when the new token is refused as well', async () => {
    const refused = { status: 401, json: { detail: 'expired' } }
    const { service, provider } = await openProvider(token, refused, token, refused)
    await expect(provider.inquire(asked)).rejects.toMatchObject({ name: 'ProviderRefusal', status: 401 })
    expect(service.requests).toHaveLength(4)
  })

  it.each<[string, Reply, Reply]>([
    ['a refused API key', { status: 401, json: sampleOf('payment', 'payment-error.bad-key') }, transaction],
    ['a token that is no token', { status: 201, json: { token: 7 } }, transaction],
    ['a 500', token, { status: 500, json: transaction.json }],
    [
      'a transaction without its signed fields',
      token,
      { status: 200, json: { id: 9_000_001, success: true } },
    ],
    ['another order', token, { status: 200, json: { ...transaction.json, order: { id: 7_000_002 } } }],
    ['a list', token, { status: 200, json: [transaction.json] }],
  ])('treats %s as a refusal', async (_, first, second) => {
    const { service, provider } = await openProvider()
    service.always(tokenPath, first)
    service.always(inquiryPath, second)
    await expect(provider.inquire(asked)).rejects.toBeInstanceOf(ProviderRefusal)
  })

  it('refuses an answer about another reference', async () => {
    const { provider } = await openProvider(token, transaction)
    await expect(provider.inquire({ reference: '42-2' })).rejects.toBeInstanceOf(ProviderRefusal)
  })
})

describe('readTransaction', () => {
  it('returns no report of an unknown transaction', async () => {
    const { provider } = await openProvider(token, { status: 404, json: { detail: 'Not found.' } })
    expect(await provider.readTransaction('9000001')).toBeUndefined()
  })

  it('refuses an answer about another transaction', async () => {
    const { provider } = await openProvider(token, transaction)
    await expect(provider.readTransaction('9000002')).rejects.toBeInstanceOf(ProviderRefusal)
  })
})

describe('refund', () => {
  const done = { status: 200, json: sampleOf('payment', 'reversal.refund') }

  it('requests the whole amount of the transaction with the secret key', async () => {
    const { service, provider } = await openProvider(done)
    await provider.refund('9000001', 15_500)
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual(sampleOf('payment', 'refund-request.full'))
    expect(service.requests).toEqual([
      {
        method: 'POST',
        path: '/api/acceptance/void_refund/refund',
        headers: { ...json, authorization: 'Token sau_sk_test_1' },
        body: expect.any(String),
      },
    ])
  })

  it.each<[string, Reply]>([
    ['accepts it with 200', done],
    ['accepts it with 201', { ...done, status: 201 }],
    ['is still working', { status: 200, json: { ...done.json, success: false, pending: true } }],
  ])('resolves when the provider %s', async (_, reply) => {
    const { provider } = await openProvider(reply)
    await expect(provider.refund('9000001', 15_500)).resolves.toBeUndefined()
  })

  const tooLarge = sampleOf('payment', 'payment-error.refund-too-large')
  const refused = sampleOf('payment', 'reversal.refused')
  it.each<[string, Failing, Reply]>([
    ['more than can be refunded', ProviderRefusal, { status: 400, json: tooLarge }],
    ['a success with `success: false`', ProviderRefusal, { status: 200, json: refused }],
    ['a 500', ProviderRefusal, { status: 500, json: {} }],
    ['success that is no JSON', OutcomeUnknownError, { status: 200, text: 'OK' }],
    ['success that is a list', OutcomeUnknownError, { status: 201, json: [done.json] }],
    ['success without a field `success`', OutcomeUnknownError, { status: 201, json: { id: 1 } }],
    ['a broken connection', OutcomeUnknownError, 'reset'],
  ])('fails with the kind that says what is known after %s, and is not repeated', async (_, kind, reply) => {
    const { service, provider } = await openProvider(reply)
    await expect(provider.refund('9000001', 15_500)).rejects.toBeInstanceOf(kind)
    expect(service.requests).toHaveLength(1)
  })
})

describe('readCallback', () => {
  const provider = providerAt('http://127.0.0.1:9')
  const success = sampleOf('payment', 'transaction-callback.success')
  const declined = sampleOf('payment', 'transaction-callback.declined')

  it('reads the sample success', () => {
    expect(provider.readCallback(success, golden.success)).toEqual({
      outcome: 'report',
      secret: 'current',
      report: { ...report, raw: storedRaw },
      // The signed text would also match these orders, under other owners.
      otherOrderIds: [700_000, 70_000_015_000],
    })
  })

  it('accepts the previous secret while both are configured, and says which one signed', () => {
    const during = providerAt('http://127.0.0.1:9', undefined, undefined, {
      hmacSecret: 'a-new-hmac-secret',
      previousHmacSecret: 'test-hmac-secret',
    })
    expect(during.readCallback(success, golden.success)).toMatchObject({
      outcome: 'report',
      secret: 'previous',
    })
    const text = transactionSignatureText(success.obj)
    const byNew = createHmac('sha512', 'a-new-hmac-secret').update(text).digest('hex')
    expect(during.readCallback(success, byNew)).toMatchObject({ outcome: 'report', secret: 'current' })
    expect(during.readCallback(success, golden.declined)).toEqual({ outcome: 'forged' })
    const card = sampleOf('payment', 'token-callback.saved-card')
    const byOld = signed(tokenSignatureText(card.obj))
    expect(during.readCallback(card, byOld)).toEqual({ outcome: 'acknowledged', type: 'TOKEN' })
    const after = providerAt('http://127.0.0.1:9', undefined, undefined, { hmacSecret: 'a-new-hmac-secret' })
    expect(after.readCallback(success, golden.success)).toEqual({ outcome: 'forged' })
  })

  it('reads the sample decline as failed', () => {
    expect(provider.readCallback(declined, golden.declined)).toMatchObject({
      outcome: 'report',
      report: { kind: 'failed' },
    })
  })

  it.each<[string, string | undefined]>([
    ['missing', undefined],
    ['empty', ''],
    ['of another callback', golden.declined],
    ['truncated', golden.success.slice(0, -1)],
    ['lengthened', `${golden.success}0`],
    ['in capitals', golden.success.toUpperCase()],
    ['as long and not hexadecimal', 'ع'.repeat(128)],
    ['off by its last digit', `${golden.success.slice(0, -1)}0`],
  ])('refuses a signature that is %s', (_, signature) => {
    expect(provider.readCallback(success, signature)).toEqual({ outcome: 'forged' })
  })

  const { obj } = success
  it.each([
    ...[{ amount_cents: 1 }, { amount_cents: obj.amount_cents + 1 }, { currency: 'EGP' }],
    ...[{ id: 9_000_009 }, { integration_id: 16_001 }, { owner: obj.owner + 1 }],
    ...[{ order: { ...obj.order, id: 7_000_002 } }, { created_at: '2026-01-15T18:52:15.803662+03:00' }],
    ...[{ success: false }, { pending: true }, { error_occured: true }, { is_refunded: true }],
    ...[{ is_voided: true }, { is_auth: true }, { is_capture: true }, { has_parent_transaction: true }],
    ...[{ is_3d_secure: !obj.is_3d_secure }, { is_standalone_payment: !obj.is_standalone_payment }],
    ...['pan', 'type', 'sub_type'].map((name) => ({ source_data: { ...obj.source_data, [name]: '0000' } })),
  ])('refuses a callback in which %j was changed after it was signed', (change) => {
    const changed = { ...success, obj: { ...obj, ...change } }
    expect(provider.readCallback(changed, golden.success)).toEqual({ outcome: 'forged' })
  })

  it.each(['0001-01-01T00:00:00', '2026-02-30T10:00:00.000000+03:00', '2119-01-15T18:52:15'])(
    'reads a callback whose time cannot be, such as %s',
    (created_at) => {
      const changed = { ...success, obj: { ...obj, created_at } }
      const reading = provider.readCallback(changed, signed(transactionSignatureText(changed.obj)))
      expect(reading).toMatchObject({
        outcome: 'report',
        report: { transactionId: String(obj.id), kind: 'succeeded' },
      })
    },
  )

  it('refuses another transaction with the same signed text, made by moving digits', () => {
    const { id, integration_id } = success.obj
    const digits = `${id}${integration_id}`
    for (const cut of [String(id).length + 1, String(id).length - 1]) {
      const moved = { id: Number(digits.slice(0, cut)), integration_id: Number(digits.slice(cut)) }
      const changed = { ...success, obj: { ...success.obj, ...moved } }
      expect(provider.readCallback(changed, golden.success)).toEqual({ outcome: 'forged' })
    }
  })

  it('acknowledges a saved card and the older shape without a report', () => {
    const card = sampleOf('payment', 'token-callback.saved-card')
    const acknowledged = { outcome: 'acknowledged', type: 'TOKEN' }
    expect(provider.readCallback(card, signed(tokenSignatureText(card.obj)))).toEqual(acknowledged)
    const unverifiable = { ...card, obj: { ...card.obj, masked_pan: null } }
    expect(provider.readCallback(unverifiable, undefined)).toEqual(acknowledged)
    const flash = { intention: { id: 'pi_1' }, transaction: { id: 1, status: true }, hmac: 'x' }
    expect(provider.readCallback(flash, undefined)).toEqual({
      outcome: 'hint',
      type: 'flash',
      intentionId: 'pi_1',
    })
  })

  it.each([undefined, '', golden.success])('refuses a saved card with the signature %s', (signature) => {
    const card = sampleOf('payment', 'token-callback.saved-card')
    expect(provider.readCallback(card, signature)).toEqual({ outcome: 'forged' })
  })

  it('verifies the signature of a transaction with another type', () => {
    const posing = { ...success, intention: {}, transaction: {}, obj: success.obj }
    expect(provider.readCallback(posing, undefined).outcome).not.toBe('report')
    expect(provider.readCallback({ ...success, type: 'TOKEN' }, undefined).outcome).not.toBe('report')
  })

  it.each([undefined, null, 'text', 7, [], {}, { type: 'TRANSACTION' }, { type: 'TRANSACTION', obj: null }])(
    'treats %j as unreadable',
    (body) => {
      expect(provider.readCallback(body, golden.success)).toEqual({ outcome: 'unreadable' })
    },
  )

  it('treats a transaction without a signed field as unreadable', () => {
    const { owner: _, ...withoutOwner } = success.obj
    expect(provider.readCallback({ ...success, obj: withoutOwner }, golden.success)).toEqual({
      outcome: 'unreadable',
    })
  })
})

/**
 * The sample of developers.paymob.com (webhook-callbacks-and-hmac/hmac/hmac-transaction-callback), with the text the
 * page joins of it. The page hides its secret, so the signature is made with ours.
 */
const documented = {
  text: '1000002024-06-13T11:33:44.592345EGPfalsefalse1920364654097558truefalsefalsefalsetruefalse217503754302852false2346MasterCardcardtrue',
  obj: {
    id: 192_036_465,
    pending: false,
    amount_cents: 100_000,
    success: true,
    is_auth: false,
    is_capture: false,
    is_standalone_payment: true,
    is_voided: false,
    is_refunded: false,
    is_3d_secure: true,
    integration_id: 4_097_558,
    has_parent_transaction: false,
    order: { id: 217_503_754, merchant_order_id: null, paid_amount_cents: 100_000 },
    created_at: '2024-06-13T11:33:44.592345',
    currency: 'EGP',
    source_data: { pan: '2346', type: 'card', tenure: null, sub_type: 'MasterCard' },
    error_occured: false,
    is_void: false,
    is_refund: false,
    refunded_amount_cents: null,
    captured_amount: null,
    is_captured: false,
    is_live: false,
    data: { message: 'Approved', txn_response_code: 'APPROVED', acq_response_code: '00' },
    payment_key_claims: { extra: {}, order_id: 217_503_754 },
    owner: 302_852,
    parent_transaction: null,
  },
}

describe('published samples', () => {
  const provider = providerAt('http://127.0.0.1:9', () => noon, 4_097_558)
  const read = (change: object) => {
    const obj = { ...documented.obj, ...change }
    return provider.readCallback({ type: 'TRANSACTION', obj }, signed(documented.text))
  }
  const paid = {
    outcome: 'report',
    report: {
      transactionId: '192036465',
      kind: 'succeeded',
      providerOrderId: 217_503_754,
      amountHalalas: 100_000,
      currency: 'EGP',
    },
  }

  it('join to the signed text of the provider’s page', () => {
    expect(transactionSignatureText(documented.obj)).toBe(documented.text)
    expect(read({})).toMatchObject({ ...paid, report: { ...paid.report, dropped: [] } })
  })

  it('have the digest of Odoo’s fixture (odoo/odoo, addons/payment_paymob/tests/common.py)', () => {
    const text = redirectSignatureText({
      amount_cents: '111111',
      created_at: '2025-04-01T17:29:16.967925',
      currency: 'EGP',
      error_occured: 'false',
      has_parent_transaction: 'false',
      id: 'dummy_id',
      integration_id: '1234',
      is_3d_secure: 'true',
      is_auth: 'false',
      is_capture: 'false',
      is_refunded: 'false',
      is_standalone_payment: 'true',
      is_voided: 'false',
      order: '123',
      owner: '12',
      pending: 'false',
      'source_data.pan': '1111',
      'source_data.sub_type': 'Visa',
      'source_data.type': 'card',
      success: 'true',
    })
    expect(createHmac('sha512', 'dummy_hmac').update(text).digest('hex')).toBe(
      '51860052ecc6d9f08ac30a549359019e2eee837913b5673094c242c817ddf57c055ba5e3e9c0894b1171e62c2d37cd55ff98a46a0e28e1ccf2e4a907e6683aa5',
    )
  })

  const { order, data } = documented.obj
  it.each<[string, object, string[]]>([
    ['a numeric response code', { data: { ...data, txn_response_code: 200 } }, []],
    ['a list for its data', { data: [] }, []],
    ['a list for its extras', { payment_key_claims: { extra: [] } }, []],
    ['a text for the captured amount', { captured_amount: '0.00' }, []],
    ['nothing for is_captured', { is_captured: null }, []],
    ['nothing for is_live', { is_live: null }, []],
    ['an object for its parent', { parent_transaction: {} }, ['parent_transaction']],
    ['a numeric reference', { order: { ...order, merchant_order_id: 42 } }, []],
    ['a numeric payment status', { order: { ...order, payment_status: 1 } }, []],
    [
      'a list for its reference',
      { order: { ...order, merchant_order_id: ['42'] } },
      ['order.merchant_order_id'],
    ],
    [
      'text for unsigned numbers',
      { refunded_amount_cents: 'none', order: { ...order, paid_amount_cents: {} } },
      ['refunded_amount_cents', 'order.paid_amount_cents'],
    ],
    ['text for unsigned flags', { is_void: 'false', is_refund: 0 }, ['is_void', 'is_refund']],
    [
      'no field but the signed ones',
      { data: undefined, payment_key_claims: undefined, order: { id: order.id } },
      [],
    ],
  ])('report a payment with %s, in a callback and in an inquiry', async (_, change, dropped) => {
    const expected = { ...paid.report, dropped }
    expect(read(change)).toMatchObject({ outcome: 'report', report: expected })
    const { provider: asked } = await openProvider(token, {
      status: 200,
      json: { ...documented.obj, ...change },
    })
    expect(await asked.inquire({ providerOrderId: 217_503_754 })).toMatchObject(expected)
  })

  it('store no object of a field without a guaranteed type', () => {
    const reading = read({ data: { message: { billing_data: { first_name: 'Maryam' } } }, is_live: { a: 1 } })
    expect(JSON.stringify(reading)).not.toContain('Maryam')
  })

  it.each<[string, object]>([
    ['500 of the year 02026', { amount_cents: 1_000, created_at: '002024-06-13T11:33:44.592345' }],
    [
      'ten times as much of the year 024',
      { amount_cents: 1_000_002, created_at: '024-06-13T11:33:44.592345' },
    ],
    ['a longer currency', { created_at: '2024-06-13T11:33:44.59234', currency: '5EGP' }],
    ['another order of another owner', { order: { id: 21_750_375 }, owner: 4_302_852 }],
  ])('do not read the signed text as %s', (_, change) => {
    const obj = { ...documented.obj, ...change }
    expect(signed(transactionSignatureText(obj as never))).toBe(signed(documented.text))
    const reading = provider.readCallback({ type: 'TRANSACTION', obj }, signed(documented.text))
    // The signed text does not separate order and owner: every order number it may stand for is returned.
    if (reading.outcome === 'report') expect(reading.otherOrderIds).toContain(217_503_754)
    else expect(reading.outcome).toBe('unreadable')
  })

  it('open a payment with a minimal intention', async () => {
    const json = {
      client_secret: 'secret',
      intention_order_id: '265715202',
      status: null,
      intention_detail: [],
    }
    const { provider: asked } = await openProvider({ status: 200, json })
    const intention = { intentionId: null, providerOrderId: 265_715_202, clientSecret: 'secret' }
    expect(await asked.createIntention(intentionRequest)).toEqual(intention)
  })
})
