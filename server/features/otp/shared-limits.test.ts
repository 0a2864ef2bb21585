import { describe, expect, it } from 'vitest'
import { day, hour, minute, second } from '#test/kit/basics/clock.ts'
import { type BrowserAnswer, openBrowser, problemOf } from '#test/kit/gateway/feature-app.ts'
import {
  addressOf,
  farAway,
  openFixture,
  type SignInFixture,
  send,
  sendFrom,
  verify,
  wrongCode,
} from '#test/kit/gateway/sign-in-fixture.ts'

const foreign = (index: number) => `+2010012${String(index).padStart(5, '0')}`

/** Asks for a code and signs in with it. */
async function honest(fixture: SignInFixture, to: string): Promise<BrowserAnswer> {
  const browser = openBrowser(fixture.app)
  const sent = await send(browser, { phone: to })
  if (sent.status !== 200) return sent
  return verify(browser, { phone: to, name: 'A' })
}

const ask = async (fixture: SignInFixture, address: string, to: string) =>
  (await sendFrom(address, openBrowser(fixture.app), to)).status

describe('limits that phones share', () => {
  it('let 150 honest users with neighbouring numbers sign in within ten minutes from one address', async () => {
    const fixture = await openFixture()
    const statuses = new Set<number>()
    for (let index = 0; index < 150; index += 1) {
      const { status } = await honest(fixture, `+96655123${String(index).padStart(4, '0')}`)
      statuses.add(status)
      fixture.clock.advance(4 * second)
    }
    expect([...statuses]).toEqual([200])
  })

  it('stop new devices of a foreign prefix at its number a day, even if each code is entered', async () => {
    const fixture = await openFixture({ limits: { codesPerPrefix: 5 } })
    const statuses = []
    for (let index = 0; index < 8; index += 1) {
      statuses.push((await honest(fixture, foreign(index))).status)
      fixture.clock.advance(second)
    }
    expect(statuses).toEqual([...Array(5).fill(200), 429, 429, 429])
    expect(await fixture.refusalsBy('codes-per-prefix')).toBe(3)
    const answer = await send(openBrowser(fixture.app, { lang: 'en' }), { phone: foreign(9) })
    expect(problemOf(answer)).toMatchObject({
      status: 429,
      code: 'SIGN_IN_BUSY',
      retryAfterSeconds: 24 * 3_600 - 8,
      message: expect.stringContaining('nothing you did'),
    })
    expect((await honest(fixture, '+201111234567')).status).toBe(200)
    fixture.clock.advance(day - 8 * second - 1)
    expect((await send(openBrowser(fixture.app), { phone: foreign(9) })).status).toBe(429)
    fixture.clock.advance(1)
    expect((await send(openBrowser(fixture.app), { phone: foreign(9) })).status).toBe(200)
  })

  it('stop new devices of a country at its number a day, and no other country', async () => {
    const fixture = await openFixture({ limits: { codesPerCountry: 3 } })
    const statuses = []
    for (const to of ['+201001234567', '+201011234567', '+201021234567', '+201031234567'])
      statuses.push((await honest(fixture, to)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect(await fixture.refusalsBy('codes-per-country')).toBe(1)
    for (const to of ['+923001234567', farAway(1)]) expect((await honest(fixture, to)).status).toBe(200)
  })

  it('are answered alike for a number with an account and for one without', async () => {
    const fixture = await openFixture({ limits: { codesPerPrefix: 1 } })
    expect((await honest(fixture, foreign(1))).status).toBe(200)
    fixture.clock.advance(minute)
    const answers = []
    for (const to of [foreign(1), foreign(2)]) {
      const { status, json } = await send(openBrowser(fixture.app), { phone: to })
      answers.push([status, { ...json, requestId: '' }])
    }
    expect(answers[0]).toMatchObject([429, { code: 'SIGN_IN_BUSY' }])
    expect(answers[1]).toEqual(answers[0])
  })

  it('tell an address with too many unanswered codes to wait a minute, and allow one more with each code entered', async () => {
    const fixture = await openFixture({ limits: { codesPerAddress: { count: 5, windowMs: hour } } })
    const first = openBrowser(fixture.app)
    await send(first, { phone: farAway(0) })
    for (let index = 1; index < 5; index += 1)
      expect((await send(openBrowser(fixture.app), { phone: farAway(index) })).status).toBe(200)
    const late = openBrowser(fixture.app)
    expect(problemOf(await send(late, { phone: farAway(5) }))).toMatchObject({
      code: 'SIGN_IN_BUSY',
      retryAfterSeconds: 60,
    })
    expect(await fixture.refusalsBy('codes-per-address')).toBe(1)
    expect(await ask(fixture, '192.0.2.1', farAway(6))).toBe(200)
    await verify(first, { phone: farAway(0), name: 'A' })
    // The entered code is one less, and allows one more.
    for (const [index, status] of [200, 200, 429].entries())
      expect((await send(openBrowser(fixture.app), { phone: farAway(10 + index) })).status).toBe(status)
    fixture.clock.advance(hour)
    expect((await send(openBrowser(fixture.app), { phone: farAway(12) })).status).toBe(200)
  })

  it('count sends that the provider refuses for their address', async () => {
    const fixture = await openFixture({ limits: { codesPerAddress: { count: 3, windowMs: hour } } })
    fixture.otp.state.trouble = 'refusing'
    for (let index = 0; index < 3; index += 1)
      expect(await ask(fixture, '192.0.2.1', farAway(index))).toBe(409)
    expect(await ask(fixture, '192.0.2.1', farAway(3))).toBe(429)
    fixture.otp.state.trouble = undefined
    expect(await ask(fixture, '192.0.2.2', farAway(3))).toBe(200)
  })

  it('count an IPv6 /48 as one address, and an IPv4 address in either spelling', async () => {
    const fixture = await openFixture({ limits: { codesPerAddress: { count: 2, windowMs: hour } } })
    const networks = [
      (index: number) => `2001:db8:1:${index}:ffff::${index}`,
      (index: number) => (index % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1'),
    ]
    for (const [each, network] of networks.entries())
      for (const [index, status] of [200, 200, 429].entries())
        expect(await ask(fixture, network(index), farAway(each * 10 + index))).toBe(status)
    expect(await ask(fixture, '2001:db8:2:2::1', farAway(30))).toBe(200)
  })

  it('send no code to a new device with an empty budget', async () => {
    const fixture = await openFixture({ env: { OTP_DAILY_BUDGET: '0' } })
    expect(problemOf(await send(openBrowser(fixture.app))).code).toBe('SIGN_IN_BUSY')
    expect(fixture.otp.sends).toEqual([])
  })

  it('alarm once a day when half and when four fifths of the budget are used', async () => {
    const fixture = await openFixture({ env: { OTP_DAILY_BUDGET: '10' } })
    const alarms = () =>
      fixture.lines.map(({ event }) => event).filter((event) => String(event).includes('.budget-'))
    for (let index = 0; index < 5; index += 1) await honest(fixture, farAway(index))
    expect(alarms()).toEqual([])
    expect(await fixture.metric('amtiati_sign_in_budget_used_ratio')).toBe(0.5)
    for (let index = 5; index < 8; index += 1) await honest(fixture, farAway(index))
    expect(alarms()).toEqual(['sign-in.budget-half'])
    for (let index = 8; index < 10; index += 1) await honest(fixture, farAway(index))
    expect(alarms()).toEqual(['sign-in.budget-half', 'sign-in.budget-low'])
    fixture.clock.advance(day)
    expect(await fixture.metric('amtiati_sign_in_budget_used_ratio')).toBe(0)
    for (let index = 10; index < 16; index += 1) await honest(fixture, farAway(index))
    expect(alarms()).toHaveLength(3)
  })

  it('leave a guesser three wrong codes for each code of the budget, from however many addresses', async () => {
    const fixture = await openFixture({ env: { OTP_DAILY_BUDGET: '4' } })
    for (let index = 0; index < 8; index += 1) {
      const browser = openBrowser(fixture.app)
      await sendFrom(addressOf(index), browser, farAway(index))
      for (let each = 0; each < 5; each += 1)
        await verify(browser, { phone: farAway(index), code: wrongCode })
    }
    expect(fixture.otp.checks).toHaveLength(4 * 3)
  })
})
