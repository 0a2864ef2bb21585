import { beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { day, hour, manualClock, minute, noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import type { SharedRule } from './limits.rules.ts'
import {
  addChallenge,
  addEvent,
  type ChallengeRow,
  changeChallenge,
  countEvents,
  deleteExpired,
  erasePhone,
  findFreeAt,
  isKnownDevice,
  listChallenges,
  listEvents,
  listFailures,
  listLive,
  lockPhone,
  resetFailures,
  saveDevice,
  setFailures,
  setOutcome,
} from './otp.queries.ts'
import type { Origin, Outcome } from './otp.rules.ts'

const phone = '+966512345678'
const otherPhone = '+966587654321'
const browser = { binding: 'a'.repeat(43) }
const other = { binding: 'b'.repeat(43) }

const challenge = (change: Partial<ChallengeRow> = {}) => ({
  id: 'c-1',
  role: 'user' as const,
  phone,
  browser_hash: hashOf(browser.binding),
  provider_ref: 'VE1',
  send_id: 0,
  state: 'sent' as const,
  checks: 0,
  channel: 'sms' as const,
  sent_at: noon,
  expires_at: noon + 5 * minute,
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
  channel: 'sms',
}

const rule = (change: Partial<SharedRule> = {}): SharedRule => ({
  name: 'OTP_DAILY_BUDGET',
  code: 'SIGN_IN_BUSY',
  counts: ['unanswered', 'answered'],
  count: 2,
  windowMs: hour,
  answered: 1,
  ...change,
})

/** Contract of the statements about codes. */
forEachEngine((_engine, open) => {
  let core: Core
  let database: Database
  beforeEach(async () => {
    database = await open()
    core = await openCore({ database, clock: manualClock() })
  })

  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

  async function add(at: number, outcome: Outcome, change: Partial<Origin> = {}): Promise<void> {
    await setOutcome(core, await addEvent(core, { ...origin, ...change }, 'unanswered', at), outcome)
  }

  describe('a code', () => {
    it('is live in its browser until it is spent or expires, and the newest is first', async () => {
      await addChallenge(core, challenge())
      await addChallenge(core, challenge({ id: 'c-2', phone: otherPhone, sent_at: noon + 1 }))
      await addChallenge(core, challenge({ id: 'c-3', role: 'agent', sent_at: noon + 2, state: 'spent' }))
      expect(idsOf(await listLive(core, browser, {}, noon))).toEqual(['c-2', 'c-1'])
      expect(idsOf(await listLive(core, browser, { role: 'user', phone }, noon))).toEqual(['c-1'])
      for (const nobody of [other, { binding: undefined }, { binding: 'chosen' }])
        expect(await listLive(core, nobody, {}, noon)).toEqual([])
      expect(await listLive(core, browser, {}, noon + 5 * minute)).toEqual([])
      expect(idsOf(await listChallenges(core, { role: 'agent', phone }))).toEqual(['c-3'])
    })

    it('is changed once of twenty at once, and not after it has expired', async () => {
      await addChallenge(core, challenge())
      const proven = { state: 'proven' } as const
      const wins = await atOnce(20, () => changeChallenge(core, { id: 'c-1', state: 'sent' }, proven))
      expect(wins.filter(Boolean)).toHaveLength(1)
      const spend = (at: number) =>
        changeChallenge(core, { id: 'c-1', state: 'proven' }, { state: 'spent' }, at)
      expect(await spend(noon + 5 * minute)).toBe(false)
      expect(await spend(noon + 5 * minute - 1)).toBe(true)
      const ask = () => changeChallenge(core, { id: 'c-1', delivery: null }, { delivery: 'unknown' })
      expect([await ask(), await ask()]).toEqual([true, false])
    })

    it('takes the others of its browser along, and ends a proof of the same number', async () => {
      await addChallenge(core, challenge({ state: 'proven' }))
      await addChallenge(core, challenge({ id: 'c-2' }))
      await addChallenge(core, challenge({ id: 'c-3', phone: otherPhone, state: 'proven' }))
      await addChallenge(core, challenge({ id: 'c-4', role: 'agent' }))
      const next = challenge({ id: 'c-5', browser_hash: hashOf(other.binding), sent_at: noon + 1 })
      await addChallenge(core, next, hashOf(browser.binding))
      expect(idsOf(await listLive(core, other, {}, noon)).sort()).toEqual(['c-3', 'c-4', 'c-5'])
      expect(idsOf(await listLive(core, browser, {}, noon))).toEqual(['c-2'])
    })
  })

  describe('shared rules', () => {
    it('count by trust, outcome and column within their window, and less for each entered code where they say so', async () => {
      await add(noon, 'unanswered')
      await add(noon + 1, 'answered', { country: 'EG' })
      await add(noon + 2, 'refused', { address: '192.0.2.2' })
      await add(noon + 3, 'unanswered', { trust: 'known' })
      await add(noon + 4, 'unanswered', { role: 'recovery', prefix: 'email:1' })
      const rules = [
        rule(),
        rule({ per: 'country' }),
        rule({ per: 'prefix' }),
        rule({ per: 'address', counts: ['unanswered', 'answered', 'refused'], answered: -1 }),
        rule({ per: 'address', counts: ['blocked'] }),
      ]
      expect(await countEvents(core, rules, origin, noon + 5)).toEqual([3, 2, 2, 1, 0])
      expect(await countEvents(core, rules, { ...origin, trust: 'known' }, noon + 5)).toEqual([1, 1, 1, 1, 0])
      expect(await countEvents(core, [rule()], { trust: 'open' }, noon + hour)).toEqual([2])
      expect(await countEvents(core, [], origin, noon)).toEqual([])
    })

    it('allow the next event when the events beyond their number have left the window', async () => {
      for (const at of [0, 10, 20, 30]) await add(noon + at, 'answered')
      const free = (count: number) => findFreeAt(core, rule({ count }), origin, noon + 40, 4)
      expect(await free(4)).toBe(noon + hour)
      expect(await free(2)).toBe(noon + 20 + hour)
      // A rule that allows nothing is never free: the wait is then a whole window.
      expect(await free(0)).toBe(noon + 40 + hour)
    })

    it('see the sends and checks of a number by its role and trust, oldest first, for a day', async () => {
      await addEvent(core, { ...origin, channel: null }, 'wrong', noon + 1)
      await add(noon, 'blocked')
      await add(noon, 'unanswered', { trust: 'known' })
      await add(noon, 'unanswered', { role: 'agent' })
      expect(await listEvents(core, origin, noon + 2)).toEqual([
        { kind: 'send', channel: 'sms', outcome: 'blocked', at: noon },
        { kind: 'check', channel: null, outcome: 'wrong', at: noon + 1 },
      ])
      expect(await listEvents(core, origin, noon + day)).toHaveLength(1)
    })
  })

  it('wrong codes in a row are counted by trust, and found by number for each role', async () => {
    const lock = (trust: Origin['trust']) =>
      database.transaction(() => lockPhone(core, { role: 'user', phone, trust }, noon))
    expect(await lock('open')).toBe(0)
    await setFailures(core, origin, 20, ['open'])
    await setFailures(core, origin, 3, ['known'])
    expect([await lock('open'), await lock('known'), await lock('session')]).toEqual([20, 3, 20])
    expect(await listFailures(core, [phone, otherPhone])).toMatchObject([
      { role: 'user', consecutive_failures: 20, known_consecutive_failures: 3 },
    ])
    expect([await resetFailures(core, [phone]), await resetFailures(core, [phone])]).toEqual([1, 0])
    expect(await listFailures(core, [phone])).toEqual([])
    await expect(lockPhone(core, origin, noon)).rejects.toThrow('transaction')
  })

  it('a device is known for its own number, until it has not signed in for a time', async () => {
    await saveDevice(core, 'token', { role: 'user', phone }, noon)
    await saveDevice(core, 'token', { role: 'user', phone }, noon + hour)
    expect(await database.tables.selectFrom('otp_devices').selectAll().execute()).toMatchObject([
      { created_at: noon, used_at: noon + hour },
    ])
    expect(await isKnownDevice(core, 'token', noon)).toBe(true)
    expect(await isKnownDevice(core, 'token', noon, { role: 'user', phone })).toBe(true)
    expect(await isKnownDevice(core, 'token', noon, { role: 'agent', phone })).toBe(false)
    expect(await isKnownDevice(core, 'token', noon, { role: 'user', phone: otherPhone })).toBe(false)
    expect(await isKnownDevice(core, 'token', noon + hour)).toBe(false)
  })

  describe('deletion', () => {
    const count = async (table: 'otp_challenges' | 'otp_counters' | 'otp_devices' | 'otp_events') =>
      (await database.tables.selectFrom(table).select('phone').execute()).length

    async function store(of: string): Promise<void> {
      await addChallenge(core, challenge({ id: of, phone: of }))
      await database.transaction(() => lockPhone(core, { ...origin, phone: of }, noon))
      await saveDevice(core, of, { role: 'user', phone: of }, noon)
      await add(noon, 'answered', { phone: of })
    }

    it('of a number leaves its events, and what belongs to others', async () => {
      await store(phone)
      await store(otherPhone)
      await erasePhone(core, { role: 'agent', phone })
      await erasePhone(core, { role: 'user', phone })
      for (const table of ['otp_challenges', 'otp_counters', 'otp_devices'] as const)
        expect(await count(table)).toBe(1)
      expect(await count('otp_events')).toBe(2)
    })

    it('of expired rows is by kind and in pieces; wrong codes go later, and a lock of a user never', async () => {
      await store(phone)
      const at = (time: number) => ({ challenges: time, events: time, devices: time, failures: time })
      expect(await deleteExpired(core, at(noon), 10)).toBe(0)
      expect(await deleteExpired(core, at(noon + 1), 10)).toBe(3)
      expect(await deleteExpired(core, at(noon + 5 * minute + 1), 10)).toBe(1)
      for (const [role, failures] of [
        ['user', 19],
        ['agent', 20],
        ['confirm', 20],
      ] as const) {
        await database.transaction(() => lockPhone(core, { role, phone, trust: 'open' }, noon))
        await setFailures(core, { role, phone }, failures, ['known'])
      }
      const late = { ...at(noon + 1), failures: noon }
      expect(await deleteExpired(core, late, 10)).toBe(0)
      expect(await deleteExpired(core, at(noon + 1), 1)).toBe(1)
      expect(await deleteExpired(core, at(noon + 1), 10)).toBe(1)
      expect(await listFailures(core, [phone])).toMatchObject([{ role: 'confirm' }])
    })
  })
})
