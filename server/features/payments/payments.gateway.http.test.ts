import { describe, expect, it } from 'vitest'
import { createOutsider } from '#server/platform/outsider.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import { nobodyThere, openOutsider, type Reply, sampleOf } from '#test/kit/outsider.ts'
import { createPaymentGateway } from './payments.gateway.http.ts'
import { type IntentionRequest, ProviderRefusal } from './payments.gateway.ts'

/** What of a transaction is kept is the matter of the map's own test. */
const keptRaw = expect.objectContaining({ id: 9_000_001 })

const noon = 1_800_000_000_000
const minute = 60_000

/** Computed outside this repository; see the golden vector of facts/payments §4. */
const golden = {
  success:
    '192e7e51155c49160f97f8bae7474fe9ead52f562a86a415a96d6b22572652aceac1385c02abd9b29f5ed56c30d5f9e19945a16429be410287c340d21f514fdb',
  declined:
    '2827aacd69a43fbff15ea81db72a0f2c9a094fa731cd810b76d567ebebb1615a8b70b2eed0acbc3214599b8ffdc3ade5bad39a66c54b1567200cf16ce4ecad68',
}

function gatewayAt(baseUrl: string, now = () => noon) {
  const account = {
    baseUrl,
    secretKey: 'sau_sk_test_1',
    apiKey: 'c2FtcGxlLWFwaS1rZXk=',
    hmacSecret: 'test-hmac-secret',
    integrationId: 16_000,
    notificationUrl: 'https://shop.example/payments/callback',
    redirectionUrl: 'https://shop.example/thank-you',
  }
  return createPaymentGateway(account, createOutsider('payment'), now)
}

async function openGateway(...replies: Reply[]) {
  const outsider = await openOutsider()
  outsider.replies(...replies)
  return { outsider, gateway: gatewayAt(outsider.url) }
}

const json = { accept: 'application/json', 'content-type': 'application/json' }
const token = { status: 201, json: sampleOf('payment', 'auth-token.fresh') }
const transaction = { status: 200, json: sampleOf('payment', 'transaction.inquiry') }
const tokenPath = '/api/auth/tokens'
const inquiryPath = '/api/ecommerce/orders/transaction_inquiry'
const bearer = 'Bearer c2FtcGxlLWJlYXJlci10b2tlbg'

/** What both the stored inquiry and the stored success callback say. */
const report = {
  transactionId: '9000001',
  kind: 'succeeded',
  providerOrderId: 7_000_001,
  merchantReference: '42-1',
  amountHalalas: 15_500,
  currency: 'SAR',
  orderPaidHalalas: 15_500,
  refundedHalalas: 0,
}

describe('createIntention', () => {
  const wish: IntentionRequest = {
    reference: '42-1',
    orderId: 42,
    amountHalalas: 15_500,
    currency: 'SAR',
    lifeSeconds: 3_600,
    customer: { name: 'Abdullah', phone: '+966500000001' },
  }
  const created = { status: 201, json: sampleOf('payment', 'intention.created') }

  it('asks for one line of the whole amount, with both addresses and a life of its own', async () => {
    const { outsider, gateway } = await openGateway(created)
    await gateway.createIntention(wish)
    const sample = sampleOf('payment', 'create-intention-request.one-line')
    expect(JSON.parse(outsider.heard[0]?.body ?? '')).toEqual({
      ...sample,
      items: [{ name: 'OD-42', amount: 15_500, quantity: 1 }],
      billing_data: { ...sample.billing_data, email: 'care@amtiati.example', country: 'SA' },
    })
  })

  it('shows the secret key as a token', async () => {
    const { outsider, gateway } = await openGateway(created)
    await gateway.createIntention(wish)
    expect(outsider.heard).toEqual([
      {
        method: 'POST',
        path: '/v1/intention/',
        headers: { ...json, authorization: 'Token sau_sk_test_1' },
        body: expect.any(String),
      },
    ])
  })

  it('answers what the widget and the callback are known by', async () => {
    const { gateway } = await openGateway(created)
    expect(await gateway.createIntention(wish)).toEqual({
      intentionId: 'pi_test_0123456789abcdef0123456789abcdef',
      providerOrderId: 7_000_001,
      clientSecret: 'sau_csk_test_0123456789abcdef0123456789abcdef',
    })
  })

  it.each([
    ['bad-key', 401],
    ['unknown-integration', 404],
    ['missing-field', 400],
    ['items-sum', 406],
  ])('takes %s with %i as a no, and keeps the body for the log', async (sample, status) => {
    const body = sampleOf('payment', `payment-error.${sample}`)
    const { outsider, gateway } = await openGateway({ status, json: body })
    const error = await gateway.createIntention(wish).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ProviderRefusal)
    expect(error).toMatchObject({ status, body })
    expect(outsider.heard).toHaveLength(1)
  })

  it.each<[string, Reply]>([
    ['success without a secret', { status: 201, json: { ...created.json, client_secret: undefined } }],
    ['success that is no JSON', { status: 200, text: 'OK' }],
    ['a 500', { status: 500, json: created.json }],
  ])('takes %s as a no', async (_, reply) => {
    const { gateway } = await openGateway(reply)
    await expect(gateway.createIntention(wish)).rejects.toBeInstanceOf(ProviderRefusal)
  })

  it('is in doubt when the connection breaks, and asks once', async () => {
    const { outsider, gateway } = await openGateway('reset')
    const error = await gateway.createIntention(wish).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Unreachable)
    expect(error).toMatchObject({ doubtful: true })
    expect(outsider.heard).toHaveLength(1)
  })

  it('is not in doubt when nobody is there', async () => {
    const gateway = gatewayAt(await nobodyThere())
    await expect(gateway.createIntention(wish)).rejects.toMatchObject({ doubtful: false })
  })
})

describe('inquire', () => {
  const asked = { providerOrderId: 7_000_001 }

  it('asks for a token first, and then by the provider’s own order number', async () => {
    const { outsider, gateway } = await openGateway(token, transaction)
    await gateway.inquire(asked)
    expect(outsider.heard.map(({ body }) => JSON.parse(body))).toEqual([
      sampleOf('payment', 'auth-token-request.api-key'),
      { order_id: 7_000_001 },
    ])
  })

  it('asks by our own reference where the provider’s number never came', async () => {
    const { outsider, gateway } = await openGateway(token, transaction)
    expect(await gateway.inquire({ reference: '42-1' })).toMatchObject({ providerOrderId: 7_000_001 })
    expect(JSON.parse(outsider.heard[1]?.body ?? '')).toEqual(
      sampleOf('payment', 'inquiry-request.by-reference'),
    )
  })

  it('shows the API key to the first call and the token to the second', async () => {
    const { outsider, gateway } = await openGateway(token, transaction)
    await gateway.inquire(asked)
    expect(outsider.heard.map(({ method, path, headers }) => ({ method, path, headers }))).toEqual([
      { method: 'POST', path: tokenPath, headers: json },
      { method: 'POST', path: inquiryPath, headers: { ...json, authorization: bearer } },
    ])
  })

  it('reads the stored sample', async () => {
    const { gateway } = await openGateway(token, transaction)
    expect(await gateway.inquire(asked)).toEqual({ ...report, refundedHalalas: null, raw: keptRaw })
  })

  it('answers the payment where the newest transaction is its refund', async () => {
    const child = { status: 200, json: sampleOf('payment', 'transaction-callback.refund-child').obj }
    const parent = { status: 200, json: sampleOf('payment', 'transaction-callback.refunded-parent').obj }
    const { outsider, gateway } = await openGateway(token, child, parent)
    expect(await gateway.inquire(asked)).toMatchObject({ transactionId: '9000001', kind: 'refunded' })
    expect(outsider.heard[2]).toEqual({
      method: 'GET',
      path: '/api/acceptance/transactions/9000001',
      headers: { accept: 'application/json', authorization: bearer },
      body: '',
    })
  })

  it('answers the refund where its payment is not to be had', async () => {
    const child = { status: 200, json: sampleOf('payment', 'transaction-callback.refund-child').obj }
    const { gateway } = await openGateway(token, child, { status: 404, json: {} })
    expect(await gateway.inquire(asked)).toMatchObject({ transactionId: '9000002', kind: 'refunded' })
  })

  it('has no report where the provider knows no transaction yet', async () => {
    const { gateway } = await openGateway(token, { status: 404, json: { detail: 'Not found.' } })
    expect(await gateway.inquire(asked)).toBeUndefined()
  })

  it('keeps the token and renews it five minutes before its hour is over', async () => {
    const outsider = await openOutsider()
    let at = noon
    const gateway = gatewayAt(outsider.url, () => at)
    outsider.always(tokenPath, token)
    outsider.always(inquiryPath, transaction)
    const tokensAsked = () => outsider.heard.filter(({ path }) => path === tokenPath).length

    await gateway.inquire(asked)
    at = noon + 55 * minute - 1
    await gateway.inquire(asked)
    expect(tokensAsked()).toBe(1)
    at = noon + 55 * minute
    await gateway.inquire(asked)
    expect(tokensAsked()).toBe(2)
  })

  it('asks for a new token once when the old one is refused', async () => {
    const refused = { status: 401, json: { detail: 'expired' } }
    const fresh = { status: 200, json: { token: 'new-token' } }
    const { outsider, gateway } = await openGateway(token, refused, fresh, transaction)
    expect(await gateway.inquire(asked)).toMatchObject({ transactionId: '9000001' })
    expect(outsider.heard.at(-1)?.headers.authorization).toBe('Bearer new-token')
    expect(outsider.heard).toHaveLength(4)
  })

  it('gives up when the new token is refused as well', async () => {
    const refused = { status: 401, json: { detail: 'expired' } }
    const { outsider, gateway } = await openGateway(token, refused, token, refused)
    await expect(gateway.inquire(asked)).rejects.toMatchObject({ name: 'ProviderRefusal', status: 401 })
    expect(outsider.heard).toHaveLength(4)
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
  ])('takes %s as a no', async (_, first, second) => {
    const { outsider, gateway } = await openGateway()
    outsider.always(tokenPath, first)
    outsider.always(inquiryPath, second)
    await expect(gateway.inquire(asked)).rejects.toBeInstanceOf(ProviderRefusal)
  })

  it('does not take an answer about another reference', async () => {
    const { gateway } = await openGateway(token, transaction)
    await expect(gateway.inquire({ reference: '42-2' })).rejects.toBeInstanceOf(ProviderRefusal)
  })

  it('says so when the connection breaks', async () => {
    const { outsider, gateway } = await openGateway()
    outsider.always(tokenPath, token)
    outsider.always(inquiryPath, 'reset')
    await expect(gateway.inquire(asked)).rejects.toBeInstanceOf(Unreachable)
  })
})

describe('readTransaction', () => {
  it('asks for one transaction by its number', async () => {
    const { outsider, gateway } = await openGateway(token, transaction)
    await gateway.readTransaction('9000001')
    expect(outsider.heard[1]).toEqual({
      method: 'GET',
      path: '/api/acceptance/transactions/9000001',
      headers: { accept: 'application/json', authorization: bearer },
      body: '',
    })
  })

  it('reads the stored sample', async () => {
    const { gateway } = await openGateway(token, transaction)
    expect(await gateway.readTransaction('9000001')).toEqual({
      ...report,
      refundedHalalas: null,
      raw: keptRaw,
    })
  })

  it('has no report of what the provider does not know', async () => {
    const { gateway } = await openGateway(token, { status: 404, json: { detail: 'Not found.' } })
    expect(await gateway.readTransaction('9000001')).toBeUndefined()
  })

  it('takes an answer about another transaction as a no', async () => {
    const { gateway } = await openGateway(token, transaction)
    await expect(gateway.readTransaction('9000002')).rejects.toBeInstanceOf(ProviderRefusal)
  })
})

describe('refund', () => {
  const done = { status: 200, json: sampleOf('payment', 'reversal.refund') }

  it('asks for the whole amount of the transaction', async () => {
    const { outsider, gateway } = await openGateway(done)
    await gateway.refund('9000001', 15_500)
    expect(JSON.parse(outsider.heard[0]?.body ?? '')).toEqual(sampleOf('payment', 'refund-request.full'))
  })

  it('shows the secret key as a token', async () => {
    const { outsider, gateway } = await openGateway(done)
    await gateway.refund('9000001', 15_500)
    expect(outsider.heard).toEqual([
      {
        method: 'POST',
        path: '/api/acceptance/void_refund/refund',
        headers: { ...json, authorization: 'Token sau_sk_test_1' },
        body: expect.any(String),
      },
    ])
  })

  it.each([200, 201])('resolves when the provider took it with %i', async (status) => {
    const { gateway } = await openGateway({ ...done, status })
    await expect(gateway.refund('9000001', 15_500)).resolves.toBeUndefined()
  })

  it('resolves when the provider is still at it', async () => {
    const { gateway } = await openGateway({
      status: 200,
      json: { ...done.json, success: false, pending: true },
    })
    await expect(gateway.refund('9000001', 15_500)).resolves.toBeUndefined()
  })

  it.each<[string, Reply]>([
    ['more than can go back', { status: 400, json: sampleOf('payment', 'payment-error.refund-too-large') }],
    ['a success that says no', { status: 200, json: sampleOf('payment', 'reversal.refused') }],
    ['a 500', { status: 500, json: {} }],
    ['no JSON', { status: 200, text: 'OK' }],
  ])('takes %s as a no, and asks once', async (_, reply) => {
    const { outsider, gateway } = await openGateway(reply)
    await expect(gateway.refund('9000001', 15_500)).rejects.toBeInstanceOf(ProviderRefusal)
    expect(outsider.heard).toHaveLength(1)
  })

  it('is in doubt when the connection breaks, and asks once', async () => {
    const { outsider, gateway } = await openGateway('reset')
    await expect(gateway.refund('9000001', 15_500)).rejects.toMatchObject({ doubtful: true })
    expect(outsider.heard).toHaveLength(1)
  })
})

describe('readCallback', () => {
  const gateway = gatewayAt('http://127.0.0.1:9')
  const success = sampleOf('payment', 'transaction-callback.success')
  const declined = sampleOf('payment', 'transaction-callback.declined')

  it('takes the golden success', () => {
    expect(gateway.readCallback(success, golden.success)).toEqual({
      outcome: 'report',
      report: { ...report, raw: keptRaw },
    })
  })

  it('takes the golden decline as failed', () => {
    expect(gateway.readCallback(declined, golden.declined)).toMatchObject({
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
    expect(gateway.readCallback(success, signature)).toEqual({ outcome: 'forged' })
  })

  it.each([
    ['amount_cents', 1],
    ['success', false],
    ['is_refunded', true],
    ['currency', 'EGP'],
    ['id', 9_000_009],
    ['created_at', '2026-01-15T18:52:15.803661 03:00'],
  ])('refuses a callback whose %s was changed after it was signed', (field, value) => {
    const changed = { ...success, obj: { ...success.obj, [field]: value } }
    expect(gateway.readCallback(changed, golden.success)).toEqual({ outcome: 'forged' })
  })

  it('refuses a callback that was moved to another order', () => {
    const changed = { ...success, obj: { ...success.obj, order: { ...success.obj.order, id: 7_000_002 } } }
    expect(gateway.readCallback(changed, golden.success)).toEqual({ outcome: 'forged' })
  })

  it('refuses another transaction made of the same signed text, by digits that moved', () => {
    const { id, integration_id } = success.obj
    const digits = `${id}${integration_id}`
    for (const cut of [String(id).length + 1, String(id).length - 1]) {
      const moved = { id: Number(digits.slice(0, cut)), integration_id: Number(digits.slice(cut)) }
      const changed = { ...success, obj: { ...success.obj, ...moved } }
      expect(gateway.readCallback(changed, golden.success)).toEqual({ outcome: 'forged' })
    }
  })

  it('acknowledges a saved card and the older shape, and takes nothing from them', () => {
    const card = sampleOf('payment', 'token-callback.saved-card')
    expect(gateway.readCallback(card, undefined)).toEqual({ outcome: 'acknowledged', type: 'TOKEN' })
    const legacy = { intention: { id: 'pi_1' }, transaction: { id: 1, status: true }, hmac: 'x' }
    expect(gateway.readCallback(legacy, undefined)).toEqual({ outcome: 'acknowledged', type: 'legacy' })
  })

  it('is not talked out of a signature by a transaction that calls itself something else', () => {
    const posing = { ...success, intention: {}, transaction: {}, obj: success.obj }
    expect(gateway.readCallback(posing, undefined).outcome).not.toBe('report')
    expect(gateway.readCallback({ ...success, type: 'TOKEN' }, undefined).outcome).not.toBe('report')
  })

  it.each([undefined, null, 'text', 7, [], {}, { type: 'TRANSACTION' }, { type: 'TRANSACTION', obj: null }])(
    'cannot read %j',
    (body) => {
      expect(gateway.readCallback(body, golden.success)).toEqual({ outcome: 'unreadable' })
    },
  )

  it('cannot read a transaction that lacks a signed field', () => {
    const { owner: _, ...withoutOwner } = success.obj
    expect(gateway.readCallback({ ...success, obj: withoutOwner }, golden.success)).toEqual({
      outcome: 'unreadable',
    })
  })
})
