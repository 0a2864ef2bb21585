import { describe, expect, it } from 'vitest'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { minute } from '#test/kit/basics/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import { openBrowser, type TestBrowser } from '#test/kit/gateway/feature-app.ts'
import {
  openFixture,
  rightCode,
  type SignInFixture,
  send,
  verify,
} from '#test/kit/gateway/sign-in-fixture.ts'

const phoneOf = (round: number) => `+96651234${String(round).padStart(4, '0')}`
const openSessions = async ({ database }: SignInFixture) =>
  (await database.tables.selectFrom('sessions').selectAll().execute()).length

forEachEngine((engine, open) => {
  describe('two gateways on one database', () => {
    /** Both gateways use one OTP provider. */
    async function openTwo(): Promise<[SignInFixture, SignInFixture]> {
      const database = await open()
      const one = await openFixture({ database })
      const two = await openFixture({ database, otp: one.otp })
      return [one, two]
    }

    const same = (fixture: SignInFixture, browser: TestBrowser) =>
      openBrowser(fixture.app, Object.fromEntries(browser.cookies))

    it('open one session for thirty concurrent requests with the right code', async () => {
      const [one, two] = await openTwo()
      for (let round = 0; round < raceRounds; round += 1) {
        const phone = phoneOf(round)
        const browser = openBrowser(one.app)
        await send(browser, { phone })
        const answers = await atOnce(30, (index) =>
          verify(same(index % 2 ? one : two, browser), { phone, code: rightCode, name: 'A' }),
        )
        const statuses = answers.map(({ status }) => status)
        expect(statuses.filter((status) => status === 200)).toHaveLength(1)
        expect(statuses.every((status) => [200, 400, 429].includes(status))).toBe(true)
        expect(await openSessions(one)).toBe(round + 1)
      }
    })

    it('compare no more wrong codes than the limits of code and phone allow', async () => {
      const [one, two] = await openTwo()
      for (let round = 0; round < raceRounds; round += 1) {
        const phone = phoneOf(round)
        const before = one.otp.checks.length
        const first = openBrowser(one.app)
        await send(first, { phone })
        await atOnce(30, (index) =>
          verify(same(index % 2 ? one : two, first), { phone, code: `90${10 + index}` }),
        )
        expect(one.otp.checks.length - before).toBe(3)
        one.clock.advance(minute)
        two.clock.advance(minute)
        const second = openBrowser(two.app)
        await send(second, { phone })
        await atOnce(30, (index) =>
          verify(same(index % 2 ? one : two, second), { phone, code: `90${10 + index}` }),
        )
        expect(one.otp.checks.length - before).toBe(5)
        // Beyond the window in which an address may leave some codes.
        one.clock.advance(10 * minute)
        two.clock.advance(10 * minute)
      }
    })

    it('send one code to thirty concurrent browsers', async () => {
      const [one, two] = await openTwo()
      for (let round = 0; round < raceRounds; round += 1) {
        const phone = phoneOf(round)
        const answers = await atOnce(30, (index) => send(openBrowser((index % 2 ? one : two).app), { phone }))
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(29)
        expect(one.otp.sends).toHaveLength(round + 1)
      }
    })

    it(`uncount each check once during an outage of the provider, on ${engine}`, async () => {
      const [one, two] = await openTwo()
      const phone = phoneOf(0)
      const browser = openBrowser(one.app)
      await send(browser, { phone })
      one.otp.state.trouble = 'silent'
      const away = [one, two, one].map((fixture) => verify(same(fixture, browser), { phone, name: 'A' }))
      for (const { status } of await Promise.all(away)) expect(status).toBe(503)
      one.otp.state.trouble = undefined
      expect((await verify(browser, { phone, name: 'A' })).status).toBe(200)
    })

    it(`compare at most six codes for thirty concurrent requests while answers are lost, on ${engine}`, async () => {
      const [one, two] = await openTwo()
      const phone = phoneOf(0)
      const browser = openBrowser(one.app)
      await send(browser, { phone })
      one.otp.state.trouble = 'losing'
      for (let each = 0; each < 3; each += 1)
        await atOnce(30, (index) =>
          verify(same(index % 2 ? one : two, browser), { phone, code: `90${10 + index}` }),
        )
      expect(one.otp.checks.length).toBe(6)
    })
  })
})
