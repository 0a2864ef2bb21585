import { describe, expect, it } from 'vitest'
import { second } from '#test/kit/clock.ts'
import { openBrowser, problemOf, type TestBrowser } from '#test/kit/feature-app.ts'
import {
  agentPhone,
  canonical,
  openFixture,
  phone,
  rightCode,
  send,
  sendAgent,
  userOf,
  verify,
} from '#test/kit/sign-in-fixture.ts'

const by = (browser: TestBrowser, channel: string, to = phone) => send(browser, { phone: to, channel })
const deliveryOf = async (browser: TestBrowser) => (await browser.get('/api/auth/delivery')).json
const foreign = '+6281234567890'

describe('the channels on offer', () => {
  it.each([
    ['by default in the demo', {}, canonical, ['sms', 'whatsapp', 'call']],
    ['no call to a country that is not listed', {}, foreign, ['sms', 'whatsapp']],
    ['a call to one that is', { OTP_CALL_COUNTRIES: 'SA,ID' }, foreign, ['sms', 'whatsapp', 'call']],
    ['those of the operator, in their order', { OTP_CHANNELS: 'call,sms' }, canonical, ['sms', 'call']],
  ])('are %s', async (_, env, to, channels) => {
    const { browser } = await openFixture({ env })
    expect((await send(browser, { phone: to })).json).toMatchObject({ channel: 'sms', channels })
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
      ...{ status: 429, code: 'CODE_REQUESTED_TOO_SOON', retryAfterSeconds: 1 },
    })
    clock.advance(second)
    expect((await by(browser, 'call')).json).toMatchObject({
      ...{ sent: true, channel: 'call', nextChannelInSeconds: 30, resendInSeconds: 60 },
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

  it('may be chosen at once where codes have no pause', async () => {
    const { browser } = await openFixture({ env: { OTP_SENDS_PER_PHONE: '3/10m' } })
    expect((await send(browser)).json).toMatchObject({ nextChannelInSeconds: 0, resendInSeconds: 0 })
    expect((await by(browser, 'call')).json).toMatchObject({ sent: true, channel: 'call' })
  })

  it('may be chosen at once where the channel before refused, which is said', async () => {
    const { browser, otp } = await openFixture()
    otp.state.refusedChannel = 'whatsapp'
    expect(problemOf(await by(browser, 'whatsapp'))).toMatchObject({
      ...{ status: 409, code: 'CHANNEL_UNAVAILABLE', channels: ['sms', 'call'] },
    })
    expect(otp.sends).toEqual([])
    expect((await by(browser, 'call')).json).toMatchObject({ sent: true, channel: 'call' })
  })

  it('is offered where the service does not send an SMS to the number', async () => {
    const { browser, otp } = await openFixture()
    otp.state.trouble = 'refusing'
    expect(problemOf(await send(browser))).toMatchObject({
      ...{ code: 'CHANNEL_UNAVAILABLE', channels: ['whatsapp', 'call'] },
    })
  })

  it('is offered while the service answers no SMS, and not while a code may be on its way', async () => {
    const { browser, otp } = await openFixture()
    otp.state.trouble = 'unreachable'
    expect(problemOf(await send(browser))).toMatchObject({
      ...{ code: 'OTP_UNAVAILABLE', channels: ['whatsapp', 'call'] },
    })
    otp.state.trouble = 'silent'
    expect(problemOf(await send(browser))).not.toHaveProperty('channels')
  })
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
    // Of a WhatsApp message the service is not asked.
    clock.advance(20 * second)
    expect(await deliveryOf(browser)).toMatchObject({ state: 'unknown' })
    expect(otp.asked).toHaveLength(1)
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
