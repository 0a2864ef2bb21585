import { describe, expect, it } from 'vitest'
import { minute } from '#test/kit/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/databases.ts'
import { openBrowser, type TestBrowser } from '#test/kit/room-app.ts'
import { openRoom, type Room, rightCode, send, verify } from '#test/kit/sign-in-room.ts'

const thirty = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 30 }, (_, index) => work(index)))

const phoneOf = (round: number) => `+96651234${String(round).padStart(4, '0')}`
const openSessions = async ({ database }: Room) =>
  (await database.tables<{ sessions: { token_hash: string } }>().selectFrom('sessions').selectAll().execute())
    .length

forEachEngine((engine, open) => {
  describe('two gateways beside each other', () => {
    /** Two gateways on one database, with one OTP service behind both. */
    async function openTwo(): Promise<[Room, Room]> {
      const database = await open()
      const one = await openRoom({ database })
      const two = await openRoom({ database, otp: one.otp })
      return [one, two]
    }

    const same = (room: Room, browser: TestBrowser) =>
      openBrowser(room.app, Object.fromEntries(browser.cookies))

    it('open one session when the right code comes thirty times at once', async () => {
      const [one, two] = await openTwo()
      for (let round = 0; round < raceRounds; round += 1) {
        const phone = phoneOf(round)
        const browser = openBrowser(one.app)
        await send(browser, { phone })
        const answers = await thirty((index) =>
          verify(same(index % 2 ? one : two, browser), { phone, code: rightCode, name: 'A' }),
        )
        const statuses = answers.map(({ status }) => status)
        expect(statuses.filter((status) => status === 200)).toHaveLength(1)
        expect(statuses.every((status) => [200, 400, 429].includes(status))).toBe(true)
        expect(await openSessions(one)).toBe(round + 1)
      }
    })

    it('let no more wrong codes through than a code and a phone can bear', async () => {
      const [one, two] = await openTwo()
      for (let round = 0; round < raceRounds; round += 1) {
        const phone = phoneOf(round)
        const before = one.otp.checks.length
        const first = openBrowser(one.app)
        await send(first, { phone })
        await thirty((index) =>
          verify(same(index % 2 ? one : two, first), { phone, code: `90${10 + index}` }),
        )
        expect(one.otp.checks.length - before).toBe(3)
        one.clock.advance(minute)
        two.clock.advance(minute)
        const second = openBrowser(two.app)
        await send(second, { phone })
        await thirty((index) =>
          verify(same(index % 2 ? one : two, second), { phone, code: `90${10 + index}` }),
        )
        expect(one.otp.checks.length - before).toBe(5)
      }
    })

    it('send one code when thirty browsers ask at once', async () => {
      const [one, two] = await openTwo()
      for (let round = 0; round < raceRounds; round += 1) {
        const phone = phoneOf(round)
        const answers = await thirty((index) => send(openBrowser((index % 2 ? one : two).app), { phone }))
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(29)
        expect(one.otp.sends).toHaveLength(round + 1)
      }
    })

    it(`give checks back exactly while the service is away, on ${engine}`, async () => {
      const [one, two] = await openTwo()
      const phone = phoneOf(0)
      const browser = openBrowser(one.app)
      await send(browser, { phone })
      one.otp.state.trouble = 'silent'
      await thirty((index) => verify(same(index % 2 ? one : two, browser), { phone, name: 'A' }))
      one.otp.state.trouble = undefined
      expect((await verify(browser, { phone, name: 'A' })).status).toBe(200)
    })
  })
})
