import { describe, expect, it } from 'vitest'
import { hour, minute, second } from '#test/kit/basics/clock.ts'
import {
  type BrowserAnswer,
  openBrowser,
  problemOf,
  type TestBrowser,
} from '#test/kit/gateway/feature-app.ts'
import {
  agentPhone,
  canonical,
  openFixture,
  phone,
  rightCode,
  send,
  sendAgent,
  signUp,
  userOf,
  verify,
  wrongCode,
} from '#test/kit/gateway/sign-in-fixture.ts'

const by = (browser: TestBrowser, channel: string, to = phone) => send(browser, { phone: to, channel })
/** The code of a refusal, with the channels that it offers. */
const refusalOf = (answer: BrowserAnswer) => {
  const { code, channels } = problemOf(answer)
  return [code, ...(channels ?? [])]
}
const deliveryOf = async (browser: TestBrowser) => (await browser.get('/api/auth/delivery')).json
const foreign = '+6281234567890'

describe('the channels on offer', () => {
  it.each([
    ['by default in the demo', {}, canonical, ['sms', 'whatsapp', 'call']],
    ['no call to a country that is not listed', {}, foreign, ['sms', 'whatsapp']],
    ['a call to one that is', { OTP_CALL_COUNTRIES: 'SA,ID' }, foreign, ['sms', 'whatsapp', 'call']],
    ['those of the operator, in their order', { OTP_CHANNELS: 'call,sms' }, canonical, ['sms', 'call']],
    ['without an SMS', { OTP_CHANNELS: 'whatsapp' }, foreign, ['whatsapp']],
    ['calls alone', { OTP_CHANNELS: 'call' }, canonical, ['call']],
  ])('are %s, and the first is taken where none is chosen', async (_, env, to, channels) => {
    const { browser } = await openFixture({ env })
    expect((await send(browser, { phone: to })).json).toMatchObject({ channel: channels[0], channels })
  })

  it('are none for a foreign number where there are calls alone, which is said', async () => {
    const { browser } = await openFixture({ env: { OTP_CHANNELS: 'call' } })
    for (const channel of [undefined, 'call'])
      expect(refusalOf(await send(browser, { phone: foreign, channel }))).toEqual([
        'PHONE_CANNOT_RECEIVE_CODES',
      ])
  })

  it('are shown again by the form where a code was sent by any of them, and no other is sent', async () => {
    const { browser, clock, otp } = await openFixture()
    await send(browser)
    clock.advance(30 * second)
    await by(browser, 'call')
    clock.advance(second)
    expect((await send(browser)).json).toMatchObject({
      sent: false,
      channel: 'call',
      resendInSeconds: 59,
      nextChannelInSeconds: 29,
    })
    // Chosen, the channel is the one that sends, or the refusal says why not.
    expect(refusalOf(await by(browser, 'sms'))).toEqual(['CODE_REQUESTED_TOO_SOON'])
    clock.advance(30 * second)
    await by(browser, 'whatsapp')
    expect((await send(browser)).json).toMatchObject({
      sent: false,
      channel: 'whatsapp',
      resendInSeconds: 539,
    })
    expect(otp.sends).toHaveLength(3)
    expect((await verify(browser, { name: 'A' })).status).toBe(200)
  })

  it('are named where another one is asked for, and nothing is sent in its place', async () => {
    const { app, otp } = await openFixture()
    for (const [lang, message] of [
      ['ar', 'تعذّر إرسال الرمز بمكالمة. اختر طريقة أخرى.'],
      ['en', 'We could not send the code by phone call. Choose another way.'],
    ]) {
      const refused = problemOf(await by(openBrowser(app, { lang: lang ?? '' }), 'call', foreign))
      expect(refused).toMatchObject({ status: 409, code: 'CHANNEL_UNAVAILABLE', message })
      expect(refused).toMatchObject({ channels: ['sms', 'whatsapp'] })
    }
    expect(otp.sends).toEqual([])
  })
})

describe('another channel', () => {
  it('may be chosen after half a minute, and all share one number of codes', async () => {
    const { browser, clock, otp } = await openFixture()
    expect((await send(browser)).json).toMatchObject({ nextChannelInSeconds: 30, resendInSeconds: 60 })
    clock.advance(29 * second)
    // The code of the SMS is valid, but it is no call.
    expect(problemOf(await by(browser, 'call'))).toMatchObject({
      status: 429,
      code: 'CODE_REQUESTED_TOO_SOON',
      retryAfterSeconds: 1,
    })
    clock.advance(second)
    expect((await by(browser, 'call')).json).toMatchObject({
      sent: true,
      channel: 'call',
      nextChannelInSeconds: 30,
      resendInSeconds: 60,
    })
    clock.advance(20 * second)
    expect((await by(browser, 'call')).json).toMatchObject({ sent: false, channel: 'call' })
    clock.advance(10 * second)
    expect((await by(browser, 'whatsapp')).json).toMatchObject({ sent: true, nextChannelInSeconds: 540 })
    clock.advance(60 * second)
    for (const channel of ['sms', 'whatsapp', 'call'])
      expect(problemOf(await by(browser, channel)).code).toBe('TOO_MANY_CODES')
    expect(otp.sends.map(({ channel }) => channel)).toEqual(['sms', 'call', 'whatsapp'])
    expect((await verify(browser, { name: 'A', code: rightCode })).status).toBe(200)
    expect((await userOf(browser)).status).toBe(200)
  })

  it('is no call before another was tried, for ten minutes', async () => {
    const { browser, clock, otp } = await openFixture()
    expect(refusalOf(await by(browser, 'call'))).toEqual(['CHANNEL_UNAVAILABLE', 'sms', 'whatsapp'])
    await send(browser)
    clock.advance(10 * minute)
    expect(refusalOf(await by(browser, 'call'))).toEqual(['CHANNEL_UNAVAILABLE', 'sms', 'whatsapp'])
    await send(browser)
    clock.advance(10 * minute - 1)
    expect((await by(browser, 'call')).json).toMatchObject({ sent: true, channel: 'call' })
    expect(otp.sends.map(({ channel }) => channel)).toEqual(['sms', 'sms', 'call'])
  })

  it('leaves the code of a known device alive, which may be on its way', async () => {
    const { app, browser, clock, otp } = await openFixture()
    await signUp(browser)
    clock.advance(hour)
    await send(browser)
    clock.advance(30 * second)
    await verify(browser, { code: wrongCode })
    expect((await by(browser, 'call')).json.sent).toBe(true)
    expect(otp.cancelled).toEqual([])
    // The service allows five tries of a code, and too few are left.
    for (let each = 0; each < 2; each += 1) await verify(browser, { code: wrongCode })
    clock.advance(30 * second)
    await by(browser, 'whatsapp')
    expect(otp.cancelled).toEqual(['user-2'])
    expect((await verify(browser)).status).toBe(200)
    await signUp(openBrowser(app))
  })

  it('may be chosen at once where codes have no pause', async () => {
    const { browser } = await openFixture({ env: { OTP_SENDS_PER_PHONE: '3/10m' } })
    expect((await send(browser)).json).toMatchObject({ nextChannelInSeconds: 0, resendInSeconds: 0 })
    expect((await by(browser, 'call')).json).toMatchObject({ sent: true, channel: 'call' })
  })

  it('may be chosen at once where the channel before refused, which is said', async () => {
    const { app, browser, lines, otp } = await openFixture()
    otp.state.refusedChannel = 'whatsapp'
    expect(problemOf(await by(browser, 'whatsapp'))).toMatchObject({
      status: 409,
      code: 'CHANNEL_UNAVAILABLE',
      channels: ['sms', 'call'],
    })
    expect(otp.sends).toEqual([])
    // The operator's sender is broken: an alarm, with the service's reason, once a day.
    await by(openBrowser(app), 'whatsapp', foreign)
    const refusals = lines.filter(({ event }) => event === 'sign-in.send-refused')
    expect(refusals).toMatchObject([
      { level: 'error', channel: 'whatsapp', providerCode: 60_327 },
      { level: 'warn', providerCode: 60_327 },
    ])
    expect((await by(browser, 'call')).json).toMatchObject({ sent: true, channel: 'call' })
  })

  it('is offered once each, until a number that no channel serves is told so, and that nothing was sent', async () => {
    const { browser, clock, otp } = await openFixture()
    otp.state.trouble = 'refusing'
    expect(refusalOf(await send(browser))).toEqual(['CHANNEL_UNAVAILABLE', 'whatsapp', 'call'])
    expect(refusalOf(await send(browser))).toEqual(['CHANNEL_UNAVAILABLE', 'whatsapp', 'call'])
    expect(refusalOf(await by(browser, 'whatsapp'))).toEqual(['CHANNEL_UNAVAILABLE', 'call'])
    for (const channel of ['call', 'sms', 'whatsapp', 'call'])
      expect(refusalOf(await by(browser, channel))).toEqual(['PHONE_CANNOT_RECEIVE_CODES'])
    clock.advance(minute)
    expect(refusalOf(await send(browser))).toEqual(['CHANNEL_UNAVAILABLE', 'whatsapp', 'call'])
  })

  it('is not offered in the place of one that just sent a code', async () => {
    const { browser, clock, otp } = await openFixture()
    await send(browser)
    clock.advance(30 * second)
    otp.state.trouble = 'refusing'
    expect(refusalOf(await by(browser, 'whatsapp'))).toEqual(['CHANNEL_UNAVAILABLE', 'call'])
    expect(refusalOf(await by(browser, 'call'))).toEqual(['CHANNEL_UNAVAILABLE'])
  })

  it('is not offered to a number that is blocked', async () => {
    const { browser, otp } = await openFixture()
    otp.state.trouble = 'blocking'
    for (const channel of [undefined, undefined, 'whatsapp', 'call'])
      expect(refusalOf(await send(browser, { phone, channel }))).toEqual(['PHONE_CANNOT_RECEIVE_CODES'])
  })

  it('is offered while the service answers no SMS: at once, or in half a minute where a code may be on its way', async () => {
    const { browser, clock, otp } = await openFixture()
    otp.state.trouble = 'unreachable'
    expect(problemOf(await send(browser))).toMatchObject({
      code: 'OTP_UNAVAILABLE',
      channels: ['whatsapp', 'call'],
    })
    otp.state.trouble = 'silent'
    expect(problemOf(await send(browser))).toMatchObject({
      code: 'OTP_UNAVAILABLE',
      channels: ['whatsapp', 'call'],
      retryAfterSeconds: 30,
    })
    otp.state.trouble = undefined
    expect(problemOf(await by(browser, 'call'))).toMatchObject({ retryAfterSeconds: 30 })
    clock.advance(30 * second)
    expect((await by(browser, 'call')).json).toMatchObject({ sent: true, channel: 'call' })
  })
})

it('where there is one channel none is offered while it has no answer, and its own pause is told', async () => {
  const { browser, otp } = await openFixture({ env: { OTP_CHANNELS: 'sms' } })
  otp.state.trouble = 'silent'
  const refused = problemOf(await send(browser))
  expect(refused).toMatchObject({ code: 'OTP_UNAVAILABLE', retryAfterSeconds: 60 })
  expect(refused).not.toHaveProperty('channels')
})

describe('the delivery of an SMS', () => {
  it('is asked for once, after twenty seconds; where it failed, another channel may be chosen at once', async () => {
    const { app, browser, clock, otp } = await openFixture()
    expect(await deliveryOf(browser)).toEqual({ success: true, state: 'unknown' })
    await send(browser)
    otp.state.delivery = 'undelivered'
    clock.advance(20 * second - 1)
    expect(await deliveryOf(browser)).toMatchObject({ state: 'unknown' })
    expect(otp.asked).toEqual([])
    clock.advance(1)
    expect(problemOf(await by(browser, 'whatsapp')).code).toBe('CODE_REQUESTED_TOO_SOON')
    expect(await deliveryOf(browser)).toMatchObject({ state: 'undelivered' })
    otp.state.delivery = 'delivered'
    expect(await deliveryOf(browser)).toMatchObject({ state: 'undelivered' })
    expect(otp.asked).toEqual(['user-1'])
    expect(await deliveryOf(openBrowser(app))).toMatchObject({ state: 'unknown' })
    expect(problemOf(await by(openBrowser(app), 'whatsapp')).code).toBe('CODE_REQUESTED_TOO_SOON')
    expect((await by(browser, 'whatsapp')).json).toMatchObject({ sent: true, channel: 'whatsapp' })
    // The service is not asked about a WhatsApp message.
    clock.advance(20 * second)
    expect(await deliveryOf(browser)).toMatchObject({ state: 'unknown' })
    expect(otp.asked).toHaveLength(1)
  })

  it('is not told to a browser with live codes of two numbers, since the request names none', async () => {
    const { browser, clock, otp } = await openFixture()
    await send(browser)
    await send(browser, { phone: foreign })
    otp.state.delivery = 'undelivered'
    clock.advance(20 * second)
    expect(await deliveryOf(browser)).toMatchObject({ state: 'unknown' })
    expect(otp.asked).toEqual([])
  })

  it('is asked for once where the service does not know it', async () => {
    const { browser, clock, otp } = await openFixture()
    await send(browser)
    clock.advance(20 * second)
    for (let round = 0; round < 2; round += 1)
      expect(await deliveryOf(browser)).toMatchObject({ state: 'unknown' })
    expect(otp.asked).toHaveLength(1)
  })
})

it('a phone that is no agent’s has the channels, answers and waits of one that is, and its delivery is not asked for', async () => {
  const { app, clock, otp } = await openFixture()
  const ways = async (to: string) => {
    const browser = openBrowser(app)
    const answers: Record<string, unknown>[] = []
    for (const [channel, refused] of [
      ['sms', undefined],
      ['whatsapp', undefined],
      ['call', 'call'],
      ['sms', undefined],
    ] as const) {
      otp.state.refusedChannel = refused
      const { status, json } = await sendAgent(browser, to, channel)
      answers.push({ status, ...json, requestId: undefined })
      clock.advance(30 * second)
      otp.state.delivery = 'undelivered'
      answers.push(await deliveryOf(browser))
    }
    return answers
  }
  const known = await ways(agentPhone)
  expect(await ways('+966599999999')).toEqual(known)
  expect(known.map(({ status, state }) => status ?? state)).toEqual([
    ...[200, 'unknown', 200, 'unknown', 200, 'unknown', 429, 'unknown'],
  ])
  expect(otp.asked).toEqual([])
})
