import { describe, expect, it } from 'vitest'
import { hour, minute } from '#test/kit/basics/clock.ts'
import { openBrowser, problemOf, type TestBrowser } from '#test/kit/gateway/feature-app.ts'
import {
  askConfirm,
  canonical,
  openFixture,
  rightCode,
  type SignInFixture,
  send,
  signUp,
  userOf,
  verify,
  verifyConfirm,
  wrongCode,
} from '#test/kit/gateway/sign-in-fixture.ts'
import { withConfirmation } from './confirmations.ts'
import { listSessions } from './sessions.ts'
import type { SessionBrowser } from './sign-in.ts'

const opened = async (env: Readonly<Record<string, string>> = {}) => {
  const fixture = await openFixture({ env })
  await signUp(fixture.browser)
  return fixture
}

/** The browser of a request, as its routes read it. */
const browserOf = ({ cookies }: TestBrowser, change: Partial<SessionBrowser> = {}): SessionBrowser => ({
  binding: cookies.get('browser_3000'),
  session: cookies.get('session_3000'),
  device: undefined,
  address: '192.0.2.1',
  language: 'ar',
  log: { info: () => undefined, warn: () => undefined, error: () => undefined } as never,
  ...change,
})

const use = ({ core, browser }: SignInFixture, change: Partial<SessionBrowser> = {}) =>
  withConfirmation(core, 'export', browserOf(browser, change), async () => 'done').catch(
    (error: { code: string }) => error.code,
  )

describe('a confirmation', () => {
  it('serves one request of its purpose, in its session and browser, within five minutes', async () => {
    const fixture = await opened()
    const { browser, clock, core, otp } = fixture
    expect(await use(fixture)).toBe('CONFIRMATION_REQUIRED')
    const sent = await askConfirm(browser, 'export')
    expect(sent.json).toMatchObject({
      success: true,
      sent: true,
      channel: 'sms',
      channels: ['sms', 'whatsapp', 'call'],
      resendInSeconds: 60,
      nextChannelInSeconds: 30,
    })
    expect(otp.sends.at(-1)).toMatchObject({ phone: canonical, role: 'confirm' })
    expect(await use(fixture)).toBe('CONFIRMATION_REQUIRED')
    const confirmed = await verifyConfirm(browser)
    expect(confirmed.json).toEqual({
      success: true,
      confirmedUntil: new Date(clock.now() + 5 * minute).toISOString(),
    })
    // Another browser, another session, another purpose.
    expect(await use(fixture, { binding: 'A'.repeat(43) })).toBe('CONFIRMATION_REQUIRED')
    expect(await use(fixture, { session: 'A'.repeat(43) })).toBe('CONFIRMATION_REQUIRED')
    const forDeletion = withConfirmation(core, 'deletion', browserOf(browser), async () => 'done')
    await expect(forDeletion).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    const both = await Promise.all([use(fixture), use(fixture)])
    expect(both.sort()).toEqual(['CONFIRMATION_REQUIRED', 'done'])
    // A code that was entered confirms nothing more.
    expect(problemOf(await verifyConfirm(browser)).code).toBe('CODE_INVALID')
    clock.advance(minute)
    await askConfirm(browser, 'export')
    await verifyConfirm(browser)
    clock.advance(5 * minute)
    expect(await use(fixture)).toBe('CONFIRMATION_REQUIRED')
  })

  it('is given back by a request that is refused for another reason', async () => {
    const fixture = await opened()
    const { browser, core } = fixture
    await askConfirm(browser, 'session')
    await verifyConfirm(browser)
    const end = (id: string) => browser.delete(`/api/auth/sessions/${id}`)
    expect(problemOf(await end(crypto.randomUUID())).code).toBe('SESSION_NOT_FOUND')
    const other = openBrowser(fixture.app)
    fixture.clock.advance(minute)
    await send(other)
    await verify(other)
    const views = await listSessions(core, { role: 'user', userId: 1 }, browser.cookies.get('session_3000'))
    const theirs = views.find(({ isCurrent }) => !isCurrent)?.id ?? ''
    expect((await end(theirs)).status).toBe(200)
    expect([(await userOf(other)).status, (await userOf(browser)).status]).toEqual([401, 200])
  })

  it('is not the one of another session in the same browser', async () => {
    const fixture = await opened()
    const { browser, clock } = fixture
    await askConfirm(browser, 'export')
    const former = browser.cookies.get('session_3000') ?? ''
    clock.advance(minute)
    // The former session goes on in a copy of the cookie.
    const copy = openBrowser(fixture.app, { session_3000: former })
    await send(copy)
    expect(problemOf(await verifyConfirm(copy)).code).toBe('CODE_INVALID')
    expect(await use(fixture)).toBe('CONFIRMATION_REQUIRED')
  })

  it('is for what a valid code was asked for last', async () => {
    const fixture = await opened()
    const { browser } = fixture
    await askConfirm(browser, 'deletion')
    expect((await askConfirm(browser, 'export')).json).toMatchObject({ sent: false })
    await verifyConfirm(browser)
    const deletion = withConfirmation(fixture.core, 'deletion', browserOf(browser), async () => 'done')
    await expect(deletion).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    expect(await use(fixture)).toBe('done')
  })
})

describe('a code that confirms', () => {
  it('never signs in, and one that signs in never confirms, although the service repeats a pending code', async () => {
    const { app, browser, clock, otp } = await opened()
    clock.advance(minute)
    // Asked for in a second browser, before the confirmation and after it.
    const second = openBrowser(app)
    await send(second)
    expect((await askConfirm(browser, 'export')).json).toMatchObject({ sent: true })
    expect(otp.cancelled).toHaveLength(1)
    expect(problemOf(await verify(second)).code).toBe('CODE_INVALID')
    clock.advance(minute)
    await send(second)
    expect(otp.cancelled).toHaveLength(2)
    expect(problemOf(await verifyConfirm(browser)).code).toBe('CODE_INVALID')
    expect((await verify(second)).status).toBe(200)
    // Signing in is no confirmation.
    expect(problemOf(await second.delete(`/api/auth/sessions/${crypto.randomUUID()}`)).code).toBe(
      'CONFIRMATION_REQUIRED',
    )
  })

  it('is not sent while a code that signs in may be pending', async () => {
    const { app, browser, clock, otp } = await opened()
    clock.advance(minute)
    await send(openBrowser(app))
    otp.provider.cancel = async () => false
    expect(problemOf(await askConfirm(browser, 'export')).code).toBe('OTP_UNAVAILABLE')
    expect(otp.sends.filter(({ role }) => role === 'confirm')).toEqual([])
  })

  it('is sent five times an hour to an account, by whatever browser, and sign-in is counted apart', async () => {
    const { app, browser, clock } = await opened()
    const copy = openBrowser(app, { session_3000: browser.cookies.get('session_3000') ?? '' })
    for (const each of [browser, copy, browser, copy, browser]) {
      clock.advance(2 * minute)
      expect((await askConfirm(each, 'export')).status).toBe(200)
    }
    // The codes before are over by then.
    clock.advance(6 * minute)
    const refused = await askConfirm(copy, 'export')
    expect([refused.status, problemOf(refused).code]).toEqual([429, 'TOO_MANY_CODES'])
    expect((await send(openBrowser(app))).status).toBe(200)
    clock.advance(hour)
    expect((await askConfirm(browser, 'export')).status).toBe(200)
  })

  it('ends its session when it is wrong three times, over several codes, and nothing else is counted', async () => {
    const { app, browser, clock, database, lines } = await opened()
    const second = openBrowser(app)
    clock.advance(minute)
    await send(second)
    await verify(second)
    await askConfirm(browser, 'deletion')
    for (const _ of [1, 2])
      expect(problemOf(await verifyConfirm(browser, wrongCode)).code).toBe('CODE_INVALID')
    // A new code does not begin the count anew.
    clock.advance(minute)
    await askConfirm(browser, 'deletion')
    const third = await verifyConfirm(browser, wrongCode)
    expect([third.status, problemOf(third).code]).toEqual([401, 'CONFIRMATION_FAILED'])
    expect(third.setCookies).toEqual([
      expect.stringMatching(/^session_3000=; /),
      expect.stringMatching(/^role_3000=; /),
    ])
    expect([(await userOf(browser)).status, (await userOf(second)).status]).toEqual([401, 200])
    const wrongs = await database.tables
      .selectFrom('otp_events')
      .select('id')
      .where('outcome', '=', 'wrong')
      .execute()
    const counters = await database.tables.selectFrom('otp_counters').selectAll().execute()
    expect([
      wrongs,
      counters.some((row) => row.consecutive_failures + row.known_consecutive_failures > 0),
    ]).toEqual([[], false])
    expect(JSON.stringify(lines)).not.toContain(wrongCode)
  })

  it('is compared three times at most in parallel', async () => {
    const { browser, otp } = await opened()
    await askConfirm(browser, 'deletion')
    const before = otp.checks.length
    const guesses = await Promise.all(Array.from({ length: 8 }, () => verifyConfirm(browser, wrongCode)))
    expect(guesses.every(({ status }) => status >= 400)).toBe(true)
    expect(otp.checks.length - before).toBeLessThanOrEqual(3)
    expect((await userOf(browser)).status).toBe(401)
  })

  it('keeps the session while the code service is away, and after a right code the count is zero', async () => {
    const { browser, clock, otp } = await opened()
    await askConfirm(browser, 'export')
    for (const trouble of ['unreachable', 'unreachable', 'unreachable', 'silent', 'silent'] as const) {
      otp.state.trouble = trouble
      expect(problemOf(await verifyConfirm(browser)).code).toBe('OTP_UNAVAILABLE')
    }
    otp.state.trouble = undefined
    await verifyConfirm(browser, wrongCode)
    await verifyConfirm(browser, wrongCode)
    expect((await verifyConfirm(browser, rightCode)).status).toBe(200)
    clock.advance(minute)
    await askConfirm(browser, 'export')
    await verifyConfirm(browser, wrongCode)
    expect((await userOf(browser)).status).toBe(200)
  })

  it('goes by the channels of sign-in, and to the address where it may recover the account', async () => {
    const { browser, clock, database, otp } = await opened()
    const setEmail = (from: number) =>
      database.tables
        .updateTable('users')
        .set({ email: 'maryam@example.com', email_recovers_from: from })
        .execute()
    const channelsFor = async (purpose: string) => {
      clock.advance(2 * minute)
      return (await askConfirm(browser, purpose)).json.channels
    }
    await setEmail(clock.now() + hour)
    expect(await channelsFor('session')).toEqual(['sms', 'whatsapp', 'call'])
    expect(problemOf(await askConfirm(browser, 'session', 'email')).code).toBe('CHANNEL_UNAVAILABLE')
    await setEmail(clock.now())
    expect(await channelsFor('session')).toEqual(['sms', 'whatsapp', 'call', 'email'])
    expect(await channelsFor('export')).toEqual(['sms', 'whatsapp', 'call'])
    clock.advance(2 * minute)
    expect((await askConfirm(browser, 'email-removal', 'email')).json).toMatchObject({ channel: 'email' })
    expect(otp.sends.at(-1)).toMatchObject({ phone: 'maryam@example.com', channel: 'email' })
    expect((await verifyConfirm(browser)).status).toBe(200)
    clock.advance(2 * minute)
    otp.state.trouble = 'too-many'
    const codeOf = async (channel: string) => problemOf(await askConfirm(browser, 'session', channel)).code
    expect([await codeOf('email'), await codeOf('sms')]).toEqual(['TOO_MANY_EMAIL_CODES', 'TOO_MANY_CODES'])
  })
})
