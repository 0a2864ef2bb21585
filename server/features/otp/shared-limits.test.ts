import { describe, expect, it } from 'vitest'
import { day, hour, minute, second } from '#test/kit/clock.ts'
import { type BrowserAnswer, openBrowser, problemOf } from '#test/kit/feature-app.ts'
import { isFull } from '#test/kit/full-run.ts'
import {
  addressOf,
  farAway,
  openFixture,
  rightCode,
  type SignInFixture,
  send,
  sendFrom,
  verify,
  verifyFrom,
  wrongCode,
} from '#test/kit/sign-in-fixture.ts'

/** A phone of one prefix by `index`. */
const neighbour = (index: number) => `+96655123${String(index).padStart(4, '0')}`
/** Honest users in a row, and hours of an attack. */
const [honestUsers, hoursOfAttack] = isFull ? [500, 24] : [150, 6]
/** Time-out of tests with hundreds of users, on a busy machine. */
const patienceMs = 240_000

describe('limits that phones share', () => {
  /** Asks for a code and signs in with it. */
  async function honest(fixture: SignInFixture, to: string): Promise<BrowserAnswer> {
    const browser = openBrowser(fixture.app)
    const sent = await send(browser, { phone: to })
    if (sent.status !== 200) return sent
    return verify(browser, { phone: to, name: 'A' })
  }

  it(`let ${honestUsers} honest users with neighbouring numbers sign in within ten minutes from one address`, {
    timeout: patienceMs,
  }, async () => {
    const fixture = await openFixture()
    const statuses = new Set<number>()
    for (let index = 0; index < honestUsers; index += 1) {
      statuses.add((await honest(fixture, neighbour(index))).status)
      fixture.clock.advance((10 * minute) / honestUsers)
    }
    expect([...statuses]).toEqual([200])
  })

  const foreign = (index: number) => `+2010012${String(index).padStart(5, '0')}`

  it('stop new phones of a foreign prefix at its number a day, even if each code is entered', {
    timeout: patienceMs,
  }, async () => {
    const fixture = await openFixture({ limits: { codesPerPrefix: 100 } })
    const known = openBrowser(fixture.app)
    await send(known, { phone: foreign(1) })
    await verify(known, { phone: foreign(1), name: 'A' })
    const answers = []
    for (let index = 2; index < 400; index += 1) {
      answers.push((await honest(fixture, foreign(index))).status)
      fixture.clock.advance(second)
    }
    expect(answers.filter((status) => status === 200)).toHaveLength(99)
    expect(fixture.otp.sends).toHaveLength(100)
    expect(await fixture.refusalsBy('codes-per-prefix')).toBe(299)
    const answer = await send(openBrowser(fixture.app, { lang: 'en' }), { phone: foreign(400) })
    expect(problemOf(answer)).toMatchObject({
      status: 429,
      code: 'SIGN_IN_BUSY',
      retryAfterSeconds: 24 * 3_600 - 398,
      message: expect.stringContaining('nothing you did'),
    })
    // A phone of the prefix with an account signs in on a new device; other prefixes are open.
    expect((await honest(fixture, foreign(1))).status).toBe(200)
    expect((await honest(fixture, '+201111234567')).status).toBe(200)
    fixture.clock.advance((24 * 3_600 - 398) * second - 1)
    expect((await send(openBrowser(fixture.app), { phone: foreign(400) })).status).toBe(429)
    fixture.clock.advance(1)
    expect((await send(openBrowser(fixture.app), { phone: foreign(400) })).status).toBe(200)
  })

  it('stop new phones of a country at its number a day, and no other country', async () => {
    const fixture = await openFixture({ limits: { codesPerCountry: 3 } })
    const numbers = ['+201001234567', '+201011234567', '+201021234567', '+201031234567']
    const statuses = []
    for (const to of numbers) statuses.push((await honest(fixture, to)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect(await fixture.refusalsBy('codes-per-country')).toBe(1)
    expect((await honest(fixture, '+923001234567')).status).toBe(200)
    expect((await honest(fixture, farAway(1))).status).toBe(200)
  })

  it('stop all phones of a prefix at three times its number, those with an account too', async () => {
    const fixture = await openFixture({ limits: { codesPerPrefix: 3 } })
    const outcomes = []
    for (let round = 0; round < 4; round += 1) {
      for (let index = 0; index < 3; index += 1) outcomes.push((await honest(fixture, foreign(index))).status)
      fixture.clock.advance(10 * minute)
    }
    expect(outcomes).toEqual([...Array(9).fill(200), ...Array(3).fill(429)])
    expect((await honest(fixture, '+201111234567')).status).toBe(200)
  })

  const ask = async (fixture: SignInFixture, address: string, to: string) =>
    (await sendFrom(address, openBrowser(fixture.app), to)).status

  it('leave an address open for other phones while codes of one prefix are asked for there and not entered', async () => {
    const fixture = await openFixture()
    const statuses = []
    for (let index = 0; index < 100; index += 1)
      statuses.push(await ask(fixture, '192.0.2.1', neighbour(index)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(63)
    expect(statuses.slice(63)).toEqual(Array(37).fill(429))
    for (const phone of [farAway(1), farAway(2), foreign(1)])
      expect(await ask(fixture, '192.0.2.1', phone), phone).toBe(200)
    // What is left of the address is little: several prefixes can use it up.
    for (let index = 0; index < 63; index += 1) await ask(fixture, '192.0.2.1', foreign(index + 2))
    expect(await ask(fixture, '192.0.2.1', farAway(3))).toBe(429)
    expect(await ask(fixture, '192.0.2.2', farAway(3))).toBe(200)
  })

  it('let 40 foreign neighbours ask at one address before the first code is entered', async () => {
    const fixture = await openFixture()
    const browsers = Array.from({ length: 40 }, () => openBrowser(fixture.app))
    for (const [index, browser] of browsers.entries())
      expect((await send(browser, { phone: foreign(index) })).status).toBe(200)
    for (const [index, browser] of browsers.entries())
      expect((await verify(browser, { phone: foreign(index), name: 'A' })).status).toBe(200)
  })

  it('tell an address with too many unanswered codes to wait a minute, and allow one more with each code entered', async () => {
    const fixture = await openFixture({ env: { OTP_DAILY_BUDGET: '1000' } })
    const first = openBrowser(fixture.app)
    await send(first, { phone: foreign(0) })
    for (let index = 1; index < 20; index += 1)
      expect((await send(openBrowser(fixture.app), { phone: foreign(index) })).status).toBe(200)
    const late = openBrowser(fixture.app)
    expect(problemOf(await send(late, { phone: foreign(20) }))).toMatchObject({
      code: 'SIGN_IN_BUSY',
      retryAfterSeconds: 60,
    })
    expect(await fixture.refusalsBy('address-share')).toBe(1)
    expect(await ask(fixture, '192.0.2.1', foreign(21))).toBe(200)
    await verify(first, { phone: foreign(0), name: 'A' })
    expect((await send(late, { phone: foreign(20) })).status).toBe(200)
    // Without any code entered, another one is allowed ten minutes later.
    expect((await send(openBrowser(fixture.app), { phone: foreign(22) })).status).toBe(200)
    expect((await send(openBrowser(fixture.app), { phone: foreign(23) })).status).toBe(429)
    fixture.clock.advance(10 * minute)
    expect((await send(openBrowser(fixture.app), { phone: foreign(23) })).status).toBe(200)
  })

  it('count sends that the provider refuses for their address', async () => {
    const fixture = await openFixture()
    fixture.otp.state.trouble = 'refusing'
    for (let index = 0; index < 125; index += 1)
      await send(openBrowser(fixture.app), { phone: farAway(index) })
    expect((await send(openBrowser(fixture.app), { phone: farAway(125) })).status).toBe(429)
    fixture.otp.state.trouble = undefined
    expect(await ask(fixture, '192.0.2.1', farAway(0))).toBe(409)
    expect(await ask(fixture, '192.0.2.1', farAway(126))).toBe(200)
  })

  it(`stay open for new phones elsewhere while 20 addresses ask for ${hoursOfAttack} hours and enter no code`, {
    timeout: patienceMs,
  }, async () => {
    const fixture = await openFixture({ env: { OTP_DAILY_BUDGET: '2000' } })
    let asked = 0
    for (let round = 0; round < hoursOfAttack; round += 1) {
      for (let index = 0; index < 20; index += 1)
        while ((await ask(fixture, addressOf(index), farAway(asked))) === 200) asked += 1
      expect(await ask(fixture, `198.51.100.${round}`, `+96659${1_000_000 + round * 10_000}`)).toBe(200)
      fixture.clock.advance(hour)
    }
    // About 600 until sign-in is restricted, then two an hour from each address.
    expect(asked).toBeGreaterThan(600)
    expect(asked).toBeLessThan(1_700)
    expect(fixture.lines.filter(({ event }) => event === 'sign-in.restricted').length).toBeGreaterThan(0)
  })

  it('let an address go on under restriction while it enters its codes', async () => {
    const fixture = await openFixture({ limits: { codesPerPrefix: 100 } })
    for (let index = 0; index < 30; index += 1)
      expect(await ask(fixture, '192.0.2.1', foreign(index))).toBe(200)
    expect(await ask(fixture, '192.0.2.1', foreign(30))).toBe(429)
    expect(fixture.lines.filter(({ event }) => event === 'sign-in.restricted')).toMatchObject([
      { limit: 'codes-per-prefix', group: 'prefix' },
    ])
    for (let index = 40; index < 50; index += 1)
      expect((await honest(fixture, foreign(index))).status).toBe(200)
    // Two unanswered codes, beside the ten that were entered.
    const statuses = []
    for (let index = 50; index < 64; index += 1)
      statuses.push((await send(openBrowser(fixture.app), { phone: foreign(index) })).status)
    expect(statuses).toEqual([...Array(12).fill(200), 429, 429])
    // Other countries are open, also from the same address.
    expect(await ask(fixture, '192.0.2.1', '+201111234567')).toBe(200)
  })

  it('alarm once when 80 % of the number of a country are used', async () => {
    const fixture = await openFixture({ limits: { codesPerCountry: 10 } })
    const alarms = () => fixture.lines.filter(({ event }) => event === 'sign-in.country-low')
    const egyptian = (index: number) => `+2010${10 + index}123456`
    for (let index = 0; index < 8; index += 1) await honest(fixture, egyptian(index))
    expect(alarms()).toEqual([])
    for (let index = 8; index < 10; index += 1) await honest(fixture, egyptian(index))
    expect(alarms()).toMatchObject([{ limit: 'codes-per-country', group: 'country EG' }])
  })

  it('send no code with an empty budget', async () => {
    const fixture = await openFixture({ env: { OTP_DAILY_BUDGET: '0' } })
    expect(problemOf(await send(openBrowser(fixture.app))).code).toBe('SIGN_IN_BUSY')
    expect(fixture.otp.sends).toEqual([])
  })

  it('alarm once a day when 80 % of the budget are used', async () => {
    const fixture = await openFixture({
      env: { OTP_DAILY_BUDGET: '10' },
      limits: { codesPerAddressPercent: 100 },
    })
    const alarms = () => fixture.lines.filter(({ event }) => event === 'sign-in.budget-low')
    for (let index = 0; index < 7; index += 1) await honest(fixture, farAway(index))
    expect(alarms()).toEqual([])
    expect(await fixture.metric('amtiati_sign_in_budget_used_ratio')).toBe(0.7)
    for (let index = 7; index < 9; index += 1) await honest(fixture, farAway(index))
    expect(alarms()).toMatchObject([{ limit: 'OTP_DAILY_BUDGET' }])
    fixture.clock.advance(day)
    expect(await fixture.metric('amtiati_sign_in_budget_used_ratio')).toBe(0)
    for (let index = 10; index < 19; index += 1) await honest(fixture, farAway(index))
    expect(alarms()).toHaveLength(2)
  })

  it('leave one try per code during a guess at each of many phones, and leave sign-in open', {
    timeout: patienceMs,
  }, async () => {
    const fixture = await openFixture()
    const [outcomes, asked]: [string[], number[]] = [[], []]
    for (let index = 0; index < 30; index += 1) {
      const browser = openBrowser(fixture.app)
      asked.push((await send(browser, { phone: farAway(index) })).status)
      outcomes.push(problemOf(await verify(browser, { phone: farAway(index), code: wrongCode })).code)
    }
    expect(outcomes).toEqual([...Array(25).fill('CODE_INVALID'), ...Array(5).fill('CODE_USED_UP')])
    expect(asked.every((status) => status === 200)).toBe(true)
    // The right code signs in from everywhere; from other addresses also after a wrong one.
    expect((await honest(fixture, farAway(50))).status).toBe(200)
    const far = openBrowser(fixture.app)
    await sendFrom('192.0.2.1', far, farAway(51))
    expect(problemOf(await verifyFrom('192.0.2.1', far, farAway(51), wrongCode)).code).toBe('CODE_INVALID')
    expect((await verifyFrom('192.0.2.1', far, farAway(51), rightCode)).status).toBe(200)
    fixture.clock.advance(10 * minute)
    const later = openBrowser(fixture.app)
    await send(later, { phone: farAway(52) })
    expect(problemOf(await verify(later, { phone: farAway(52), code: wrongCode })).code).toBe('CODE_INVALID')
  })

  it('leave all new devices one try per code when the guesses come from many addresses', {
    timeout: patienceMs,
  }, async () => {
    const fixture = await openFixture()
    for (let index = 0; index < 170; index += 1) {
      const browser = openBrowser(fixture.app)
      await sendFrom(addressOf(index), browser, farAway(index))
      for (let each = 0; each < 3; each += 1)
        await verifyFrom(addressOf(index), browser, farAway(index), wrongCode)
    }
    expect(fixture.otp.checks.length).toBeGreaterThanOrEqual(500)
    expect(fixture.otp.checks.length).toBeLessThan(510)
    // Right codes allow nothing more here: else every sign-in would allow one more guess.
    for (let index = 300; index < 310; index += 1) await honest(fixture, farAway(index))
    expect(
      fixture.lines.filter(({ event, group }) => event === 'sign-in.guessing' && group === 'all'),
    ).toMatchObject([{ limit: 'wrong-codes-per-phone' }])
    const guesser = openBrowser(fixture.app)
    await sendFrom('192.0.9.1', guesser, farAway(200))
    expect(problemOf(await verifyFrom('192.0.9.1', guesser, farAway(200), wrongCode)).code).toBe(
      'CODE_USED_UP',
    )
    const person = openBrowser(fixture.app)
    expect((await sendFrom('192.0.9.2', person, farAway(201))).status).toBe(200)
    expect((await verifyFrom('192.0.9.2', person, farAway(201), rightCode)).status).toBe(200)
  })

  it('count an IPv6 /48 as one address, and an IPv4 address in either spelling', async () => {
    const fixture = await openFixture({ env: { OTP_DAILY_BUDGET: '1000' } })
    const networks = [
      (index: number) => `2001:db8:1:${index}:ffff::${index}`,
      (index: number) => (index % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1'),
    ]
    const statuses = []
    for (const [each, network] of networks.entries())
      for (let index = 0; index < 21; index += 1)
        statuses.push(await ask(fixture, network(index), farAway(each * 100 + index)))
    const expected = [...Array(20).fill(200), 429]
    expect(statuses).toEqual([...expected, ...expected])
    expect(await ask(fixture, '2001:db8:2:2::1', farAway(300))).toBe(200)
  })
})
