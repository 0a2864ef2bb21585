import { describe, expect, it, onTestFinished } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { shippingPaths } from '#shared/wire/shipping/shipping.wire.ts'
import { trackingPaths } from '#shared/wire/tracking/tracking.wire.ts'
import { buildPartner, createIntention, readAuthToken } from '#test/builders/mock-partner.builder.ts'
import { createRequest } from '#test/builders/shipment-request.builder.ts'
import type { JournalEntry } from '../platform/journal.entry.ts'

const { messaging, otp, payment, shipping } = demoAccounts
const phone = '+966512345678'

function setUp() {
  const partner = buildPartner({ trackingCallbackUrl: 'http://shop.example/scans' })
  return {
    ...partner,
    partner,
    /** Newest first. */
    journal: async (query = ''): Promise<JournalEntry[]> =>
      (await partner.ask('GET', `/journal${query}`)).body.entries,
  }
}

const shipmentOf = (orderNumber: number) =>
  createRequest({ OrderNumber: `AM-${orderNumber}`, ContentDescription: `Luggage OD-${orderNumber}` })

const operations = (entries: readonly JournalEntry[]) => entries.map(({ operation }) => operation)

describe('the journal of one order', () => {
  it('has its payment, shipment, tracking, scans and messages, and nothing of other orders', async () => {
    const { partner, ask, journal, replay, courier, form } = setUp()
    await createIntention(partner)
    await createIntention(partner, { special_reference: '43-1', extras: { order_number: 43 } })
    await replay({ outcome: 'success' })
    const created = await courier('POST', shippingPaths.createB2c, shipmentOf(42))
    const other = await courier('POST', shippingPaths.createB2c, shipmentOf(43))
    const awbs: string[] = [created, other].map((answer) => answer.json().waybills[0].awb)
    await courier('POST', trackingPaths.bulk, awbs)
    await ask('POST', '/shipments/AM-42/advance', { to: 'picked-up' })
    await form(`/messaging/2010-04-01/Accounts/${messaging.accountSid}/Messages.json`, messaging, {
      To: phone,
      From: messaging.from,
      Body: `Bag ${awbs[0]} was received`,
      StatusCallback: 'http://shop.example/sms',
    })
    await ask('POST', '/clock', { advanceMs: 1_000 })

    const entries = await journal('?order=OD-42')
    const shipped = entries.find(({ operation }) => operation === 'create-shipment')
    expect(JSON.stringify(shipped)).not.toContain(shipping.apiKey)
    expect(entries.map(({ direction, service, operation }) => [direction, service, operation])).toEqual([
      ['out', 'messaging', 'status-callback'],
      ['in', 'messaging', 'send-message'],
      ['out', 'tracking', 'push-scans'],
      ['in', 'tracking', 'track-many'],
      ['in', 'shipping', 'create-shipment'],
      ['out', 'payment', 'payment-callback'],
      ['in', 'payment', 'create-intention'],
    ])
    expect(entries.find(({ operation }) => operation === 'track-many')).toMatchObject({
      order: null,
      orders: [42, 43],
    })
    expect(entries.at(-1)).toMatchObject({ order: 42, phone: '+966500000001', response: { status: 201 } })
    expect(operations(await journal(`?ref=${awbs[0]}&service=shipping`))).toEqual(['create-shipment'])
    expect(operations(await journal('?ref=43-1'))).toEqual(['create-intention'])
    expect(operations(await journal('?phone=+966512345678'))).toEqual(['status-callback', 'send-message'])
    expect(await journal('?order=44')).toEqual([])
    expect((await ask('GET', '/shipments/AM-42')).body.shipments[0].orderNumber).toBe(42)
  })

  it('shows codes by phone, and no key, token or card number anywhere', async () => {
    const { app, partner, journal, form, pay } = setUp()
    const { client_secret: clientSecret } = await createIntention(partner)
    await readAuthToken(partner)
    const service = `/otp/v2/Services/${otp.userServiceSid}`
    await form(`${service}/Verifications`, otp, { To: phone, Channel: 'sms' })
    await form(`${service}/VerificationCheck`, otp, { To: phone, Code: '4821' })
    await app.inject(`/payment/v1/intention/element/${payment.publicKey}/${clientSecret}/`)
    await pay(clientSecret, { number: '5123456789012346' })

    const ofPhone = await journal('?phone=%2B966512345678')
    expect(operations(ofPhone)).toEqual(['check-code', 'send-code'])
    expect(ofPhone[0]?.request.body?.text).toContain('Code=4821')
    const all = await journal()
    expect(operations(all.slice(0, 3))).toEqual(['pay', 'payment-callback', 'open-form'])
    const text = JSON.stringify(all)
    expect(text).toContain('"authorization":"***"')
    for (const secret of [
      ...[otp.authToken, payment.secretKey, payment.apiKey, payment.hmacSecret, clientSecret],
      '5123456789012346',
      Buffer.from(`${otp.accountSid}:${otp.authToken}`).toString('base64'),
    ])
      expect(text).not.toContain(secret)
  })

  it('has requests to paths that do not exist, and none of the control API or of files', async () => {
    const { app, journal, courier } = setUp()
    await courier('GET', '/api/v9/shipments')
    await app.inject('/payment/v9/intention/')
    await app.inject('/payment/widget/main.js')
    await app.inject('/control/counters')
    expect(
      (await journal()).map(({ service, operation, response }) => [service, operation, response?.status]),
    ).toEqual([
      ['payment', 'unknown', 404],
      ['shipping', 'unknown', 404],
    ])
  })
})

describe('a callback in the journal', () => {
  it('has the answer of the gateway and each attempt', async () => {
    const { partner, answerCallbacksWith, ask, journal, replay } = setUp()
    await createIntention(partner)
    answerCallbacksWith(() => {
      throw new Error('connect ECONNREFUSED')
    })
    await replay({ outcome: 'success' })
    answerCallbacksWith(() => 200)
    await ask('POST', '/clock', { advanceMs: 1_000 })
    const [second, first] = await journal('?order=42')
    expect(first).toMatchObject({
      response: null,
      error: 'connect ECONNREFUSED',
      callback: { attempt: 1, state: 'waiting', nextAttemptAt: '2026-05-27T09:30:01.000Z', why: null },
    })
    expect(second).toMatchObject({
      at: '2026-05-27T09:30:01.000Z',
      response: { status: 200, body: { text: '{"status":200}' } },
      callback: { attempt: 2, state: 'delivered', key: 'valid', differences: [], why: null },
      payment: { status: 'paid', asked: 5_000, charged: 5_000, differs: false },
    })
    expect(second?.callback?.id).toBe(first?.callback?.id)
  })

  it('says why a forged one is refused', async () => {
    const { partner, answerCallbacksWith, journal, replay, ask } = setUp()
    await createIntention(partner)
    answerCallbacksWith(() => 401)
    await replay({ outcome: 'success', callback: 'forge' })
    const [payment] = await journal('?order=42')
    expect(payment?.callback).toMatchObject({ mode: 'forge', key: 'wrong-key', state: 'given-up' })
    expect(payment?.callback?.why).toMatch(
      /^signed with another key than the account's; id is \d+, which the provider does not have$/,
    )
    await replay({ outcome: 'success', callback: 'lose' })
    await replay({ outcome: 'refund', callback: 'forge' })
    const [refund] = await journal('?order=42')
    expect(refund?.callback?.differences).toEqual([{ field: 'is_refunded', sent: true, expected: false }])
    expect((await ask('GET', '/payments/42')).body.payments[0].status).toBe('paid')
  })

  it('that charges less shows both amounts, and the payment is not called paid', async () => {
    const { partner, journal, replay, ask } = setUp()
    await createIntention(partner)
    await replay({ outcome: 'success', callback: 'mismatch' })
    const [entry] = await journal('?order=42')
    expect(entry).toMatchObject({
      response: { status: 200 },
      payment: { status: 'amount-differs', asked: 5_000, charged: 4_900, differs: true },
      callback: {
        key: 'valid',
        differences: [{ field: 'amount_cents', sent: 4_900, expected: 5_000 }],
        why: null,
      },
    })
    expect((await ask('GET', '/payments/42')).body.payments[0]).toMatchObject({
      status: 'amount-differs',
      amount: 5_000,
      charged: 4_900,
      differs: true,
      callbacks: [{ amount: 4_900, asked: 5_000, state: 'delivered', status: 200 }],
    })
  })

  it('that is lost is there with what would have been sent', async () => {
    const { partner, journal, replay } = setUp()
    await createIntention(partner)
    await replay({ outcome: 'success', callback: 'lose' })
    const [entry] = await journal('?order=42')
    expect(entry).toMatchObject({
      response: null,
      error: 'lost: it was never sent',
      callback: { mode: 'lose', attempt: 0, state: 'lost' },
    })
    expect(entry?.request.body?.text).toContain('"merchant_order_id":"42-1"')
  })
})

describe('faults with a match', () => {
  it('hit one order alone, stand in the journal, and end one by one', async () => {
    const { partner, ask, journal } = setUp()
    const match = { operation: 'create-intention', order: 'OD-43' }
    const { id } = (await ask('PUT', '/faults/payment', { kind: 'status', status: 502, match })).body
    await createIntention(partner)
    await expect(
      createIntention(partner, { special_reference: '43-1', extras: { order_number: 43 } }),
    ).rejects.toThrow('no intention: 502')
    expect((await journal()).map(({ order, fault }) => [order, fault])).toEqual([
      [43, { id, kind: 'status' }],
      [42, null],
    ])
    expect((await ask('DELETE', `/faults/${id}`)).body).toMatchObject({ active: [] })
    expect((await ask('DELETE', `/faults/${id}`)).body.error).toBe('UNKNOWN_FAULT')
  })

  it.each([
    [{ match: { operation: 'fly' } }, /^match\/operation must be one of .*create-intention.*refund/],
    [{ match: { order: 'forty-two' } }, /^match\/order must be a number/],
    [{ match: { phone: '0512345678' } }, /^match\/phone /],
    [{ match: { nth: 0 } }, /^match\/nth /],
    [{ match: {} }, /^match /],
    [{ delay: { min: 1, max: 2 } }, /^delay belongs to kind delay/],
    [{ kind: 'delay', delay: { min: 2, max: 1 } }, /^delay\/min/],
  ])('are refused with %j', async (changes, message) => {
    const { ask } = setUp()
    expect(await ask('PUT', '/faults/payment', { kind: 'status', ...changes })).toEqual({
      status: 400,
      body: { error: 'INVALID_REQUEST', message: expect.stringMatching(message) },
    })
  })
})

it.each([
  ['?order=x', /^order /],
  ['?service=mail', /^service /],
  ['?since=yesterday', /^since /],
  ['?limit=0', /^limit /],
  ['?orders=4', /^orders /],
])('a query of %s is refused with the field', async (query, message) => {
  const { ask } = setUp()
  expect(await ask('GET', `/journal${query}`)).toMatchObject({
    status: 400,
    body: { error: 'INVALID_REQUEST', message: expect.stringMatching(message) },
  })
})

describe('a change that a page asks for', () => {
  const reset = (headers: Record<string, string>) =>
    setUp().app.inject({
      method: 'POST',
      url: '/control/reset',
      headers: { host: 'localhost:4000', ...headers },
    })

  it.each([
    ['another site', { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' }],
    ['another port', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }],
    ['a frame without an origin', { origin: 'null' }],
    ['a browser that sends no site', { origin: 'http://localhost:3000' }],
  ])('from %s is refused', async (_from, headers) => {
    const answer = await reset(headers)
    expect([answer.statusCode, answer.json().error]).toEqual([403, 'FOREIGN_PAGE'])
  })

  it.each([
    ['the panel', { origin: 'http://localhost:4000', 'sec-fetch-site': 'same-origin' }],
    ['a client that is no browser', {}],
  ])('from %s works', async (_from, headers) => {
    expect((await reset(headers)).statusCode).toBe(200)
  })
})

describe('live events', () => {
  async function listen() {
    const test = setUp()
    const address = await test.app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => test.app.close())
    /** Reads events one after another. */
    async function open(query = '', headers: Record<string, string> = {}) {
      const { body, headers: answered } = await fetch(`${address}/control/events${query}`, { headers })
      if (body === null) throw new Error('no stream')
      const reader = body.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      async function next(): Promise<{ event: string; id: string | undefined; data: unknown } | undefined> {
        const end = text.indexOf('\n\n')
        if (end < 0) {
          const { value, done } = await reader.read()
          if (done) return undefined
          text += value
          return next()
        }
        const fields = Object.fromEntries(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        )
        text = text.slice(end + 2)
        if (fields.event === undefined) return next()
        return { event: fields.event, id: fields.id, data: JSON.parse(fields.data ?? 'null') }
      }
      return { next, type: answered.get('content-type') }
    }
    return { ...test, open, address }
  }

  it('are the entries of the journal, as they are made', async () => {
    const { partner, open, journal } = await listen()
    const { next, type } = await open('?order=42')
    expect(type).toBe('text/event-stream; charset=utf-8')
    await createIntention(partner, { special_reference: '43-1', extras: { order_number: 43 } })
    await createIntention(partner)
    const [entry] = await journal('?order=42')
    expect(await next()).toEqual({
      event: 'entry',
      id: String(entry?.id),
      data: entry,
    })
  })

  it('continue after the last one that a reader has, and say when everything is emptied', async () => {
    const { partner, open, journal, ask } = await listen()
    for (const reference of ['1', '2', '3']) await createIntention(partner, { special_reference: reference })
    const [newest, middle, oldest] = await journal()
    const { next } = await open('', { 'last-event-id': String(oldest?.id) })
    expect([(await next())?.id, (await next())?.id]).toEqual([middle?.id, newest?.id].map(String))
    await ask('POST', '/reset')
    expect(await next()).toEqual({ event: 'reset', id: undefined, data: {} })
  })

  it('end when the simulator stops', async () => {
    const { app, open } = await listen()
    const { next } = await open()
    await app.close()
    expect(await next()).toBeUndefined()
  })
})
