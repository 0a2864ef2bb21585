import { beforeEach, describe, expect, it } from 'vitest'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { day, hour, minute, noon } from '#test/kit/clock.ts'
import { type OpenDatabase, raceRounds } from '#test/kit/databases.ts'
import type { Lane, Outcome } from './codes.rules.ts'
import {
  type ChallengeRow,
  type CodesStore,
  type CountedCheck,
  createCodesStore,
  type EventRow,
  type Group,
} from './codes.store.ts'

const phone = '+966512345678'
const otherPhone = '+966587654321'
const maxChecks = 3
const all = { by: 'all', key: '' } as const

const challenge = (change: Partial<ChallengeRow> = {}) => ({
  audience: 'user' as const,
  phone,
  browser_hash: 'browser-1',
  provider_ref: 'VE1',
  sent_at: noon,
  expires_at: noon + 5 * minute,
  send_id: null,
  ...change,
})

const event = (change: Partial<Omit<EventRow, 'id'>> = {}): Omit<EventRow, 'id'> => ({
  kind: 'send',
  audience: 'user',
  phone,
  prefix: '+96651234',
  country: 'SA',
  address: '192.0.2.1',
  lane: 'open',
  at: noon,
  outcome: 'unanswered',
  ...change,
})

const twenty = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 20 }, (_, index) => work(index)))

/** Laws of the store of codes. */
export function codesStoreLaws(engine: Engine, open: OpenDatabase): void {
  let store: CodesStore
  let database: Database
  beforeEach(async () => {
    database = await open()
    store = createCodesStore(database)
  })

  async function liveChallenge(change: Partial<ChallengeRow> = {}): Promise<ChallengeRow> {
    const row = challenge(change)
    await store.addChallenge(row)
    const found = await store.findChallenge(row.audience, row.phone, row.browser_hash, row.sent_at)
    if (!found) throw new Error('the challenge is not kept')
    return found
  }

  const count = async (group: Group, outcomes: readonly Outcome[], after: number) =>
    (await store.countGroups([{ group, outcomes, after }]))[0]

  const rowsOf = (audience: 'user' | 'agent' = 'user', of = phone, now = noon) =>
    database.transaction(() => store.lockPhone(audience, of, now))

  /** A check counted as the room counts it. */
  async function countedCheck(
    { id, send_id, audience, phone: of }: ChallengeRow,
    lane: Lane = 'open',
  ): Promise<CountedCheck> {
    return database.transaction(async () => {
      await store.lockPhone(audience, of, noon)
      await store.countCheck(id, maxChecks, noon)
      await store.countInARow(audience, of, lane)
      const eventId = await store.addEvent(
        event({ kind: 'check', audience, phone: of, lane, outcome: 'wrong' }),
      )
      return { eventId, challengeId: id, sendId: send_id, audience, phone: of, lane }
    })
  }

  const proven = async (change: Partial<ChallengeRow>, until: number) => {
    const row = await liveChallenge(change)
    expect(await store.prove(await countedCheck(row), noon, until)).toBe(true)
    return row
  }

  describe('keeps and finds', () => {
    it('a challenge, sent and unchecked', async () => {
      expect(await liveChallenge({ send_id: 7 })).toEqual({
        ...challenge({ send_id: 7 }),
        id: expect.any(String),
        state: 'sent',
        checks: 0,
      })
    })

    it('a challenge that has no code behind it', async () => {
      expect((await liveChallenge({ provider_ref: null })).provider_ref).toBeNull()
    })

    it('events of a phone, oldest first, with numbers of their own', async () => {
      const second = await store.addEvent(event({ at: noon + minute, lane: 'known' }))
      const first = await store.addEvent(event({ kind: 'check', outcome: 'wrong' }))
      expect(await store.findPhoneEvents('user', phone, noon - 1)).toEqual([
        { ...event({ kind: 'check', outcome: 'wrong' }), id: first },
        { ...event({ at: noon + minute, lane: 'known' }), id: second },
      ])
    })

    it('what was last sent to a phone, in whichever browser', async () => {
      await store.addChallenge(challenge())
      await store.addChallenge(
        challenge({ browser_hash: 'browser-2', provider_ref: 'VE2', sent_at: noon + 1 }),
      )
      await store.addChallenge(
        challenge({ browser_hash: 'browser-3', provider_ref: null, sent_at: noon + 2 }),
      )
      expect(await store.findLastRef('user', phone, noon - 1)).toBe('VE2')
    })

    it('challenges of a phone, newest first', async () => {
      await store.addChallenge(challenge())
      await store.addChallenge(challenge({ sent_at: noon + minute, provider_ref: 'VE2' }))
      const kept = await store.listChallenges('user', phone)
      expect(kept.map(({ provider_ref, state }) => [provider_ref, state])).toEqual([
        ['VE2', 'sent'],
        ['VE1', 'spent'],
      ])
    })

    it('a device that has signed in with a phone', async () => {
      await store.keepDevice('device-1', 'user', phone, noon)
      expect(await store.isKnownDevice('device-1', 'user', phone, noon - 1)).toBe(true)
      expect(await store.isIssuedDevice('device-1')).toBe(true)
    })
  })

  describe('unknown and duplicate', () => {
    it('finds nothing where nothing is', async () => {
      expect(await store.findChallenge('user', phone, 'browser-1', noon)).toBeUndefined()
      expect(await store.findLastRef('user', phone, 0)).toBeUndefined()
      expect(await store.findPhoneEvents('user', phone, 0)).toEqual([])
      expect(await store.listChallenges('user', phone)).toEqual([])
      expect(await count(all, ['unanswered'], 0)).toBe(0)
      expect(await store.findGroupTimes({ group: all, outcomes: ['unanswered'], after: 0 }, 10)).toEqual([])
      expect(await store.isKnownDevice('device-1', 'user', phone, 0)).toBe(false)
      expect(await store.isIssuedDevice('device-1')).toBe(false)
      expect(await rowsOf()).toEqual({ open: 0, known: 0 })
    })

    it('changes nothing where nothing is', async () => {
      const nowhere: CountedCheck = {
        eventId: 1,
        challengeId: 'no-such-id',
        sendId: 1,
        audience: 'user',
        phone,
        lane: 'open',
      }
      expect(await store.countCheck('no-such-id', maxChecks, noon)).toBeUndefined()
      expect(await store.prove(nowhere, noon, noon + minute)).toBe(false)
      expect(await store.spend('no-such-id', noon)).toBe(false)
      await store.settleSend(1, 'failed')
      await store.giveCheckBack(nowhere)
      await store.forgetPhone('user', phone)
      expect(await store.unlockPhone(phone)).toBe(0)
      expect(await rowsOf()).toEqual({ open: 0, known: 0 })
    })

    it('remembers a device once, with its last use', async () => {
      await store.keepDevice('device-1', 'user', phone, noon)
      await store.keepDevice('device-1', 'user', phone, noon + day)
      expect(await store.isKnownDevice('device-1', 'user', phone, noon)).toBe(true)
    })
  })

  describe('transitions', () => {
    it('counts checks up to the last one and no further', async () => {
      const { id } = await liveChallenge()
      for (const checks of [1, 2, 3])
        expect(await store.countCheck(id, maxChecks, noon)).toMatchObject({ id, checks })
      expect(await store.countCheck(id, maxChecks, noon)).toBeUndefined()
    })

    it('proves a challenge once and lets it live as long as it is told', async () => {
      const row = await liveChallenge()
      const check = await countedCheck(row)
      expect(await store.prove(check, noon, noon + 20 * minute)).toBe(true)
      expect(await store.prove(check, noon, noon + 30 * minute)).toBe(false)
      expect(await store.findChallenge('user', phone, 'browser-1', noon + 19 * minute)).toMatchObject({
        id: row.id,
        state: 'proven',
        expires_at: noon + 20 * minute,
      })
    })

    it('calls the check right and its send answered, and ends both rows, when it proves', async () => {
      const sendId = await store.addEvent(event())
      await countedCheck(await liveChallenge({ browser_hash: 'browser-2' }), 'known')
      const check = await countedCheck(await liveChallenge({ send_id: sendId }))
      expect(await rowsOf()).toEqual({ open: 1, known: 1 })
      await store.prove(check, noon, noon + 20 * minute)
      const outcomes = (await store.findPhoneEvents('user', phone, 0)).map(({ outcome }) => outcome)
      expect(outcomes.sort()).toEqual(['answered', 'right', 'wrong'])
      expect(await rowsOf()).toEqual({ open: 0, known: 0 })
    })

    it('changes nothing when it does not prove', async () => {
      const row = await liveChallenge()
      const check = await countedCheck(row)
      await liveChallenge({ sent_at: noon + minute })
      expect(await store.prove(check, noon, noon + 20 * minute)).toBe(false)
      expect(await rowsOf()).toEqual({ open: 1, known: 0 })
      expect(await count(all, ['wrong'], 0)).toBe(1)
    })

    it('does not count checks of a proven challenge', async () => {
      const { id } = await proven({}, noon + 20 * minute)
      expect(await store.countCheck(id, maxChecks, noon)).toBeUndefined()
    })

    it('spends only what is proven, and once', async () => {
      const row = await liveChallenge()
      expect(await store.spend(row.id, noon)).toBe(false)
      await store.prove(await countedCheck(row), noon, noon + 20 * minute)
      expect(await store.spend(row.id, noon)).toBe(true)
      expect(await store.spend(row.id, noon)).toBe(false)
      expect(await store.findChallenge('user', phone, 'browser-1', noon)).toBeUndefined()
    })

    it('spends the older challenges of a browser when a new one is sent', async () => {
      const older = await liveChallenge()
      const newer = await liveChallenge({ provider_ref: 'VE2', sent_at: noon + minute })
      expect(newer.id).not.toBe(older.id)
      expect(await store.countCheck(older.id, maxChecks, noon)).toBeUndefined()
    })

    it('gives a check back with all that it was counted in', async () => {
      const row = await liveChallenge()
      await countedCheck(row)
      await store.giveCheckBack(await countedCheck(row))
      expect(await store.findChallenge('user', phone, 'browser-1', noon)).toMatchObject({ checks: 1 })
      expect(await count(all, ['wrong'], 0)).toBe(1)
      expect(await rowsOf()).toEqual({ open: 1, known: 0 })
    })

    it('counts the lanes of a row apart', async () => {
      const row = await liveChallenge()
      await countedCheck(row)
      await countedCheck(row)
      await countedCheck(row, 'known')
      expect(await rowsOf()).toEqual({ open: 2, known: 1 })
    })

    it('says of a send that it failed', async () => {
      await store.settleSend(await store.addEvent(event()), 'failed')
      expect(await store.findPhoneEvents('user', phone, 0)).toMatchObject([{ outcome: 'failed' }])
    })

    it('opens a phone again for both audiences, and leaves what the windows count', async () => {
      await countedCheck(await liveChallenge())
      await countedCheck(await liveChallenge({ audience: 'agent' }), 'known')
      await countedCheck(await liveChallenge({ phone: otherPhone }))
      expect(await store.unlockPhone(phone)).toBe(2)
      expect(await rowsOf('user')).toEqual({ open: 0, known: 0 })
      expect(await rowsOf('agent')).toEqual({ open: 0, known: 0 })
      expect(await rowsOf('user', otherPhone)).toEqual({ open: 1, known: 0 })
      expect(await count(all, ['wrong'], 0)).toBe(3)
    })
  })

  describe('groups', () => {
    beforeEach(async () => {
      await store.addEvent(event())
      await store.addEvent(event({ phone: otherPhone, prefix: '+96658765', at: noon + minute }))
      await store.addEvent(event({ country: 'EG', address: '192.0.2.2', outcome: 'answered' }))
      await store.addEvent(event({ kind: 'check', outcome: 'right', at: noon + 2 * minute }))
    })

    it.each([
      [all, 2],
      [{ by: 'prefix', key: '+96651234' }, 1],
      [{ by: 'country', key: 'SA' }, 2],
      [{ by: 'address', key: '192.0.2.1' }, 2],
      [{ by: 'address', key: '192.0.2.3' }, 0],
    ] as const)('count what is theirs: %j has %i', async (group, events) => {
      expect(await count(group, ['unanswered'], noon - 1)).toBe(events)
    })

    it('count several outcomes, and only after a time', async () => {
      expect(await count(all, ['unanswered', 'answered'], noon - 1)).toBe(3)
      expect(await count(all, ['unanswered', 'answered'], noon)).toBe(1)
      expect(await count(all, ['right'], noon)).toBe(1)
    })

    it('answer several questions in their order, and none with none', async () => {
      const questions = [
        { group: all, outcomes: ['answered'], after: 0 },
        { group: { by: 'prefix', key: '+96658765' }, outcomes: ['unanswered'], after: 0 },
        { group: all, outcomes: ['unanswered'], after: 0 },
        { group: all, outcomes: ['unanswered'], after: noon + day },
      ] as const
      expect(await store.countGroups(questions)).toEqual([1, 1, 2, 0])
      expect(await store.countGroups([])).toEqual([])
    })

    it('know the times, oldest first, and no more than asked for', async () => {
      const group = { by: 'country', key: 'SA' } as const
      expect(await store.findGroupTimes({ group: group, outcomes: ['unanswered'], after: 0 }, 10)).toEqual([
        noon,
        noon + minute,
      ])
      expect(await store.findGroupTimes({ group: group, outcomes: ['unanswered'], after: 0 }, 1)).toEqual([
        noon,
      ])
    })
  })

  describe('concurrency', () => {
    it('lets one request at a time look at a phone and count', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const own = `+9665000000${String(round).padStart(2, '0')}`
        const won = await twenty(() =>
          database.transaction(async () => {
            await store.lockPhone('user', own, noon)
            if ((await store.findPhoneEvents('user', own, 0)).length >= 3) return false
            await store.addEvent(event({ phone: own }))
            return true
          }),
        )
        expect(won.filter(Boolean)).toHaveLength(3)
      }
    })

    it('lets no more than the allowed checks through when twenty guess at once', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { id } = await liveChallenge({ browser_hash: `browser-${round}` })
        const counted = await twenty(() => store.countCheck(id, maxChecks, noon))
        expect(counted.flatMap((row) => (row ? [row.checks] : [])).sort()).toEqual([1, 2, 3])
      }
    })

    it('lets one of twenty prove, and one of twenty spend', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const row = await liveChallenge({ browser_hash: `browser-${round}` })
        const check = await countedCheck(row)
        const proofs = await twenty(() => store.prove(check, noon, noon + minute))
        expect(proofs.filter(Boolean)).toHaveLength(1)
        const spendings = await twenty(() => store.spend(row.id, noon))
        expect(spendings.filter(Boolean)).toHaveLength(1)
      }
    })

    it('gives back and proves at once without waiting for each other in a circle', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const row = await liveChallenge({ browser_hash: `browser-${round}` })
        const checks = [await countedCheck(row), await countedCheck(row), await countedCheck(row)]
        await Promise.all(
          checks.flatMap((check) => [store.giveCheckBack(check), store.prove(check, noon, noon + minute)]),
        )
        expect(await rowsOf()).toEqual({ open: 0, known: 0 })
      }
    })
  })

  describe('isolation between owners', () => {
    it('keeps the audiences apart', async () => {
      const user = await liveChallenge()
      expect(await store.findChallenge('agent', phone, 'browser-1', noon)).toBeUndefined()
      expect(await store.findLastRef('agent', phone, 0)).toBeUndefined()
      const agent = await liveChallenge({ audience: 'agent' })
      expect(agent.id).not.toBe(user.id)
      expect(await store.findChallenge('user', phone, 'browser-1', noon)).toEqual(user)
      await countedCheck(user)
      expect(await rowsOf('agent')).toEqual({ open: 0, known: 0 })
      expect(await store.findPhoneEvents('agent', phone, 0)).toEqual([])
      await store.keepDevice('device-1', 'user', phone, noon)
      expect(await store.isKnownDevice('device-1', 'agent', phone, 0)).toBe(false)
    })

    it('keeps browsers, phones and devices apart', async () => {
      const mine = await liveChallenge()
      await liveChallenge({ browser_hash: 'browser-2' })
      await liveChallenge({ phone: otherPhone })
      expect(await store.findChallenge('user', phone, 'browser-1', noon)).toEqual(mine)
      expect(await store.findChallenge('user', otherPhone, 'browser-2', noon)).toBeUndefined()
      await store.keepDevice('device-1', 'user', phone, noon)
      expect(await store.isKnownDevice('device-2', 'user', phone, 0)).toBe(false)
      expect(await store.isKnownDevice('device-1', 'user', otherPhone, 0)).toBe(false)
    })

    it('forgets one phone of one audience, and its devices, but not what it sent today', async () => {
      const fill = async (audience: 'user' | 'agent', of: string) => {
        await countedCheck(await liveChallenge({ audience, phone: of }))
        await store.keepDevice('device-1', audience, of, noon)
      }
      await fill('user', phone)
      await fill('agent', phone)
      await fill('user', otherPhone)
      await store.forgetPhone('user', phone)
      expect(await store.findChallenge('user', phone, 'browser-1', noon)).toBeUndefined()
      expect(await store.isKnownDevice('device-1', 'user', phone, 0)).toBe(false)
      expect(await rowsOf('user')).toEqual({ open: 0, known: 0 })
      expect(await store.findPhoneEvents('user', phone, 0)).toHaveLength(1)
      for (const [audience, of] of [
        ['agent', phone],
        ['user', otherPhone],
      ] as const) {
        expect(await store.findChallenge(audience, of, 'browser-1', noon)).toBeDefined()
        expect(await store.isKnownDevice('device-1', audience, of, 0)).toBe(true)
        expect(await rowsOf(audience, of)).toEqual({ open: 1, known: 0 })
      }
    })
  })

  describe('clock', () => {
    it('ends a challenge at its end', async () => {
      const { id, expires_at } = await liveChallenge()
      expect(await store.findChallenge('user', phone, 'browser-1', expires_at - 1)).toBeDefined()
      expect(await store.findChallenge('user', phone, 'browser-1', expires_at)).toBeUndefined()
      expect(await store.countCheck(id, maxChecks, expires_at)).toBeUndefined()
      expect(await store.countCheck(id, maxChecks, expires_at - 1)).toBeDefined()
    })

    it('lets a proof be spent until its end', async () => {
      const { id } = await proven({}, noon + minute)
      expect(await store.spend(id, noon + minute)).toBe(false)
      expect(await store.spend(id, noon + minute - 1)).toBe(true)
    })

    it('counts events after a time, and a device used after a time', async () => {
      await store.addEvent(event())
      await store.addChallenge(challenge())
      await store.keepDevice('device-1', 'user', phone, noon)
      expect(await store.findPhoneEvents('user', phone, noon)).toEqual([])
      expect(await count(all, ['unanswered'], noon)).toBe(0)
      expect(await store.findLastRef('user', phone, noon)).toBeUndefined()
      expect(await store.isKnownDevice('device-1', 'user', phone, noon)).toBe(false)
    })

    it('forgets what ended before its time, says how much, and keeps the rest', async () => {
      const at = (time: number) => ({
        challenges: time,
        events: time,
        devices: time,
        phones: time,
        rows: time - day,
      })
      await store.addChallenge(challenge())
      await store.addChallenge(challenge({ browser_hash: 'browser-2', expires_at: noon + 20 * minute }))
      await store.addEvent(event())
      await store.addEvent(event({ at: noon + hour }))
      await store.keepDevice('device-1', 'user', phone, noon)
      await store.keepDevice('device-2', 'user', phone, noon + hour)
      await rowsOf()
      await rowsOf('user', otherPhone, noon + hour)
      // One challenge, one event, one device, one phone.
      expect(await store.forget(at(noon + 15 * minute), 20)).toBe(4)
      expect(await store.forget(at(noon + 15 * minute), 20)).toBe(0)
      expect(await store.findChallenge('user', phone, 'browser-2', noon)).toBeDefined()
      expect(await store.findPhoneEvents('user', phone, 0)).toHaveLength(1)
      expect(await store.isKnownDevice('device-2', 'user', phone, 0)).toBe(true)
      expect(await store.isKnownDevice('device-1', 'user', phone, 0)).toBe(false)
    })

    it('forgets a row of wrong codes late, and a hard stop never', async () => {
      const stopped = await liveChallenge({ phone: otherPhone })
      await countedCheck(stopped)
      await countedCheck(stopped, 'known')
      await countedCheck(stopped, 'known')
      await countedCheck(await liveChallenge())
      const before = { challenges: 0, events: 0, devices: 0, phones: noon + day, rows: noon - day }
      expect(await store.forget(before, 2)).toBe(0)
      expect(await store.forget({ ...before, rows: noon + day }, 2)).toBe(1)
      expect(await rowsOf('user', otherPhone)).toEqual({ open: 1, known: 2 })
      expect(await rowsOf()).toEqual({ open: 0, known: 0 })
    })

    it(`counts times on ${engine} as whole milliseconds beyond 32 bits`, async () => {
      const far = 4_102_444_800_123
      await store.addEvent(event({ at: far }))
      expect(await store.findPhoneEvents('user', phone, far - 1)).toMatchObject([{ at: far }])
      await store.addChallenge(challenge({ sent_at: far, expires_at: far + 1, send_id: far }))
      expect(await store.findChallenge('user', phone, 'browser-1', far)).toMatchObject({ send_id: far })
    })
  })
}
