import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { redirectSignatureText, transactionSignatureText } from '#shared/wire/payment/payment.signature.ts'
import type { TransactionCallback } from '#shared/wire/payment/payment.wire.ts'
import { buildPartner, createIntention, type TestPartner } from '#test/builders/mock-partner.builder.ts'

const sign = (text: string) =>
  createHmac('sha512', demoAccounts.payment.hmacSecret).update(text).digest('hex')

async function setUp(options: Parameters<typeof buildPartner>[0] = {}) {
  const partner = buildPartner(options)
  const intention = await createIntention(partner)
  const { ask } = partner
  const statusOf = async (ref = '42') => (await ask('GET', `/payments/${ref}`)).body.payments[0].status
  return { ...partner, partner, intention, statusOf }
}

const sentBody = (partner: TestPartner, index: number): TransactionCallback => {
  const sent = partner.caught[index]
  if (sent === undefined) throw new Error(`no callback ${index}`)
  return sent.body as TransactionCallback
}

const hasGoodSignature = (partner: TestPartner, index: number): boolean =>
  new URL(partner.caught[index]?.url ?? '').searchParams.get('hmac') ===
  sign(transactionSignatureText(sentBody(partner, index).obj))

/** What an inquiry finds: the status, and the transaction if there is one. */
async function inquire(partner: TestPartner) {
  const answer = await partner.inquire({ merchant_order_id: '42-1' })
  return { status: answer.statusCode, transaction: answer.json() }
}

describe('replay', () => {
  it('of success pays, and answers after the receiver has', async () => {
    const { replay, statusOf, partner, answerCallbacksWith } = await setUp()
    answerCallbacksWith(() => 204)
    const { status, body } = await replay({ outcome: 'success' })
    expect(status).toBe(200)
    expect(body.callbacks).toMatchObject([
      { type: 'TRANSACTION', mode: 'send', state: 'delivered', status: 204, error: null },
    ])
    expect(body.callbacks[0].sentAt).toBe('2026-05-27T09:30:00.000Z')
    expect(sentBody(partner, 0).obj.success).toBe(true)
    expect(hasGoodSignature(partner, 0)).toBe(true)
    const query = Object.fromEntries(new URL(body.redirectUrl).searchParams)
    expect(query).toMatchObject({ success: 'true', merchant_order_id: '42-1' })
    expect(query.hmac).toBe(sign(redirectSignatureText(query)))
    expect(await statusOf()).toBe('paid')
  })

  it('of success a second time makes a second transaction of the same order', async () => {
    const { replay, partner, ask } = await setUp()
    await replay({ outcome: 'success' })
    await replay({ outcome: 'success' })
    const [first, second] = [sentBody(partner, 0).obj, sentBody(partner, 1).obj]
    expect(second.id).not.toBe(first.id)
    expect(second.order.id).toBe(first.order.id)
    const { payments } = (await ask('GET', '/payments/42')).body
    expect(payments[0].transactions).toHaveLength(2)
  })

  it('of success works after the intention has expired: the money can come late', async () => {
    const { replay, statusOf, clock } = await setUp()
    clock.advance(3_600_000)
    expect(await statusOf()).toBe('expired')
    expect((await replay({ outcome: 'success' })).status).toBe(200)
    expect(await statusOf()).toBe('paid')
  })

  it('of decline leaves the payment open', async () => {
    const { replay, statusOf, partner } = await setUp()
    const { body } = await replay({ outcome: 'decline' })
    expect(sentBody(partner, 0).obj).toMatchObject({ success: false, error_occured: true })
    expect(new URL(body.redirectUrl).searchParams.get('success')).toBe('false')
    expect(await statusOf()).toBe('open')
  })

  it('of cancel sends no callback, and its redirect says success=false', async () => {
    const { replay, partner, statusOf } = await setUp()
    const { body } = await replay({ outcome: 'cancel' })
    expect(body.callbacks).toEqual([])
    expect(partner.caught).toEqual([])
    const query = Object.fromEntries(new URL(body.redirectUrl).searchParams)
    expect(query).toMatchObject({ success: 'false', merchant_order_id: '42-1' })
    expect(query.hmac).toBe(sign(redirectSignatureText(query)))
    expect((await inquire(partner)).status).toBe(404)
    expect(await statusOf()).toBe('open')
  })

  it.each([
    ['refund', 'refunded', { is_refunded: true, refunded_amount_cents: 5_000 }, { is_refund: true }],
    ['void', 'voided', { is_voided: true }, { is_void: true }],
  ])(
    'of %s returns the money and sends callbacks about parent and child',
    async (outcome, status, parent, child) => {
      const { replay, statusOf, partner } = await setUp()
      await replay({ outcome: 'success' })
      const { body } = await replay({ outcome })
      expect(body.callbacks).toHaveLength(2)
      expect(sentBody(partner, 1).obj).toMatchObject({ id: sentBody(partner, 0).obj.id, ...parent })
      expect(sentBody(partner, 2).obj).toMatchObject({
        ...child,
        parent_transaction: sentBody(partner, 0).obj.id,
      })
      expect(await statusOf()).toBe(status)
    },
  )

  it('of refund picks the intention that was paid, of success the newest', async () => {
    const { replay, partner, ask } = await setUp()
    await replay({ outcome: 'success' })
    await createIntention(partner, { special_reference: '42-2' })
    await replay({ outcome: 'refund' })
    const statuses = async () =>
      (await ask('GET', '/payments/42')).body.payments.map(
        (each: { reference: string; status: string }) => `${each.reference} ${each.status}`,
      )
    expect(await statuses()).toEqual(['42-2 open', '42-1 refunded'])
    await replay({ outcome: 'success' })
    expect(await statuses()).toEqual(['42-2 paid', '42-1 refunded'])
  })

  it('of refund is refused when nothing was paid', async () => {
    const { replay } = await setUp()
    expect(await replay({ outcome: 'refund' })).toMatchObject({
      status: 409,
      body: { error: 'REPLAY_REFUSED', message: expect.stringContaining('nothing-to-give-back') },
    })
  })

  it('finds a payment by order number, reference and intention id', async () => {
    const { replay, intention, partner } = await setUp()
    for (const ref of ['42', '42-1', intention.id])
      expect((await replay({ outcome: 'decline' }, ref)).status).toBe(200)
    expect(partner.caught).toHaveLength(3)
  })

  it('has no redirect and no callback where the intention names no addresses', async () => {
    const partner = buildPartner()
    const answer = await partner.app.inject({
      method: 'POST',
      url: '/payment/v1/intention/',
      headers: { authorization: `Token ${demoAccounts.payment.secretKey}` },
      payload: {
        amount: 100,
        currency: 'SAR',
        payment_methods: [demoAccounts.payment.integrationId],
        billing_data: {
          first_name: 'A',
          last_name: 'B',
          email: 'a@example.com',
          phone_number: '+966500000001',
        },
      },
    })
    const { body } = await partner.replay({ outcome: 'success' }, answer.json().id)
    expect(body).toEqual({ redirectUrl: null, callbacks: [] })
  })
})

describe('a replayed callback', () => {
  it('that is lost is recorded and not sent, and the payment is made', async () => {
    const { replay, partner, statusOf } = await setUp()
    const { body } = await replay({ outcome: 'success', callback: 'lose' })
    expect(body.callbacks).toMatchObject([{ mode: 'lose', state: 'lost', status: null, attempts: [] }])
    expect(partner.caught).toEqual([])
    expect(await statusOf()).toBe('paid')
    expect((await inquire(partner)).transaction.success).toBe(true)
  })

  it('that comes twice is the same one, sent twice at the same moment', async () => {
    const { replay, partner, answerCallbacksWith } = await setUp()
    const bothArrived = Promise.withResolvers<number>()
    answerCallbacksWith(() => {
      if (partner.caught.length === 2) bothArrived.resolve(200)
      return bothArrived.promise
    })
    const { body } = await replay({ outcome: 'success', callback: 'twice' })
    expect(body.callbacks).toHaveLength(2)
    expect(partner.caught[1]).toEqual(partner.caught[0])
  })

  it.each([
    ['late by itself', { callback: 'late' }, 30_000],
    ['late as asked', { callback: 'late', delayMs: 600_000 }, 600_000],
    ['delayed', { delayMs: 1_500 }, 1_500],
  ])('that is %s is sent after its delay', async (_name, options, delayMs) => {
    const { replay, partner, ask } = await setUp()
    const { body } = await replay({ outcome: 'success', ...options })
    expect(body.callbacks).toMatchObject([{ state: 'waiting', status: null }])
    await ask('POST', '/clock', { advanceMs: delayMs - 1 })
    expect(partner.caught).toEqual([])
    await ask('POST', '/clock', { advanceMs: 1 })
    expect(partner.caught).toHaveLength(1)
  })

  it('that is forged has a bad signature and an unrecorded payment, and is not repeated', async () => {
    const { replay, partner, statusOf, answerCallbacksWith } = await setUp()
    answerCallbacksWith(() => 401)
    const { body } = await replay({ outcome: 'success', callback: 'forge' })
    expect(body.callbacks).toMatchObject([{ state: 'given-up', status: 401, nextAttemptAt: null }])
    expect(sentBody(partner, 0).obj.success).toBe(true)
    expect(new URL(partner.caught[0]?.url ?? '').searchParams.get('hmac')).toMatch(/^[0-9a-f]{128}$/)
    expect(hasGoodSignature(partner, 0)).toBe(false)
    const query = Object.fromEntries(new URL(body.redirectUrl).searchParams)
    expect(query.hmac).not.toBe(sign(redirectSignatureText(query)))
    expect((await inquire(partner)).status).toBe(404)
    expect(await statusOf()).toBe('open')
  })

  it('that forges a refund changes nothing', async () => {
    const { replay, partner, statusOf } = await setUp()
    await replay({ outcome: 'success' })
    await replay({ outcome: 'refund', callback: 'forge' })
    expect(sentBody(partner, 1).obj.is_refunded).toBe(true)
    expect(hasGoodSignature(partner, 1)).toBe(false)
    expect(await statusOf()).toBe('paid')
  })

  it('that does not match has a valid signature over another amount, which inquiry confirms', async () => {
    const { replay, partner } = await setUp()
    await replay({ outcome: 'success', callback: 'mismatch' })
    expect(sentBody(partner, 0).obj.amount_cents).toBe(4_900)
    expect(hasGoodSignature(partner, 0)).toBe(true)
    expect((await inquire(partner)).transaction.amount_cents).toBe(4_900)
  })

  it('that does not match a refund reports a partial one; a void has no amount that could differ', async () => {
    const { replay, partner, statusOf } = await setUp()
    await replay({ outcome: 'success' })
    expect((await replay({ outcome: 'void', callback: 'mismatch' })).status).toBe(409)
    await replay({ outcome: 'refund', callback: 'mismatch' })
    expect(sentBody(partner, 1).obj.refunded_amount_cents).toBe(4_900)
    expect(await statusOf()).toBe('paid')
  })
})

describe('an impossible replay', () => {
  it.each([
    [{}, 'outcome is required'],
    [{ outcome: 'win' }, 'outcome must be one of success, decline, cancel, refund, void'],
    [
      { outcome: 'success', callback: 'never' },
      'callback must be one of send, lose, twice, late, forge, mismatch',
    ],
    [{ outcome: 'success', delayMs: -1 }, 'delayMs must be >= 0'],
    [{ outcome: 'success', delayMs: '5' }, 'delayMs must be integer'],
    [{ outcome: 'success', times: 2 }, 'times is not a known field'],
    [[], 'body must be object'],
  ])('with %j is refused with the invalid field', async (body, message) => {
    const { replay, partner } = await setUp()
    expect(await replay(body)).toEqual({ status: 400, body: { error: 'INVALID_REQUEST', message } })
    expect(partner.caught).toEqual([])
  })

  it('for an unknown ref is a 404 that names it', async () => {
    const { replay } = await setUp()
    expect(await replay({ outcome: 'success' }, '43')).toEqual({
      status: 404,
      body: { error: 'UNKNOWN_REF', message: 'there is no payment for "43"' },
    })
  })

  it('for a body that is no JSON is a 400', async () => {
    const { app } = await setUp()
    const answer = await app.inject({
      method: 'POST',
      url: '/control/payments/42/replay',
      headers: { 'content-type': 'application/json' },
      payload: '{',
    })
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'INVALID_REQUEST'])
  })
})

describe('payments', () => {
  it('are listed newest first with amount, transactions and callbacks', async () => {
    const { replay, partner, ask } = await setUp()
    await createIntention(partner, { special_reference: '43-1', extras: { order_number: 43 } })
    await replay({ outcome: 'success' })
    const { payments } = (await ask('GET', '/payments')).body
    expect(payments).toMatchObject([
      { orderNumber: 43, reference: '43-1', status: 'open', transactions: [], callbacks: [] },
      {
        orderNumber: 42,
        reference: '42-1',
        status: 'paid',
        amount: 5_000,
        currency: 'SAR',
        transactions: [{ kind: 'payment', success: true, amount: 5_000, card: 'MasterCard 2346' }],
        callbacks: [{ status: 200, attempts: [{ status: 200 }] }],
      },
    ])
    expect((await ask('GET', '/payments?limit=1')).body.payments).toHaveLength(1)
    expect((await ask('GET', '/payments?limit=many')).status).toBe(400)
  })

  it('of an unknown ref are a 404', async () => {
    const { ask } = await setUp()
    expect((await ask('GET', '/payments/43')).status).toBe(404)
  })
})

describe('faults', () => {
  it.each([
    [{}, 'kind is required'],
    [{ kind: 'fire' }, 'kind must be one of delay, hold, status, reset, hang, garbage, lose-answer, unusual'],
    [{ kind: 'delay', probability: 2 }, 'probability must be <= 1'],
    [{ kind: 'delay', count: 0 }, 'count must be >= 1'],
    [{ kind: 'status', status: 99 }, 'status must be >= 200'],
    [{ kind: 'delay', seconds: 3 }, 'seconds is not a known field'],
  ])('with %j are refused with the invalid field', async (body, message) => {
    const { ask } = await setUp()
    expect(await ask('PUT', '/faults/otp', body)).toEqual({
      status: 400,
      body: { error: 'INVALID_REQUEST', message },
    })
  })

  it('are refused for a service that does not support them', async () => {
    const { ask } = await setUp()
    expect(await ask('PUT', '/faults/payment', { kind: 'unusual' })).toEqual({
      status: 400,
      body: { error: 'INVALID_REQUEST', message: 'kind unusual is known to otp alone' },
    })
  })

  it('are refused for an unknown service', async () => {
    const { ask } = await setUp()
    expect(await ask('PUT', '/faults/mail', { kind: 'hang' })).toMatchObject({
      status: 404,
      body: { error: 'UNKNOWN_SERVICE' },
    })
  })
})

describe('the clock', () => {
  it.each([{}, { advanceMs: -1 }, { advanceMs: 1.5 }, { advanceMs: 1e15 }])('refuses %j', async (body) => {
    const { ask } = await setUp()
    const answer = await ask('POST', '/clock', body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(/^advanceMs /)
  })
})

it('the inbox shows the messages of one phone, newest first, also when the + arrives unescaped', async () => {
  const { ask, otp } = await setUp()
  const { userServiceSid, agentServiceSid } = demoAccounts.otp
  const send = (service: string, to: string) => otp.send(service, { to, channel: 'sms', locale: 'en' })
  send(userServiceSid, '+966512345678')
  send(userServiceSid, '+966512345679')
  send(agentServiceSid, '+966512345678')
  const one = {
    id: expect.any(String),
    phone: '+966512345678',
    code: '4821',
    text: expect.stringContaining('4821'),
    channel: 'sms',
    service: 'agent',
    sentAt: '2026-05-27T09:30:00.000Z',
  }
  const expected = { messages: [one, { ...one, service: 'user' }] }
  expect((await ask('GET', '/inbox?phone=%2B966512345678')).body).toEqual(expected)
  expect((await ask('GET', '/inbox?phone=+966512345678')).body).toEqual(expected)
})

it('counters add up over all services', async () => {
  const { ask, replay } = await setUp()
  await replay({ outcome: 'success', callback: 'twice' })
  await replay({ outcome: 'refund' })
  expect((await ask('GET', '/counters')).body).toEqual({
    sends: 0,
    checks: 0,
    intentions: 1,
    payments: 1,
    refunds: 1,
    voids: 0,
    callbacks: 4,
    shipments: 0,
    labels: 0,
    lookups: 0,
    messages: 0,
  })
})

describe('reset', () => {
  it('empties the state, ends faults, drops waiting callbacks and returns to real time', async () => {
    const { ask, replay, partner } = await setUp()
    await replay({ outcome: 'success', callback: 'late' })
    await ask('PUT', '/faults/otp', { kind: 'hang' })
    await ask('POST', '/clock', { advanceMs: 1_000 })
    expect((await ask('POST', '/reset')).body).toEqual({
      now: '2026-05-27T09:30:00.000Z',
      sides: ['simulator'],
    })
    expect((await ask('GET', '/payments')).body).toEqual({ payments: [] })
    expect((await ask('GET', '/faults')).body).toEqual({ faults: {}, active: [], held: [] })
    await ask('POST', '/clock', { advanceMs: 60_000 })
    expect(partner.caught).toEqual([])
    expect((await ask('GET', '/counters')).body).toMatchObject({ intentions: 0, payments: 0, callbacks: 0 })
  })

  it('issues no id a second time', async () => {
    const { ask, replay, partner, intention } = await setUp()
    await replay({ outcome: 'success' })
    await ask('POST', '/reset')
    const next = await createIntention(partner)
    await replay({ outcome: 'success' })
    expect(next.intention_order_id).toBeGreaterThan(intention.intention_order_id)
    expect(sentBody(partner, 1).obj.id).toBeGreaterThan(sentBody(partner, 0).obj.id)
  })

  it('drops a payment that is being processed', async () => {
    const arrived = Promise.withResolvers<void>()
    const partner = buildPartner({
      setTimer: () => {
        arrived.resolve()
        return () => {}
      },
    })
    const { client_secret: clientSecret } = await createIntention(partner)
    const answer = partner.pay(clientSecret, { number: '4000000000000119' })
    await arrived.promise
    await partner.ask('POST', '/reset')
    expect((await answer).statusCode).toBe(409)
    expect(partner.caught).toEqual([])
  })
})

it('shipments of an unknown reference are a 404, also their label', async () => {
  const { ask } = await setUp()
  expect((await ask('GET', '/shipments')).body).toEqual({ shipments: [] })
  expect((await ask('GET', '/shipments/X-1')).body).toEqual({
    error: 'UNKNOWN_REF',
    message: 'there is no shipment for "X-1"',
  })
  expect((await ask('GET', '/shipments/X-1/label')).status).toBe(404)
})

it('unknown control paths answer JSON', async () => {
  const { ask } = await setUp()
  expect(await ask('POST', '/explode')).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } })
})

describe('the panel', () => {
  it('is one page whose script and styles are files, with nothing inline', async () => {
    const { app } = await setUp()
    const page = await app.inject('/')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/)
    expect((await app.inject('/panel.js')).headers['content-type']).toContain('text/javascript')
    expect((await app.inject('/panel.css')).headers['content-type']).toContain('text/css')
  })

  it('gets what every screen shows in one response', async () => {
    const { ask } = await setUp()
    expect(Object.keys((await ask('GET', '/overview')).body).sort()).toEqual([
      'counters',
      'faults',
      'minutesPerDay',
      'now',
      'unusual',
    ])
  })

  it('serves the templates that its script imports, and no other file of the packages', async () => {
    const { app } = await setUp()
    for (const file of ['lit-html.js', 'directive.js', 'directives/repeat.js'])
      expect((await app.inject(`/node_modules/lit-html/${file}`)).headers['content-type']).toContain(
        'javascript',
      )
    expect((await app.inject('/node_modules/lit-html/package.json')).statusCode).toBe(404)
  })
})

describe('the shipping partner', () => {
  it.each([{ lagMs: -1 }, { scenarios: ['nothing'] }, { offices: 'gone' }, { lag: 5 }])(
    'refuses %j and names the field',
    async (body) => {
      const { ask } = await setUp()
      expect(await ask('PUT', '/shipping', body)).toMatchObject({
        status: 400,
        body: { error: 'INVALID_REQUEST', message: expect.stringMatching(/lag|scenarios|offices/) },
      })
    },
  )
})
