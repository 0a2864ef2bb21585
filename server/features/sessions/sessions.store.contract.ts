import { beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '#server/platform/database/database.ts'
import { type OpenDatabase, raceRounds } from '#test/kit/databases.ts'
import {
  type ChallengeRow,
  createSessionsStore,
  type SessionRow,
  type SessionsStore,
} from './sessions.store.ts'

const noon = 1_800_000_000_000
const minute = 60_000
const phone = '+966512345678'
const otherPhone = '+966587654321'
const maxChecks = 3

const challenge = (change: Partial<ChallengeRow> = {}) => ({
  audience: 'user' as const,
  phone,
  browser_hash: 'browser-1',
  provider_ref: 'VE1',
  sent_at: noon,
  expires_at: noon + 5 * minute,
  ...change,
})

const session = (change: Partial<SessionRow> = {}): SessionRow => ({
  token_hash: 'hash-1',
  role: 'user',
  subject_id: 7,
  created_at: noon,
  last_seen_at: noon,
  idle_until: noon + 10 * minute,
  ends_at: noon + 60 * minute,
  ...change,
})

/** Laws of the sessions store. */
export function sessionsStoreLaws(engine: Engine, open: OpenDatabase): void {
  let store: SessionsStore
  beforeEach(async () => {
    store = createSessionsStore(await open())
  })

  async function liveChallenge(change: Partial<ChallengeRow> = {}): Promise<ChallengeRow> {
    const row = challenge(change)
    await store.addChallenge(row)
    const found = await store.findChallenge(row.audience, row.phone, row.browser_hash, row.sent_at)
    if (!found) throw new Error('the challenge is not kept')
    return found
  }

  describe('keeps and finds', () => {
    it('a user by phone and by number, with numbers as numbers', async () => {
      const made = await store.ensureUser(phone, 'عبد الله', noon)
      expect(made).toEqual({ id: expect.any(Number), phone, name: 'عبد الله', created_at: noon })
      expect(await store.findUserByPhone(phone)).toEqual(made)
      expect(await store.findUsers([made.id])).toEqual([made])
    })

    it('an agent', async () => {
      const made = await store.ensureAgent({ partnerAgentId: 'A01', name: 'وكيل', phone }, noon)
      expect(made).toMatchObject({ partner_agent_id: 'A01', name: 'وكيل', phone, created_at: noon })
      expect(await store.findAgent(made.id)).toEqual(made)
    })

    it('a session', async () => {
      await store.addSession(session())
      expect(await store.findSession('hash-1', noon)).toEqual(session())
    })

    it('a challenge, sent and unchecked', async () => {
      expect(await liveChallenge()).toEqual({
        ...challenge(),
        id: expect.any(String),
        state: 'sent',
        checks: 0,
      })
    })

    it('a challenge that has no code behind it', async () => {
      expect((await liveChallenge({ provider_ref: null })).provider_ref).toBeNull()
    })

    it('when a code was last sent', async () => {
      await store.claimSend('user', phone, noon, minute)
      expect(await store.findLastSend('user', phone)).toBe(noon)
    })
  })

  describe('unknown and duplicate', () => {
    it('finds nothing where nothing is', async () => {
      expect(await store.findUserByPhone(phone)).toBeUndefined()
      expect(await store.findUsers([1, 2])).toEqual([])
      expect(await store.findUsers([])).toEqual([])
      expect(await store.findAgent(1)).toBeUndefined()
      expect(await store.findSession('hash-1', noon)).toBeUndefined()
      expect(await store.findChallenge('user', phone, 'browser-1', noon)).toBeUndefined()
      expect(await store.findLastSend('user', phone)).toBeUndefined()
    })

    it('changes nothing where nothing is', async () => {
      await store.touchSession('hash-1', noon, noon)
      await store.endSession('hash-1')
      await store.releaseSend('user', phone, noon)
      expect(await store.countCheck('no-such-id', maxChecks, noon)).toBeUndefined()
      expect(await store.prove('no-such-id', noon)).toBe(false)
      expect(await store.spend('no-such-id', noon)).toBe(false)
    })

    it('keeps the name and the number of a known user', async () => {
      const made = await store.ensureUser(phone, 'First', noon)
      expect(await store.ensureUser(phone, 'Second', noon + minute)).toEqual(made)
    })

    it('gives a known agent the present name and phone, and the same number', async () => {
      const made = await store.ensureAgent({ partnerAgentId: 'A01', name: 'Old', phone }, noon)
      const again = await store.ensureAgent(
        { partnerAgentId: 'A01', name: 'New', phone: otherPhone },
        noon + minute,
      )
      expect(again).toEqual({ ...made, name: 'New', phone: otherPhone })
    })

    it('refuses a second session under one token', async () => {
      await store.addSession(session())
      await expect(store.addSession(session({ subject_id: 8 }))).rejects.toThrow()
      expect(await store.findSession('hash-1', noon)).toMatchObject({ subject_id: 7 })
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
      const { id } = await liveChallenge()
      expect(await store.prove(id, noon + 20 * minute)).toBe(true)
      expect(await store.prove(id, noon + 30 * minute)).toBe(false)
      expect(await store.findChallenge('user', phone, 'browser-1', noon + 19 * minute)).toMatchObject({
        id,
        state: 'proven',
        expires_at: noon + 20 * minute,
      })
    })

    it('does not count checks of a proven challenge', async () => {
      const { id } = await liveChallenge()
      await store.prove(id, noon + 20 * minute)
      expect(await store.countCheck(id, maxChecks, noon)).toBeUndefined()
    })

    it('spends only what is proven, and once', async () => {
      const { id } = await liveChallenge()
      expect(await store.spend(id, noon)).toBe(false)
      await store.prove(id, noon + 20 * minute)
      expect(await store.spend(id, noon)).toBe(true)
      expect(await store.spend(id, noon)).toBe(false)
      expect(await store.findChallenge('user', phone, 'browser-1', noon)).toBeUndefined()
    })

    it('spends the older challenges of a browser when a new one is sent', async () => {
      const older = await liveChallenge()
      const newer = await liveChallenge({ provider_ref: 'VE2', sent_at: noon + minute })
      expect(newer.id).not.toBe(older.id)
      expect(await store.countCheck(older.id, maxChecks, noon)).toBeUndefined()
      expect(await store.prove(older.id, noon + 20 * minute)).toBe(false)
    })

    it('gives the right to send back', async () => {
      await store.claimSend('user', phone, noon, minute)
      await store.releaseSend('user', phone, noon)
      expect(await store.findLastSend('user', phone)).toBeUndefined()
      expect(await store.claimSend('user', phone, noon + 1, minute)).toBe(true)
    })

    it('does not give back a right that somebody took since', async () => {
      await store.claimSend('user', phone, noon, minute)
      await store.claimSend('user', phone, noon + minute, minute)
      await store.releaseSend('user', phone, noon)
      expect(await store.findLastSend('user', phone)).toBe(noon + minute)
    })

    it('ends a session', async () => {
      await store.addSession(session())
      await store.endSession('hash-1')
      expect(await store.findSession('hash-1', noon)).toBeUndefined()
    })

    it('does not bring an ended session back when it is touched', async () => {
      await store.addSession(session())
      await store.endSession('hash-1')
      await store.touchSession('hash-1', noon, noon + minute)
      expect(await store.findSession('hash-1', noon)).toBeUndefined()
    })
  })

  describe('concurrency', () => {
    it('lets one of twenty senders send', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const at = noon + round * minute
        const claims = await Promise.all(
          Array.from({ length: 20 }, () => store.claimSend('user', phone, at, minute)),
        )
        expect(claims.filter(Boolean)).toHaveLength(1)
      }
    })

    it('lets no more than the allowed checks through when twenty guess at once', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { id } = await liveChallenge({ browser_hash: `browser-${round}` })
        const counted = await Promise.all(
          Array.from({ length: 20 }, () => store.countCheck(id, maxChecks, noon)),
        )
        expect(counted.flatMap((row) => (row ? [row.checks] : [])).sort()).toEqual([1, 2, 3])
      }
    })

    it('lets one of twenty prove, and one of twenty spend', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { id } = await liveChallenge({ browser_hash: `browser-${round}` })
        const proofs = await Promise.all(Array.from({ length: 20 }, () => store.prove(id, noon + minute)))
        expect(proofs.filter(Boolean)).toHaveLength(1)
        const spendings = await Promise.all(Array.from({ length: 20 }, () => store.spend(id, noon)))
        expect(spendings.filter(Boolean)).toHaveLength(1)
      }
    })

    it('makes one user and one agent of twenty first sign-ins', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const own = `+96650000${String(round).padStart(4, '0')}`
        const users = await Promise.all(Array.from({ length: 20 }, () => store.ensureUser(own, 'N', noon)))
        expect(new Set(users.map(({ id }) => id)).size).toBe(1)
        const entry = { partnerAgentId: `A${round}`, name: 'N', phone: own }
        const agents = await Promise.all(Array.from({ length: 20 }, () => store.ensureAgent(entry, noon)))
        expect(new Set(agents.map(({ id }) => id)).size).toBe(1)
      }
    })
  })

  describe('isolation between owners', () => {
    it('keeps the audiences apart', async () => {
      const user = await liveChallenge()
      expect(await store.findChallenge('agent', phone, 'browser-1', noon)).toBeUndefined()
      const agent = await liveChallenge({ audience: 'agent' })
      expect(agent.id).not.toBe(user.id)
      expect(await store.findChallenge('user', phone, 'browser-1', noon)).toEqual(user)
      expect(await store.claimSend('user', phone, noon, minute)).toBe(true)
      expect(await store.claimSend('agent', phone, noon, minute)).toBe(true)
    })

    it('keeps browsers and phones apart', async () => {
      const mine = await liveChallenge()
      await liveChallenge({ browser_hash: 'browser-2' })
      await liveChallenge({ phone: otherPhone })
      expect(await store.findChallenge('user', phone, 'browser-1', noon)).toEqual(mine)
      expect(await store.findChallenge('user', otherPhone, 'browser-2', noon)).toBeUndefined()
      expect(await store.claimSend('user', phone, noon, minute)).toBe(true)
      expect(await store.claimSend('user', otherPhone, noon, minute)).toBe(true)
    })

    it('ends and touches one session only', async () => {
      await store.addSession(session())
      await store.addSession(session({ token_hash: 'hash-2' }))
      await store.touchSession('hash-2', noon + minute, noon + 20 * minute)
      expect(await store.findSession('hash-1', noon)).toEqual(session())
      await store.endSession('hash-1')
      expect(await store.findSession('hash-2', noon)).toMatchObject({ idle_until: noon + 20 * minute })
    })
  })

  describe('clock', () => {
    it('lets a code be sent again from the very end of the wait, and not a millisecond before', async () => {
      expect(await store.claimSend('user', phone, noon, minute)).toBe(true)
      expect(await store.claimSend('user', phone, noon + minute - 1, minute)).toBe(false)
      expect(await store.claimSend('user', phone, noon + minute, minute)).toBe(true)
    })

    it('ends a challenge at its end', async () => {
      const { id, expires_at } = await liveChallenge()
      expect(await store.findChallenge('user', phone, 'browser-1', expires_at - 1)).toBeDefined()
      expect(await store.findChallenge('user', phone, 'browser-1', expires_at)).toBeUndefined()
      expect(await store.countCheck(id, maxChecks, expires_at)).toBeUndefined()
      expect(await store.countCheck(id, maxChecks, expires_at - 1)).toBeDefined()
    })

    it('lets a proof be spent until its end', async () => {
      const { id } = await liveChallenge()
      await store.prove(id, noon + minute)
      expect(await store.spend(id, noon + minute)).toBe(false)
      expect(await store.spend(id, noon + minute - 1)).toBe(true)
    })

    it('finds a session until its idle limit and its absolute end', async () => {
      await store.addSession(session())
      expect(await store.findSession('hash-1', noon + 10 * minute - 1)).toBeDefined()
      expect(await store.findSession('hash-1', noon + 10 * minute)).toBeUndefined()
      await store.touchSession('hash-1', noon + 9 * minute, noon + 90 * minute)
      expect(await store.findSession('hash-1', noon + 60 * minute - 1)).toMatchObject({
        last_seen_at: noon + 9 * minute,
      })
      expect(await store.findSession('hash-1', noon + 60 * minute)).toBeUndefined()
    })

    it('forgets what ended before a time, says how much, and keeps the rest', async () => {
      await store.addSession(session())
      await store.addSession(session({ token_hash: 'hash-2', idle_until: noon + 20 * minute }))
      await store.addChallenge(challenge())
      await store.addChallenge(challenge({ browser_hash: 'browser-2', expires_at: noon + 20 * minute }))
      expect(await store.forget(noon + 15 * minute)).toBe(2)
      expect(await store.forget(noon + 15 * minute)).toBe(0)
      expect(await store.findSession('hash-2', noon)).toBeDefined()
      expect(await store.findSession('hash-1', noon)).toBeUndefined()
      expect(await store.findChallenge('user', phone, 'browser-2', noon)).toBeDefined()
      expect(await store.findChallenge('user', phone, 'browser-1', noon)).toBeUndefined()
    })

    it(`counts times on ${engine} as whole milliseconds beyond 32 bits`, async () => {
      const far = 4_102_444_800_123
      await store.addSession(session({ created_at: far, last_seen_at: far, idle_until: far, ends_at: far }))
      expect(await store.findSession('hash-1', far - 1)).toMatchObject({ created_at: far, ends_at: far })
    })
  })
}
