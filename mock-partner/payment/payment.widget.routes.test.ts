import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { redirectSignatureText, tokenSignatureText } from '#shared/wire/payment/payment.signature.ts'
import { redirectQueryKeys, type TokenCallback } from '#shared/wire/payment/payment.wire.ts'
import { buildPartner, createIntention, type TestPartner } from '#test/builders/mock-partner.builder.ts'
import { testCards } from './payment.scenarios.ts'

const { hmacSecret } = demoAccounts.payment
const sign = (text: string) => createHmac('sha512', hmacSecret).update(text).digest('hex')

async function setUp() {
  const partner = buildPartner()
  const { client_secret: clientSecret } = await createIntention(partner)
  return { partner, pay: (card: Record<string, string>) => partner.pay(clientSecret, card) }
}

const statusOf = ({ payment }: TestPartner) => {
  const [intention] = payment.findAll('42')
  return intention === undefined ? undefined : payment.statusOf(intention)
}

describe('the files of the widget', () => {
  it.each([
    ['main.js', 'text/javascript'],
    ['main.css', 'text/css'],
    ['styles.css', 'text/css'],
  ])('%s may be loaded by a page of another origin', async (file, type) => {
    const answer = await buildPartner().app.inject(`/payment/widget/${file}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': `${type}; charset=utf-8`,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })

  it('set the global of the real script and read its options and events', async () => {
    const { body } = await buildPartner().app.inject('/payment/widget/main.js')
    for (const word of [
      'window.Pixel = Pixel',
      'publicKey',
      'clientSecret',
      'elementId',
      'disablePay',
      'beforePaymentComplete',
      'afterPaymentComplete',
      'onPaymentCancel',
      'cardValidationChanged',
      'payFromOutside',
      'updateIntentionData',
      'Button_Text',
    ])
      expect(body).toContain(word)
  })

  it('have a card form without inline script or style, under a strict content policy', async () => {
    const { body, headers } = await buildPartner().app.inject('/payment/widget/card')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['x-frame-options']).toBeUndefined()
    expect(body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/)
    for (const name of ['holder', 'number', 'expiry', 'cvv']) expect(body).toContain(`for="${name}"`)
  })

  it('list the test cards with their labels in both languages', async () => {
    const { cards, expiry, cvv, holder } = (await buildPartner().app.inject('/payment/widget/cards')).json()
    expect({ expiry, cvv, holder }).toEqual({ expiry: '01/39', cvv: '123', holder: 'Test Account' })
    expect(cards).toHaveLength(testCards.length)
    expect(cards[0]).toEqual({
      number: '5123456789012346',
      label: { ar: expect.any(String), en: 'Approved' },
    })
  })
})

describe('every test card', () => {
  it('has a unique number with a valid check digit', () => {
    expect(new Set(testCards.map(({ number }) => number)).size).toBe(testCards.length)
    for (const { number } of testCards) {
      const sum = [...number].reverse().reduce((total, digit, index) => {
        const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1)
        return total + (doubled > 9 ? doubled - 9 : doubled)
      }, 0)
      expect(sum % 10, number).toBe(0)
    }
  })
})

describe('paying by card', () => {
  it('passes the query of the redirect to the page, signed, in order and as strings', async () => {
    const { partner, pay } = await setUp()
    const answer = (await pay({ number: '5123456789012346' })).json()
    expect(answer.kind).toBe('ended')
    expect(Object.keys(answer.query)).toEqual([...redirectQueryKeys])
    expect(new Set(Object.values(answer.query).map((value) => typeof value))).toEqual(new Set(['string']))
    expect(answer.query).toMatchObject({
      success: 'true',
      pending: 'false',
      amount_cents: '5000',
      merchant_order_id: '42-1',
      'source_data.pan': '2346',
      'data.message': 'Approved',
    })
    expect(answer.query.hmac).toBe(sign(redirectSignatureText(answer.query)))
    const { searchParams, origin, pathname } = new URL(answer.redirectUrl)
    expect(origin + pathname).toBe('http://shop.example/thank-you')
    expect(Object.fromEntries(searchParams)).toEqual(answer.query)
    expect(answer.redirectUrl).toContain('%2B03%3A00')
    expect(answer.redirectUrl).toContain('source_data.pan=2346')
    expect(partner.caught).toHaveLength(1)
    expect(statusOf(partner)).toBe('paid')
  })

  it('a decline sends a callback and leaves the form open for another card', async () => {
    const { partner, pay } = await setUp()
    expect((await pay({ number: '4000000000000002' })).json()).toEqual({
      kind: 'declined',
      message: 'Declined',
    })
    expect(statusOf(partner)).toBe('open')
    expect((await pay({ number: '4111111111111111' })).json().kind).toBe('ended')
    expect(partner.caught.map(({ body }) => body)).toMatchObject([
      { obj: { success: false, error_occured: true, source_data: { sub_type: 'Visa' } } },
      { obj: { success: true, error_occured: false } },
    ])
  })

  it.each([
    ['passed', 'true'],
    ['failed', 'false'],
  ])('a bank confirmation that %s gives success %s', async (challenge, success) => {
    const { partner, pay } = await setUp()
    expect((await pay({ number: '5123450000000008' })).json()).toEqual({ kind: 'challenge' })
    expect(partner.caught).toEqual([])
    const { query } = (await pay({ number: '5123450000000008', challenge })).json()
    expect(query).toMatchObject({ success, is_3d_secure: success })
  })

  it('slow processing is pending until its time has passed', async () => {
    const timers = Promise.withResolvers<void>()
    const partner = buildPartner({
      setTimer: () => {
        timers.resolve()
        return () => {}
      },
    })
    const { client_secret } = await createIntention(partner)
    const answer = partner.pay(client_secret, { number: '4000000000000119' })
    await timers.promise
    expect(statusOf(partner)).toBe('pending')
    expect((await partner.pay(client_secret, { number: '5123456789012346' })).json()).toEqual({
      error: 'pending',
    })
    partner.clock.advance(8_000)
    await partner.scheduler.wake()
    expect((await answer).json().query.success).toBe('true')
    expect(partner.caught).toHaveLength(1)
  })

  it('a card is charged another amount', async () => {
    const { partner, pay } = await setUp()
    await pay({ number: '4000000000000614' })
    expect(partner.caught[0]?.body).toMatchObject({ obj: { success: true, amount_cents: 4_900 } })
  })

  it('the callback of a saved card comes before that of the payment, with a signature of its own', async () => {
    const { partner, pay } = await setUp()
    await pay({ number: '4000000000000713' })
    expect(partner.caught.map(({ body }) => (body as { type: string }).type)).toEqual([
      'TOKEN',
      'TRANSACTION',
    ])
    const [callback] = partner.caught
    if (callback === undefined) throw new Error('no callback')
    const { obj } = callback.body as TokenCallback
    expect(new URL(callback.url).searchParams.get('hmac')).toBe(sign(tokenSignatureText(obj)))
  })

  it('a card’s refund is refused with a 2xx', async () => {
    const { partner, pay } = await setUp()
    const { query } = (await pay({ number: '4000000000000812' })).json()
    const answer = await partner.app.inject({
      method: 'POST',
      url: '/payment/api/acceptance/void_refund/refund',
      headers: { authorization: `Token ${demoAccounts.payment.secretKey}` },
      payload: { transaction_id: query.id, amount_cents: 5_000 },
    })
    expect(answer.statusCode).toBe(201)
    expect(answer.json().success).toBe(false)
    expect(statusOf(partner)).toBe('paid')
  })

  const refused = (status: number, data: unknown) => ({ kind: 'refused', status, data })

  it.each<[card: object, answer: object, left: string, callbacks: number]>([
    [
      { number: '4000000000009995' },
      { query: { success: 'false', txn_response_code: 'INSUFFICIENT_FUNDS' } },
      'open',
      1,
    ],
    [{ number: '4242424242424242' }, { kind: 'declined', message: 'Not a test card' }, 'open', 1],
    [{ expiry: '04/27' }, { kind: 'declined', message: 'Expired Card' }, 'open', 1],
    [{ number: '4000000000000218' }, { kind: 'silence' }, 'paid', 1],
    [{ number: '4000000000000317' }, { query: { success: 'true' } }, 'paid', 0],
    [{ number: '4000000000000416' }, { query: { success: 'true' } }, 'paid', 3],
    [{ number: '4000000000000515' }, { query: { success: 'true' } }, 'paid', 0],
    [{ number: '4000000000010019' }, refused(400, ['Retry limit reached.']), 'open', 0],
    [{ number: '4000000000010027' }, refused(400, { msg: 'Order has already paid.' }), 'paid', 1],
    [{ number: '4000000000010035' }, refused(401, { detail: expect.any(String) }), 'open', 0],
    [{ number: '4000000000010043' }, refused(406, { message: expect.any(String) }), 'open', 0],
    [{ number: '4000000000010050' }, refused(200, {}), 'open', 0],
  ])(
    'the card %j is answered with %j: it is then %s, after %i callbacks',
    async (card, answer, left, callbacks) => {
      const { partner, pay } = await setUp()
      const ended = { kind: 'ended', ...answer }
      const json = (await pay({ number: '5123456789012346', ...card })).json()
      if ('query' in answer) expect(json).toMatchObject(ended)
      else expect(json).toEqual(answer)
      expect(statusOf(partner)).toBe(left)
      expect(new Set(partner.caught.map(({ url }) => url)).size).toBe(Math.min(callbacks, 1))
      expect(partner.caught).toHaveLength(callbacks)
    },
  )

  it('a late callback comes after 30 seconds', async () => {
    const { partner, pay } = await setUp()
    await pay({ number: '4000000000000515' })
    partner.clock.advance(30_000)
    await partner.scheduler.wake()
    expect(partner.caught).toHaveLength(1)
  })

  it.each(['forbidden', 'unprocessable'])(
    'a control call refuses the next payment only: %s',
    async (refusal) => {
      const { partner, pay } = await setUp()
      const { body } = await partner.ask('PUT', '/widget', { refusal })
      expect(body).toEqual({ refusal })
      const expected = refusal === 'forbidden' ? 403 : 422
      expect((await pay({ number: '5123456789012346' })).json()).toMatchObject({
        kind: 'refused',
        status: expected,
      })
      expect((await pay({ number: '5123456789012346' })).json().kind).toBe('ended')
    },
  )

  it('a refusal that was set can be removed, also by a reset', async () => {
    for (const [method, url] of [
      ['DELETE', '/widget'],
      ['POST', '/reset'],
    ] as const) {
      const { partner } = await setUp()
      await partner.ask('PUT', '/widget', { refusal: 'expired' })
      await partner.ask(method, url)
      const { client_secret } = await createIntention(partner, { special_reference: '44-1' })
      expect((await partner.pay(client_secret, { number: '5123456789012346' })).json().kind).toBe('ended')
    }
    const { partner } = await setUp()
    expect((await partner.ask('PUT', '/widget', { refusal: 'x' })).status).toBe(400)
  })

  it('is refused once paid, expired or unknown, and without a valid card', async () => {
    const { partner, pay: payHere } = await setUp()
    await payHere({ number: '5123456789012346' })
    const again = await payHere({ number: '5123456789012346' })
    expect([again.statusCode, again.json()]).toEqual([409, { error: 'paid' }])

    const { client_secret } = await createIntention(partner, { special_reference: '43-1', expiration: 60 })
    partner.clock.advance(60_000)
    const late = await partner.pay(client_secret, { number: '5123456789012346' })
    expect([late.statusCode, late.json()]).toEqual([409, { error: 'expired' }])

    const unknown = await partner.pay('sau_csk_test_unknown', { number: '5123456789012346' })
    expect(unknown.statusCode).toBe(404)
    expect((await payHere({ number: '12' })).statusCode).toBe(400)
    expect((await payHere({ number: '5123456789012346', expiry: '13/39' })).statusCode).toBe(400)
  })
})
