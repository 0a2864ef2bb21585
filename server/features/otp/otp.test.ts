import { describe, expect, it } from 'vitest'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { hour, minute, second } from '#test/kit/basics/clock.ts'
import { openBrowser, problemOf, refusedFieldsOf } from '#test/kit/gateway/feature-app.ts'
import {
  agentPhone,
  canonical,
  guess,
  openFixture,
  rightCode,
  send,
  sendAgent,
  sendFrom,
  setFailures,
  signUp,
  userOf,
  verify,
  wrongCode,
} from '#test/kit/gateway/sign-in-fixture.ts'
import { exportCodes } from './stored-codes.ts'

describe('the log', () => {
  it('has every event, and no phone, code, cookie or address in full', async () => {
    const fixture = await openFixture()
    const browser = openBrowser(fixture.app)
    await signUp(browser)
    await send(openBrowser(fixture.app))
    await sendAgent(openBrowser(fixture.app), '+966599999999')
    fixture.clock.advance(minute)
    await guess(fixture, openBrowser(fixture.app), 5)
    fixture.clock.advance(hour)
    await setFailures(fixture, 20)
    await send(openBrowser(fixture.app))
    const events = new Set(fixture.lines.map(({ event }) => event))
    for (const event of [
      'code-asked',
      'code-sent',
      'code-suppressed',
      'code-refused',
      'limit-met',
      'phone-locked',
      'done',
    ])
      expect(events).toContain(`sign-in.${event}`)
    for (const line of fixture.lines.filter(({ event }) => event !== undefined))
      expect(line).toMatchObject({
        role: expect.stringMatching(/^(user|agent)$/),
        phone: expect.stringMatching(/^•+\d\d$/),
        address: '127.0.0.0/24',
        reqId: expect.any(String),
      })
    const text = JSON.stringify(fixture.lines)
    for (const secret of [
      '512345678',
      '599999999',
      rightCode,
      wrongCode,
      '127.0.0.1',
      // The cookie `role` is no secret.
      ...[...browser.cookies].filter(([name]) => name !== 'role_3000').map(([, value]) => value),
    ])
      expect(text).not.toContain(secret)
  })

  it.each([
    ['refusing', 'PHONE_CANNOT_RECEIVE_CODES', 'send-refused', { outcome: 'phone-refused' }],
    ['too-many', 'TOO_MANY_CODES', 'send-refused', { outcome: 'too-many' }],
    ['unreachable', 'OTP_UNAVAILABLE', 'send-unavailable', { isCertain: true }],
    ['silent', 'OTP_UNAVAILABLE', 'send-unavailable', { isCertain: false }],
  ] as const)(
    'has the reason why no code was sent by a %s provider',
    async (trouble, code, event, detail) => {
      const { app, otp, lines } = await openFixture({ env: { OTP_CHANNELS: 'sms' } })
      otp.state.trouble = trouble
      expect(problemOf(await send(openBrowser(app))).code).toBe(code)
      expect(lines.find((line) => line.event === `sign-in.${event}`)).toMatchObject(detail)
    },
  )

  it('names the limit and the group of a refusal', async () => {
    const fixture = await openFixture({ limits: { codesPerCountry: 1 } })
    for (const to of ['+201001234567', '+201111234567'])
      await sendFrom(to.slice(1), openBrowser(fixture.app), to)
    expect(fixture.lines.find(({ event }) => event === 'sign-in.limit-met')).toMatchObject({
      limit: 'codes-per-country',
      group: 'country EG',
      retryAfterSeconds: 86_400,
    })
  })

  it('names no prefix, because it is most of a phone', async () => {
    const fixture = await openFixture({ limits: { codesPerPrefix: 1 } })
    for (const to of ['+201001234567', '+201001234568'])
      await sendFrom(to.slice(-2), openBrowser(fixture.app), to)
    const line = fixture.lines.find(({ event }) => event === 'sign-in.limit-met')
    expect(line).toMatchObject({ group: expect.stringMatching(/^prefix/) })
    expect(JSON.stringify(line)).not.toContain('100123')
  })
})

describe('the export', () => {
  it('has the codes of a user, not those of an agent with the same number', async () => {
    const { app, core } = await openFixture()
    await signUp(openBrowser(app))
    expect(await exportCodes(core, { id: 1, phone: canonical, email: null })).toEqual([
      expect.objectContaining({ triedTimes: 1 }),
    ])
    await sendAgent(openBrowser(app))
    expect(await exportCodes(core, { id: 2, phone: agentPhone, email: null })).toEqual([])
  })
})

describe('asking for a code', () => {
  it('sends it to the canonical number, in the language of the request', async () => {
    const { app, otp } = await openFixture()
    const answer = await send(openBrowser(app, { lang: 'en' }), { phone: '٠٥١٢ ٣٤٥ ٦٧٨' })
    expect(answer).toMatchObject({
      status: 200,
      json: {
        success: true,
        expiresInSeconds: 300,
        resendInSeconds: 60,
        sent: true,
        channel: 'sms',
        channels: ['sms', 'whatsapp', 'call'],
        nextChannelInSeconds: 30,
      },
    })
    expect(otp.sends).toEqual([{ phone: canonical, channel: 'sms', language: 'en', role: 'user' }])
  })

  it('sets the binding cookie, out of reach of scripts, for a day', async () => {
    const { app } = await openFixture()
    const { setCookies } = await send(openBrowser(app))
    expect(setCookies).toEqual([
      expect.stringMatching(/^browser_3000=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  it.each(['0512345678 ext 5', '0512345678;isub=5', '+9665123456789', 'not a phone'])(
    'refuses %s as an invalid phone, and sends nothing',
    async (typed) => {
      const { app, otp } = await openFixture()
      const answer = await send(openBrowser(app), { phone: typed })
      expect(problemOf(answer)).toMatchObject({ status: 400, code: 'PHONE_INVALID' })
      expect(refusedFieldsOf(answer)).toEqual(['phone'])
      expect(otp.sends).toEqual([])
    },
  )

  it.each([['0112345678'], ['+881612345678'], ['+979123456789']])(
    'refuses %s as a number that cannot receive codes, and sends nothing',
    async (typed) => {
      const { app, otp } = await openFixture()
      for (const lang of ['ar', 'en']) {
        const answer = await send(openBrowser(app, { lang }), { phone: typed })
        expect(problemOf(answer)).toMatchObject({
          status: 400,
          code: 'PHONE_CANNOT_RECEIVE_CODES',
          message: sessionsErrors.PHONE_CANNOT_RECEIVE_CODES.text[lang as 'ar' | 'en'],
        })
        expect(refusedFieldsOf(answer)).toEqual(['phone'])
      }
      expect(otp.sends).toEqual([])
    },
  )

  it('answers a second click with the remaining times, and sends nothing', async () => {
    const { browser, clock, otp } = await openFixture()
    await send(browser)
    clock.advance(20 * second)
    expect((await send(browser, { phone: '+966 51 234 5678' })).json).toMatchObject({
      success: true,
      expiresInSeconds: 280,
      resendInSeconds: 40,
      sent: false,
    })
    expect(otp.sends).toHaveLength(1)
  })

  it('sends a code again after a minute, of the verification that is open', async () => {
    const { browser, clock, otp } = await openFixture()
    await send(browser)
    clock.advance(minute)
    await send(browser)
    expect(otp.sends).toHaveLength(2)
    await verify(browser, { name: 'A' })
    expect(otp.checks.map(({ ref }) => ref)).toEqual(['user-1'])
  })

  it('keeps the waits of users and agents apart', async () => {
    const { browser, otp } = await openFixture()
    await sendAgent(browser)
    expect((await send(browser, { phone: agentPhone })).status).toBe(200)
    expect(otp.sends.map(({ role }) => role)).toEqual(['agent', 'user'])
  })
})

describe('the binding of a browser', () => {
  it.each(['', 'chosen-by-another'])('is a new one in place of %j, and signs in', async (mark) => {
    const { app } = await openFixture()
    const browser = openBrowser(app, { browser_3000: mark })
    await signUp(browser)
    expect(browser.cookies.get('browser_3000')).not.toBe(mark)
    expect((await userOf(browser)).status).toBe(200)
  })

  it.each(['chosen', 'issued'])(
    'that an attacker has %s and planted does not share the proof',
    async (how) => {
      const { app } = await openFixture()
      const attacker = openBrowser(app, how === 'chosen' ? { browser_3000: 'P'.repeat(43) } : {})
      if (how === 'issued') await send(attacker, { phone: '0587654321' })
      const planted = attacker.cookies.get('browser_3000') ?? ''
      const victim = openBrowser(app, { browser_3000: planted })
      await send(victim)
      expect(victim.cookies.get('browser_3000')).not.toBe(planted)
      expect(problemOf(await verify(attacker, { code: '9999' })).code).toBe('CODE_INVALID')
      expect(problemOf(await verify(victim)).code).toBe('SIGN_UP_REQUIRED')
      expect(problemOf(await verify(attacker, { name: 'Thief' })).code).toBe('CODE_INVALID')
      expect((await verify(victim, { name: 'Owner' })).status).toBe(200)
    },
  )

  it('changes with every code, and all codes of the browser move to the new one', async () => {
    const { browser, app, clock } = await openFixture()
    await send(browser)
    const first = browser.cookies.get('browser_3000') ?? ''
    await send(browser, { phone: '0587654321' })
    expect(browser.cookies.get('browser_3000')).not.toBe(first)
    const former = openBrowser(app, { browser_3000: first })
    expect(problemOf(await verify(former, { name: 'A' })).code).toBe('CODE_INVALID')
    expect((await verify(browser, { name: 'A' })).status).toBe(200)
    clock.advance(minute)
    expect((await verify(browser, { phone: '0587654321', name: 'B' })).status).toBe(200)
  })

  it('may be lost with the response to a second request: the code that arrives is accepted with the first one', async () => {
    const { browser, app, clock } = await openFixture()
    await send(browser)
    const first = browser.cookies.get('browser_3000') ?? ''
    clock.advance(minute)
    expect((await send(browser)).json.sent).toBe(true)
    const without = openBrowser(app, { browser_3000: first })
    expect((await verify(without, { name: 'A' })).status).toBe(200)
  })
})
