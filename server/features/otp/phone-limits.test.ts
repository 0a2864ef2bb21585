import { describe, expect, it } from 'vitest'
import { day, hour, minute, second } from '#test/kit/basics/clock.ts'
import { type BrowserAnswer, openBrowser, problemOf, refusedFieldsOf } from '#test/kit/gateway/feature-app.ts'
import {
  agentPhone,
  canonical,
  guess,
  openFixture,
  send,
  sendAgent,
  setFailures,
  userOf,
  verify,
  verifyAgent,
  wrongCode,
} from '#test/kit/gateway/sign-in-fixture.ts'
import { resetFailures } from './otp.queries.ts'
import { deleteExpiredCodes } from './stored-codes.ts'

describe('codes sent to one phone', () => {
  it('come after a pause, at most 3 in ten minutes, 5 an hour and 10 a day', async () => {
    const { browser, app, clock, otp } = await openFixture()
    const start = clock.now()
    const sentAt: number[] = []
    while (clock.now() - start < day) {
      const answer = await send(browser)
      expect(answer.json.sent).toBe(true)
      sentAt.push((clock.now() - start) / minute)
      const refused = problemOf(await send(openBrowser(app)))
      expect(refused.status).toBe(429)
      // The wait of the refusal is exact: a code is sent then, and not a millisecond earlier.
      clock.advance((refused.retryAfterSeconds ?? 0) * second - 1)
      expect((await send(openBrowser(app))).status).toBe(429)
      clock.advance(1)
    }
    expect(sentAt).toEqual([0, 1, 2, 10, 11, 60, 61, 62, 70, 71])
    expect(otp.sends).toHaveLength(10)
  })

  it('tell when the next one can be sent, other limits included', async () => {
    const { browser, clock } = await openFixture()
    const waits = []
    for (let each = 0; each < 3; each += 1) {
      waits.push((await send(browser)).json.resendInSeconds)
      clock.advance(minute)
    }
    expect(waits).toEqual([60, 60, 480])
  })

  it('are counted across browsers, spellings of the phone, and gateways', async () => {
    const fixture = await openFixture()
    const second = await openFixture({ database: fixture.database })
    await send(openBrowser(fixture.app))
    second.clock.advance(20_000)
    const answer = await send(openBrowser(second.app), { phone: '٠٥١٢٣٤٥٦٧٨' })
    expect(problemOf(answer)).toMatchObject({ code: 'CODE_REQUESTED_TOO_SOON', retryAfterSeconds: 40 })
    expect(answer.headers['retry-after']).toBe('40')
  })

  it('are not counted when the provider was certainly not reached, and are when it may have sent one', async () => {
    const { browser, otp, clock } = await openFixture()
    for (let each = 0; each < 5; each += 1) {
      otp.state.trouble = 'unreachable'
      expect(problemOf(await send(browser))).toMatchObject({ code: 'OTP_UNAVAILABLE', retryAfterSeconds: 5 })
    }
    otp.state.trouble = 'silent'
    expect(problemOf(await send(browser))).toMatchObject({ code: 'OTP_UNAVAILABLE', retryAfterSeconds: 30 })
    otp.state.trouble = undefined
    expect(problemOf(await send(browser)).code).toBe('CODE_REQUESTED_TOO_SOON')
    clock.advance(minute)
    expect((await send(browser)).json.sent).toBe(true)
  })

  it('are refused for a number the provider does not serve, and another number can be entered at once', async () => {
    const { browser, otp, clock } = await openFixture({ env: { OTP_CHANNELS: 'sms' } })
    otp.state.trouble = 'refusing'
    const answer = await send(browser)
    expect(problemOf(answer).code).toBe('PHONE_CANNOT_RECEIVE_CODES')
    expect(refusedFieldsOf(answer)).toEqual(['phone'])
    otp.state.trouble = undefined
    expect((await send(browser, { phone: '0587654321' })).json.sent).toBe(true)
    // The same number again only after the pause, for which alone a refused send counts. Nothing was sent, so none is said to be.
    expect(problemOf(await send(browser)).code).toBe('PHONE_CANNOT_RECEIVE_CODES')
    expect(otp.sends).toHaveLength(1)
    for (let each = 0; each < 4; each += 1) {
      clock.advance(minute)
      otp.state.trouble = each < 3 ? 'refusing' : undefined
      const again = await send(browser)
      if (each < 3) expect(problemOf(again).code).toBe('PHONE_CANNOT_RECEIVE_CODES')
      else expect(again.json.sent).toBe(true)
    }
  })
})

describe('wrong codes of one phone', () => {
  it('are at most 5 an hour, whatever codes are sent in between', async () => {
    const fixture = await openFixture()
    const browser = openBrowser(fixture.app, { lang: 'en' })
    const answer = await guess(fixture, browser, 6)
    expect(answer && problemOf(answer)).toMatchObject({
      status: 429,
      code: 'TOO_MANY_WRONG_CODES',
      retryAfterSeconds: 3_540,
      message: expect.stringContaining('59 minutes'),
    })
    expect(fixture.otp.checks).toHaveLength(5)
    expect(await fixture.refusalsBy('wrong-codes-per-phone')).toBe(1)
  })

  it('stop codes that could not be entered from being sent', async () => {
    const fixture = await openFixture()
    await guess(fixture, openBrowser(fixture.app), 5)
    const sends = fixture.otp.sends.length
    fixture.clock.advance(10 * minute)
    expect(problemOf(await send(openBrowser(fixture.app))).code).toBe('TOO_MANY_WRONG_CODES')
    expect(fixture.otp.sends).toHaveLength(sends)
  })

  it('are at most 10 a day', async () => {
    const fixture = await openFixture()
    const browser = openBrowser(fixture.app)
    await guess(fixture, browser, 5)
    fixture.clock.advance(hour)
    await guess(fixture, browser, 5)
    fixture.clock.advance(2 * hour)
    expect(problemOf(await send(browser)).code).toBe('TOO_MANY_WRONG_CODES')
    expect(fixture.otp.checks).toHaveLength(10)
  })

  it('lock the phone after 20 consecutive ones, until support unlocks it', async () => {
    const fixture = await openFixture()
    const browser = openBrowser(fixture.app, { lang: 'en' })
    for (let left = 4; left > 0; left -= 1) {
      await guess(fixture, browser, 5)
      fixture.clock.advance(12 * hour)
    }
    fixture.clock.advance(400 * day)
    await deleteExpiredCodes(fixture.core, 100)
    const locked = problemOf(await send(browser))
    expect(locked).toMatchObject({ status: 429, code: 'PHONE_LOCKED' })
    expect(locked.retryAfterSeconds).toBeUndefined()
    expect(locked.message).toMatch(/@/)
    expect(fixture.otp.checks).toHaveLength(20)
    expect(await resetFailures(fixture.core, [canonical])).toBe(1)
    await send(browser)
    expect((await verify(browser, { name: 'A' })).status).toBe(200)
  })

  it('are counted from zero after a right one', async () => {
    const fixture = await openFixture()
    const browser = openBrowser(fixture.app)
    await send(browser)
    await setFailures(fixture, 18)
    await verify(browser, { code: wrongCode })
    expect((await verify(browser, { name: 'A' })).status).toBe(200)
    fixture.clock.advance(2 * hour)
    await guess(fixture, openBrowser(fixture.app), 5)
    fixture.clock.advance(2 * hour)
    expect((await send(openBrowser(fixture.app))).status).toBe(200)
  })

  it('are not counted without a code that was sent, so that no phone can be locked without asking for codes', async () => {
    const fixture = await openFixture()
    const other = openBrowser(fixture.app)
    await send(other, { phone: '0587654321' })
    for (let each = 0; each < 30; each += 1)
      expect(problemOf(await verify(other, { code: wrongCode })).code).toBe('CODE_INVALID')
    const owner = openBrowser(fixture.app)
    await send(owner)
    expect((await verify(owner, { name: 'A' })).status).toBe(200)
  })

  it('are uncounted without a bound while the provider is certainly not reached', async () => {
    const fixture = await openFixture()
    const browser = openBrowser(fixture.app)
    await send(browser)
    fixture.otp.state.trouble = 'unreachable'
    for (let each = 0; each < 25; each += 1)
      expect(problemOf(await verify(browser, { name: 'A' })).code).toBe('OTP_UNAVAILABLE')
    // They are not among the three per code whose answers may be lost.
    fixture.otp.state.trouble = 'silent'
    for (let each = 0; each < 5; each += 1)
      expect(problemOf(await verify(browser, { name: 'A' })).code).toBe('OTP_UNAVAILABLE')
    fixture.otp.state.trouble = undefined
    expect((await verify(browser, { name: 'A' })).status).toBe(200)
  })

  it('are at most 6 per code while the provider compares codes and loses its answers', async () => {
    const fixture = await openFixture()
    const browser = openBrowser(fixture.app)
    await send(browser)
    fixture.otp.state.trouble = 'losing'
    const codes = []
    for (let each = 0; each < 12; each += 1)
      codes.push(problemOf(await verify(browser, { code: wrongCode })).code)
    expect(codes).toEqual([...Array(6).fill('OTP_UNAVAILABLE'), ...Array(6).fill('CODE_USED_UP')])
    expect(fixture.otp.checks).toHaveLength(6)
    // The others count for the phone, so its daily limit stops further ones.
    for (let round = 0; round < 5; round += 1) {
      fixture.clock.advance(10 * minute)
      await send(browser)
      for (let each = 0; each < 12; each += 1) await verify(browser, { code: wrongCode })
    }
    expect(fixture.otp.checks.length).toBeLessThanOrEqual(12)
    expect(problemOf(await send(browser)).code).toBe('TOO_MANY_WRONG_CODES')
  })

  it.each(['rejected', 'expired', 'locked'] as const)(
    'include the right code when the provider answers %s',
    async (outcome) => {
      const { browser, otp } = await openFixture()
      await send(browser)
      otp.state.outcome = outcome
      expect(problemOf(await verify(browser, { name: 'A' })).code).toBe('CODE_INVALID')
      expect((await userOf(browser)).status).toBe(401)
    },
  )

  it('are answered alike for an agent and for a phone that is not in the directory, also during an outage', async () => {
    const fixture = await openFixture()
    const seen: unknown[] = []
    for (const to of [agentPhone, '+966599999999']) {
      const browser = openBrowser(fixture.app)
      const answers: unknown[] = []
      const note = ({ status, json }: BrowserAnswer) => answers.push([status, { ...json, requestId: '' }])
      for (const trouble of ['unreachable', 'silent'] as const) {
        fixture.otp.state.trouble = trouble
        note(await sendAgent(browser, to))
        fixture.clock.advance(minute)
      }
      fixture.otp.state.trouble = undefined
      note(await sendAgent(browser, to))
      fixture.otp.state.trouble = 'silent'
      note(await verifyAgent(browser, { phone: to, code: wrongCode }))
      fixture.otp.state.trouble = undefined
      for (let each = 0; each < 4; each += 1) note(await verifyAgent(browser, { phone: to, code: wrongCode }))
      fixture.otp.state.trouble = 'refusing'
      fixture.clock.advance(10 * minute)
      note(await sendAgent(browser, to))
      fixture.otp.state.trouble = undefined
      fixture.clock.advance(2 * hour)
      seen.push(answers)
    }
    expect(seen[1]).toEqual(seen[0])
  })
})

describe('a directory that is not available', () => {
  it('is answered alike for every phone, and costs no try', async () => {
    const fixture = await openFixture()
    await fixture.setDirectoryAway(true)
    const seen: unknown[] = []
    for (const to of [agentPhone, '+966599999999']) {
      const { status, json } = await sendAgent(openBrowser(fixture.app), to)
      seen.push([status, { ...json, requestId: '' }])
    }
    expect(seen[0]).toMatchObject([503, { code: 'AGENTS_UNAVAILABLE' }])
    expect(seen[1]).toEqual(seen[0])
    await fixture.setDirectoryAway(false)
    expect((await sendAgent(openBrowser(fixture.app))).json.sent).toBe(true)
  })
})
