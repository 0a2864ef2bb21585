import { beforeEach, describe, expect, it } from 'vitest'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { day, hour, minute, noon } from '#test/kit/clock.ts'
import { type OpenDatabase, raceRounds } from '#test/kit/databases.ts'
import type { Rule } from './limits.rules.ts'
import type { DeviceTrust, Origin, Outcome } from './otp.rules.ts'
import { type ChallengeRow, type CountedCheck, createOtpStore, type OtpStore } from './otp.store.ts'

const phone = '+966512345678'
const otherPhone = '+966587654321'
const maxChecks = 3

const challenge = (change: Partial<ChallengeRow> = {}) => ({
  role: 'user' as const,
  phone,
  browser_hash: 'browser-1',
  provider_ref: 'VE1',
  sent_at: noon,
  expires_at: noon + 5 * minute,
  send_id: 0,
  channel: 'sms' as const,
  email: null,
  new_phone: null,
  ...change,
})

const origin: Origin = {
  role: 'user',
  phone,
  prefix: '+96651234',
  country: 'SA',
  address: '192.0.2.1',
  trust: 'open',
}

/** Contract of the OTP store. */
export function otpStoreContract(_engine: Engine, open: OpenDatabase): void {
  let store: OtpStore
  let database: Database
  beforeEach(async () => {
    database = await open()
    store = createOtpStore(database)
  })

  async function liveChallenge(change: Partial<ChallengeRow> = {}): Promise<ChallengeRow> {
    const row = challenge(change)
    await store.addChallenge(row)
    const found = await store.findChallenge(row, row.browser_hash, row.sent_at)
    if (!found) throw new Error('the challenge is not stored')
    return found
  }

  /** An event with its final outcome. */
  async function addEvent({
    at = noon,
    outcome = 'unanswered',
    ...change
  }: Partial<Origin & { at: number; outcome: Outcome }> = {}): Promise<number> {
    const isCheck = outcome === 'wrong' || outcome === 'right'
    const id = await store.addEvent({ ...origin, ...change }, isCheck ? 'wrong' : 'unanswered', at)
    await store.setOutcome(id, outcome)
    return id
  }

  const eventsOf = ({ role, phone: of } = origin) =>
    database.tables
      .selectFrom('otp_events')
      .selectAll()
      .where('role', '=', role)
      .where('phone', '=', of)
      .orderBy('at')
      .orderBy('id')
      .execute()

  /** A rule whose window holds all events, asked a day later. */
  const later = noon + day
  const ruleOf = (per: Rule['per'], counts: readonly Outcome[], more: Partial<Rule> = {}): Rule => ({
    name: 'OTP_DAILY_BUDGET',
    per,
    counts,
    count: 1,
    windowMs: later,
    ...more,
  })
  const count = async (per: Rule['per'], counts: readonly Outcome[], of: Partial<Origin> = origin) =>
    (await store.countEvents([ruleOf(per, counts)], of, later))[0]
  const countSince = async (after: number, counts: readonly Outcome[]) =>
    (await store.countEvents([ruleOf('all', counts, { windowMs: later - after })], {}, later))[0]

  const failuresOf = (role: 'user' | 'agent' = 'user', of = phone, now = noon) =>
    database.transaction(async () => ({
      open: await store.lockPhone({ role, phone: of, trust: 'open' }, now),
      known: await store.lockPhone({ role, phone: of, trust: 'known' }, now),
    }))

  /** Counts a check as the service does. */
  async function countedCheck(
    { id, role, phone: of }: ChallengeRow,
    trust: DeviceTrust = 'open',
  ): Promise<CountedCheck> {
    const counted = await database.transaction(async () => {
      const checked = { ...origin, role, phone: of, trust }
      await store.lockPhone(checked, noon)
      return store.countCheck(checked, id, maxChecks, noon)
    })
    if (!counted) throw new Error('the check is not counted')
    return counted
  }

  const proven = async (change: Partial<ChallengeRow>, until: number) => {
    const row = await liveChallenge(change)
    expect(await store.markProven(await countedCheck(row), 'answered', noon, until)).toBe(true)
    return row
  }

  describe('stores and finds', () => {
    it('a challenge, sent and unchecked', async () => {
      expect(await liveChallenge({ send_id: 7 })).toEqual({
        ...challenge({ send_id: 7 }),
        id: expect.any(String),
        state: 'sent',
        checks: 0,
        uncertain_checks: 0,
        delivery: null,
      })
    })

    it('a challenge that has no code behind it', async () => {
      expect((await liveChallenge({ provider_ref: null })).provider_ref).toBeNull()
    })

    it('an event, with an id of its own', async () => {
      const second = await addEvent({ at: noon + minute, trust: 'known', channel: 'call' })
      const first = await addEvent({ outcome: 'wrong' })
      expect(await eventsOf()).toEqual([
        { ...origin, channel: null, kind: 'check', at: noon, outcome: 'wrong', id: first },
        {
          ...origin,
          channel: 'call',
          trust: 'known',
          kind: 'send',
          at: noon + minute,
          outcome: 'unanswered',
          id: second,
        },
      ])
    })

    it('the live challenges in a browser, of any phone and role, newest first', async () => {
      const spent = await proven({ phone: otherPhone }, noon + hour)
      await store.consumeProof(spent.id, noon)
      await store.addChallenge(challenge())
      await store.addChallenge(challenge({ role: 'agent', phone: otherPhone, sent_at: noon + minute }))
      await store.addChallenge(challenge({ browser_hash: 'browser-2', sent_at: noon + hour }))
      expect(await store.listLiveOf('browser-1', noon)).toMatchObject([
        { role: 'agent', phone: otherPhone },
        { role: origin.role, phone: origin.phone },
      ])
      expect(await store.listLiveOf('browser-1', noon + 5 * minute)).toEqual([])
    })

    it('what a phone did since a time, sends of before there were channels as SMS', async () => {
      await addEvent({ at: noon - 1 })
      await addEvent({ outcome: 'refused' })
      await addEvent({ at: noon + 1, channel: 'call' })
      await addEvent({ at: noon + 1, trust: 'known' })
      await addEvent({ at: noon + 2, outcome: 'wrong' })
      expect(await store.listEvents(origin, noon - 1)).toEqual([
        { kind: 'send', channel: 'sms', outcome: 'refused', at: noon },
        { kind: 'send', channel: 'call', outcome: 'unanswered', at: noon + 1 },
        { kind: 'check', channel: 'sms', outcome: 'wrong', at: noon + 2 },
      ])
      const rule = ruleOf('phoneChannel', ['refused'])
      expect(await store.countEvents([rule], { ...origin, channel: 'sms' }, later)).toEqual([1])
    })

    it('the delivery of a code, which one request may ask for', async () => {
      const row = await liveChallenge()
      const claims = await atOnce(raceRounds, () => store.claimDelivery(row.id))
      expect(claims.filter(Boolean)).toHaveLength(1)
      await store.setDelivery(row.id, 'undelivered')
      expect(await store.listLiveOf('browser-1', noon)).toMatchObject([{ delivery: 'undelivered' }])
    })

    it('challenges of a phone, newest first', async () => {
      await store.addChallenge(challenge())
      await store.addChallenge(challenge({ sent_at: noon + minute, provider_ref: 'VE2' }), 'browser-1')
      const kept = await store.listChallenges(origin)
      expect(kept.map(({ provider_ref, state }) => [provider_ref, state])).toEqual([
        ['VE2', 'sent'],
        ['VE1', 'sent'],
      ])
    })

    it('a device that has signed in with a phone', async () => {
      await store.saveDevice('device-1', { role: 'user', phone }, noon)
      expect(await store.isKnownDevice('device-1', noon - 1, { role: 'user', phone })).toBe(true)
      expect(await store.isKnownDevice('device-1', 0)).toBe(true)
    })
  })

  describe('unknown and duplicate', () => {
    it('stores a device once, with its last use', async () => {
      await store.saveDevice('device-1', { role: 'user', phone }, noon)
      await store.saveDevice('device-1', { role: 'user', phone }, noon + day)
      expect(await store.isKnownDevice('device-1', noon, { role: 'user', phone })).toBe(true)
    })
  })

  describe('transitions', () => {
    it('proves a challenge once, until the given time', async () => {
      const row = await liveChallenge()
      const check = await countedCheck(row)
      expect(await store.markProven(check, 'answered', noon, noon + 20 * minute)).toBe(true)
      expect(await store.markProven(check, 'answered', noon, noon + 30 * minute)).toBe(false)
      expect(
        await store.findChallenge({ role: 'user', phone }, 'browser-1', noon + 19 * minute),
      ).toMatchObject({
        id: row.id,
        state: 'proven',
        expires_at: noon + 20 * minute,
      })
    })

    it.each(['answered', 'joined'] as const)(
      'marks the check as right and its send as %s, and resets both counters, on a proof',
      async (outcome) => {
        const sendId = await addEvent()
        await countedCheck(await liveChallenge({ browser_hash: 'browser-2' }), 'known')
        const check = await countedCheck(await liveChallenge({ send_id: sendId }))
        expect(await failuresOf()).toEqual({ open: 1, known: 1 })
        await store.markProven(check, outcome, noon, noon + 20 * minute)
        const outcomes = (await eventsOf()).map(({ outcome }) => outcome)
        expect(outcomes.sort()).toEqual([outcome, 'right', 'wrong'])
        expect(await failuresOf()).toEqual({ open: 0, known: 0 })
      },
    )

    it('changes nothing when the challenge is proven already', async () => {
      const row = await liveChallenge()
      const check = await countedCheck(row)
      const other = await countedCheck(row)
      expect(await store.markProven(other, 'answered', noon, noon + 20 * minute)).toBe(true)
      await countedCheck(await liveChallenge({ browser_hash: 'browser-2' }))
      expect(await store.markProven(check, 'answered', noon, noon + 20 * minute)).toBe(false)
      expect(await failuresOf()).toEqual({ open: 1, known: 0 })
      expect(await count('all', ['wrong'])).toBe(2)
    })

    it('does not count checks of a proven challenge', async () => {
      const { id } = await proven({}, noon + 20 * minute)
      expect(await store.countCheck(origin, id, maxChecks, noon)).toBeUndefined()
    })

    it('consumes only a proof, and once', async () => {
      const row = await liveChallenge()
      expect(await store.consumeProof(row.id, noon)).toBe(false)
      await store.markProven(await countedCheck(row), 'answered', noon, noon + 20 * minute)
      expect(await store.consumeProof(row.id, noon)).toBe(true)
      expect(await store.consumeProof(row.id, noon)).toBe(false)
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-1', noon)).toBeUndefined()
    })

    it('ends a code that was not entered, once, and counts its lost answers up to a number', async () => {
      const row = await liveChallenge({ role: 'confirm', channel: 'email', email: 'maryam@example.com' })
      const counted = [1, 2, 3].map(() => store.countLostAnswer(row.id, 2))
      expect((await Promise.all(counted)).filter((isCounted) => isCounted)).toHaveLength(2)
      const ended = await Promise.all([store.spendSent(row.id), store.spendSent(row.id)])
      expect(ended.sort()).toEqual([false, true])
      expect(await store.findChallenge(row, row.browser_hash, noon)).toBeUndefined()
    })

    it('consumes the proof of a phone in a browser when a new code is sent', async () => {
      const older = await proven({}, noon + 20 * minute)
      await store.addChallenge(
        challenge({ provider_ref: 'VE2', sent_at: noon + minute, browser_hash: 'browser-3' }),
        'browser-1',
      )
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-1', noon)).toBeUndefined()
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-3', noon)).toMatchObject({
        provider_ref: 'VE2',
      })
      expect(await store.consumeProof(older.id, noon)).toBe(false)
    })

    it('finds what a browser was last sent for a role, whatever it was sent to', async () => {
      await liveChallenge()
      const email = { role: 'recovery', phone: 'email:1', email: 'a@example.com', new_phone: phone } as const
      const older = await liveChallenge(email)
      const newer = await liveChallenge({ ...email, phone: 'email:2', sent_at: noon + 1 })
      expect(await store.findChallengeOf('recovery', 'browser-1', noon + 1)).toEqual(newer)
      expect(await store.findChallengeOf('recovery', 'browser-2', noon + 1)).toBeUndefined()
      expect(await store.findChallengeOf('email', 'browser-1', noon + 1)).toBeUndefined()
      expect(await store.findChallengeOf('recovery', 'browser-1', newer.expires_at)).toBeUndefined()
      await store.setNewPhone(older.id, otherPhone)
      expect(await store.findChallenge(older, 'browser-1', noon)).toEqual({ ...older, new_phone: otherPhone })
    })

    it('moves challenges of other phones to the new binding of the browser', async () => {
      const older = await liveChallenge()
      const other = await liveChallenge({ phone: otherPhone })
      const elsewhere = await liveChallenge({ phone: otherPhone, browser_hash: 'browser-2' })
      await store.addChallenge(challenge({ browser_hash: 'browser-3' }), 'browser-1')
      // Its code is on its way to the phone, and the response with the new binding may be lost.
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-1', noon)).toEqual(older)
      expect(
        await store.findChallenge({ role: 'user', phone: otherPhone }, 'browser-1', noon),
      ).toBeUndefined()
      expect((await store.findChallenge({ role: 'user', phone }, 'browser-3', noon))?.id).not.toBe(older.id)
      expect((await store.findChallenge({ role: 'user', phone: otherPhone }, 'browser-3', noon))?.id).toBe(
        other.id,
      )
      expect(await store.findChallenge({ role: 'user', phone: otherPhone }, 'browser-2', noon)).toEqual(
        elsewhere,
      )
    })

    it('uncounts a check at most as often as given', async () => {
      const row = await liveChallenge()
      for (let each = 0; each < 3; each += 1)
        await store.uncountCheck(await countedCheck(row), false, 2, noon)
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-1', noon)).toMatchObject({
        checks: 1,
        uncertain_checks: 2,
      })
      expect(await count('all', ['wrong'])).toBe(1)
      expect(await failuresOf()).toEqual({ open: 1, known: 0 })
    })

    it('uncounts a check without a bound when certainly nothing was compared', async () => {
      const row = await liveChallenge()
      for (let each = 0; each < 8; each += 1) await store.uncountCheck(await countedCheck(row), true, 2, noon)
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-1', noon)).toMatchObject({
        checks: 0,
        uncertain_checks: 0,
      })
      expect(await count('all', ['wrong'])).toBe(0)
      expect(await failuresOf()).toEqual({ open: 0, known: 0 })
    })

    it('counts consecutive failures of open and known devices apart', async () => {
      const row = await liveChallenge()
      await countedCheck(row)
      await countedCheck(row)
      await countedCheck(row, 'known')
      expect(await failuresOf()).toEqual({ open: 2, known: 1 })
    })

    it.each(['failed', 'refused'] as const)('sets the outcome of a send to %s', async (outcome) => {
      await store.setOutcome(await addEvent(), outcome)
      expect(await eventsOf()).toMatchObject([{ outcome }])
    })

    it('unlocks a phone for both roles, and leaves the events', async () => {
      await countedCheck(await liveChallenge())
      await countedCheck(await liveChallenge({ role: 'agent' }), 'known')
      await countedCheck(await liveChallenge({ phone: otherPhone }))
      const failures = await store.findFailures(phone)
      expect(failures.toSorted((a, b) => a.role.localeCompare(b.role))).toEqual([
        { role: 'agent', open: 0, known: 1 },
        { role: 'user', open: 1, known: 0 },
      ])
      expect(await store.unlockPhone(phone)).toBe(2)
      expect(await store.findFailures(phone)).toEqual([])
      expect(await failuresOf('user')).toEqual({ open: 0, known: 0 })
      expect(await failuresOf('agent')).toEqual({ open: 0, known: 0 })
      expect(await failuresOf('user', otherPhone)).toEqual({ open: 1, known: 0 })
      expect(await count('all', ['wrong'])).toBe(3)
    })
  })

  describe('rules', () => {
    beforeEach(async () => {
      await addEvent()
      await addEvent({ phone: otherPhone, prefix: '+96658765', at: noon + minute })
      await addEvent({ country: 'EG', address: '192.0.2.2', trust: 'known', outcome: 'answered' })
      await addEvent({ role: 'agent', outcome: 'right', at: noon + 2 * minute })
    })

    it.each([
      ['all', {}, 2],
      ['prefix', { prefix: '+96651234' }, 1],
      ['country', { country: 'SA' }, 2],
      ['country', { country: 'EG' }, 0],
      ['address', { address: '192.0.2.1' }, 2],
      ['address', { address: '192.0.2.3' }, 0],
      ['addressPrefix', { address: '192.0.2.1', prefix: '+96651234' }, 1],
      ['addressPrefix', { address: '192.0.2.3', prefix: '+96651234' }, 0],
      ['phone', origin, 1],
      ['phone', { ...origin, phone: otherPhone }, 1],
      ['phone', { ...origin, role: 'agent' }, 0],
      ['phone', { ...origin, trust: 'known' }, 0],
    ] as const)('count the events of their scope, per %s: of %j %i', async (per, of, events) => {
      expect(await count(per, ['unanswered'], of)).toBe(events)
    })

    it('count several outcomes, and only after a time', async () => {
      expect(await countSince(noon - 1, ['unanswered', 'answered'])).toBe(3)
      expect(await countSince(noon, ['unanswered', 'answered'])).toBe(1)
      expect(await countSince(noon, ['right'])).toBe(1)
    })

    it('of codes to phones and of codes to addresses are counted apart, those of a mailbox by role', async () => {
      for (const role of ['email', 'email', 'recovery'] as const) await addEvent({ role })
      expect(await count('all', ['unanswered'], {})).toBe(2)
      expect(await count('all', ['unanswered'], { role: 'recovery' })).toBe(3)
      expect(await count('mailbox', ['unanswered'], { ...origin, role: 'recovery' })).toBe(1)
    })

    it('are counted in the given order', async () => {
      const rules = [
        ruleOf('all', ['answered']),
        ruleOf('prefix', ['unanswered']),
        ruleOf('all', ['unanswered']),
        ruleOf('all', ['unanswered'], { windowMs: 1 }),
      ]
      expect(await store.countEvents(rules, { prefix: '+96658765' }, later)).toEqual([1, 1, 2, 0])
    })

    it('count one less per crediting event, without changing when the next event is allowed', async () => {
      const dutch = { country: 'NL' }
      for (const outcome of ['answered', 'joined', 'answered'] as const) await addEvent({ ...dutch, outcome })
      const rule = ruleOf('country', ['unanswered', 'refused'], { credits: ['answered', 'joined'] })
      expect(await store.countEvents([rule], dutch, later)).toEqual([-3])
      await addEvent({ ...dutch, at: noon + 5 * minute })
      await addEvent({ ...dutch, outcome: 'refused', at: noon + 6 * minute })
      expect(await store.countEvents([rule, { ...rule, credits: [] }], dutch, later)).toEqual([-1, 2])
      expect(await store.findFreeAt(rule, dutch, later, 1)).toBe(later + noon + 5 * minute)
    })

    it('allow the next event when the excess events have left the window', async () => {
      const rule = ruleOf('country', ['unanswered'], { windowMs: hour })
      const now = noon + 2 * minute
      expect(await store.findFreeAt(rule, { country: 'SA' }, now, 1)).toBe(noon + hour)
      expect(await store.findFreeAt(rule, { country: 'SA' }, now, 2)).toBe(noon + minute + hour)
      // With a limit of zero the wait is the whole window.
      expect(await store.findFreeAt({ ...rule, count: 0 }, { country: 'SA' }, now, 2)).toBe(now + hour)
      expect(await store.findFreeAt(rule, { country: 'NL' }, now, 1)).toBe(now + hour)
    })
  })

  describe('concurrency', () => {
    it('counts no more than the allowed checks of twenty at once', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { id } = await liveChallenge({ browser_hash: `browser-${round}` })
        const counted = await atOnce(20, () => store.countCheck(origin, id, maxChecks, noon))
        expect(counted.flatMap((check) => (check ? [check.challenge.checks] : [])).sort()).toEqual([1, 2, 3])
      }
    })

    it('uncounts and proves at once without a deadlock', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const row = await liveChallenge({ browser_hash: `browser-${round}` })
        const checks = [await countedCheck(row), await countedCheck(row), await countedCheck(row)]
        await Promise.all(
          checks.flatMap((check) => [
            store.uncountCheck(check, false, 3, noon),
            store.markProven(check, 'answered', noon, noon + minute),
          ]),
        )
        expect(await failuresOf()).toEqual({ open: 0, known: 0 })
      }
    })
  })

  describe('isolation between owners', () => {
    it('keeps the roles apart', async () => {
      const user = await liveChallenge()
      expect(await store.findChallenge({ role: 'agent', phone }, 'browser-1', noon)).toBeUndefined()
      expect(await store.listChallenges({ role: 'agent', phone })).toEqual([])
      const agent = await liveChallenge({ role: 'agent' })
      expect(agent.id).not.toBe(user.id)
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-1', noon)).toEqual(user)
      await countedCheck(user)
      expect(await failuresOf('agent')).toEqual({ open: 0, known: 0 })
      expect(await eventsOf({ ...origin, role: 'agent' })).toEqual([])
      await store.saveDevice('device-1', { role: 'user', phone }, noon)
      expect(await store.isKnownDevice('device-1', 0, { role: 'agent', phone })).toBe(false)
    })

    it('keeps browsers, phones and devices apart', async () => {
      const mine = await liveChallenge()
      await liveChallenge({ browser_hash: 'browser-2' })
      await liveChallenge({ phone: otherPhone })
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-1', noon)).toEqual(mine)
      expect(
        await store.findChallenge({ role: 'user', phone: otherPhone }, 'browser-2', noon),
      ).toBeUndefined()
      await store.saveDevice('device-1', { role: 'user', phone }, noon)
      expect(await store.isKnownDevice('device-2', 0, { role: 'user', phone })).toBe(false)
      expect(await store.isKnownDevice('device-1', 0, { role: 'user', phone: otherPhone })).toBe(false)
    })

    it('erases one phone of one role and its devices, but not its events', async () => {
      const fill = async (role: 'user' | 'agent', of: string) => {
        await countedCheck(await liveChallenge({ role, phone: of }))
        await store.saveDevice('device-1', { role, phone: of }, noon)
      }
      await fill('user', phone)
      await fill('agent', phone)
      await fill('user', otherPhone)
      await store.erasePhone(origin)
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-1', noon)).toBeUndefined()
      expect(await store.isKnownDevice('device-1', 0, { role: 'user', phone })).toBe(false)
      expect(await failuresOf('user')).toEqual({ open: 0, known: 0 })
      expect(await eventsOf()).toHaveLength(1)
      for (const [role, of] of [
        ['agent', phone],
        ['user', otherPhone],
      ] as const) {
        expect(await store.findChallenge({ role, phone: of }, 'browser-1', noon)).toBeDefined()
        expect(await store.isKnownDevice('device-1', 0, { role, phone: of })).toBe(true)
        expect(await failuresOf(role, of)).toEqual({ open: 1, known: 0 })
      }
    })
  })

  describe('clock', () => {
    it('expires a challenge at its end', async () => {
      const { id, expires_at } = await liveChallenge()
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-1', expires_at - 1)).toBeDefined()
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-1', expires_at)).toBeUndefined()
      expect(await store.countCheck(origin, id, maxChecks, expires_at)).toBeUndefined()
      expect(await store.countCheck(origin, id, maxChecks, expires_at - 1)).toBeDefined()
    })

    it('lets a proof be consumed until its end', async () => {
      const { id } = await proven({}, noon + minute)
      expect(await store.consumeProof(id, noon + minute)).toBe(false)
      expect(await store.consumeProof(id, noon + minute - 1)).toBe(true)
    })

    it('counts events after a time, and a device used after a time', async () => {
      await addEvent()
      await store.saveDevice('device-1', { role: 'user', phone }, noon)
      expect(await countSince(noon, ['unanswered'])).toBe(0)
      expect(await countSince(noon - 1, ['unanswered'])).toBe(1)
      expect(await store.isKnownDevice('device-1', noon, { role: 'user', phone })).toBe(false)
    })

    it('deletes expired rows, counts them, and keeps the rest', async () => {
      const at = (time: number) => ({
        challenges: time,
        events: time,
        devices: time,
        phones: time,
        failures: time - day,
      })
      await store.addChallenge(challenge())
      await store.addChallenge(challenge({ browser_hash: 'browser-2', expires_at: noon + 20 * minute }))
      await addEvent()
      await addEvent({ at: noon + hour })
      await store.saveDevice('device-1', { role: 'user', phone }, noon)
      await store.saveDevice('device-2', { role: 'user', phone }, noon + hour)
      await failuresOf()
      await failuresOf('user', otherPhone, noon + hour)
      // One challenge, one event, one device, one phone.
      expect(await store.deleteExpired(at(noon + 15 * minute), 20, 10)).toBe(4)
      expect(await store.deleteExpired(at(noon + 15 * minute), 20, 10)).toBe(0)
      expect(await store.findChallenge({ role: 'user', phone }, 'browser-2', noon)).toBeDefined()
      expect(await eventsOf()).toHaveLength(1)
      expect(await store.isKnownDevice('device-2', 0, { role: 'user', phone })).toBe(true)
      expect(await store.isKnownDevice('device-1', 0, { role: 'user', phone })).toBe(false)
    })

    it('deletes consecutive failures late, and a hard stop never', async () => {
      const stopped = await liveChallenge({ phone: otherPhone })
      await countedCheck(stopped)
      await countedCheck(stopped, 'known')
      await countedCheck(stopped, 'known')
      await countedCheck(await liveChallenge())
      const before = { challenges: 0, events: 0, devices: 0, phones: noon + day, failures: noon - day }
      expect(await store.deleteExpired(before, 2, 10)).toBe(0)
      expect(await store.deleteExpired({ ...before, failures: noon + day }, 2, 10)).toBe(1)
      expect(await failuresOf('user', otherPhone)).toEqual({ open: 1, known: 2 })
      expect(await failuresOf()).toEqual({ open: 0, known: 0 })
    })
  })
}
