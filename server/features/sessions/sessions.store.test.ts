import { beforeEach, describe, expect, it } from 'vitest'
import { ensureUser, lockUserRow, markUserDeleted } from '#server/features/users/users.queries.ts'
import type { QueryCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import {
  countWrongCode,
  deleteConfirmations,
  deleteUnconfirmed,
  forgetWrongCodes,
  isCodeAwaited,
  markConfirmed,
  saveConfirmation,
  takeConfirmation,
  uncountWrongCode,
} from './confirmations.queries.ts'
import {
  addSession,
  deleteBegunSessions,
  deleteExpiredSessions,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  deleteSessionsOfFormer,
  ensureAgent,
  findSession,
  findUserSession,
  listNewestSessions,
  listSessionRows,
  type NewSession,
} from './sessions.queries.ts'

const phone = '+966512345678'
const otherPhone = '+966587654321'

const session = (change: Partial<NewSession> = {}): NewSession => ({
  token_hash: 'hash-1',
  id: `name-of-${change.token_hash ?? 'hash-1'}`,
  device: 'Chrome · Android',
  role: 'user',
  subject_id: 7,
  created_at: noon,
  last_seen_at: noon,
  idle_until: noon + 10 * minute,
  ends_at: noon + 60 * minute,
  ...change,
})

forEachEngine((_engine, open) => {
  let database: Database
  let core: QueryCore
  beforeEach(async () => {
    database = await open()
    core = { database }
  })

  describe('stores and finds', () => {
    it('when each user began the newest session that is not over', async () => {
      await addSession(core, session())
      await addSession(core, session({ token_hash: 'hash-2', created_at: noon + 1 }))
      await addSession(core, session({ token_hash: 'hash-3', created_at: noon + 2, idle_until: noon + 3 }))
      await addSession(core, session({ token_hash: 'hash-4', created_at: noon + 4, role: 'agent' }))
      expect(await listNewestSessions(core, [7, 8], noon + 5)).toEqual([
        { subject_id: 7, created_at: noon + 1 },
      ])
      expect(await listNewestSessions(core, [], noon)).toEqual([])
    })
  })

  describe('a confirmation', () => {
    const asked = {
      session_hash: 'hash-1',
      purpose: 'export',
      browser_hash: 'browser',
      challenge_id: 'code',
      asked_at: noon,
    } as const
    const ask = (change: object = {}) =>
      saveConfirmation(core, { ...asked, confirmed_until: null, ...change })

    it('is confirmed by its code, in its session and browser, and taken once for its purpose', async () => {
      await addSession(core, session())
      expect(await ask()).toBe(true)
      expect(await ask({ session_hash: 'ended' })).toBe(false)
      expect(await takeConfirmation(core, asked, noon)).toBeUndefined()
      for (const other of [
        { ...asked, session_hash: 'hash-2' },
        { ...asked, browser_hash: 'other' },
        { ...asked, challenge_id: 'other' },
      ])
        expect([await isCodeAwaited(core, other), await markConfirmed(core, other, noon + 5)]).toEqual([
          false,
          false,
        ])
      expect([await isCodeAwaited(core, asked), await markConfirmed(core, asked, noon + 5)]).toEqual([
        true,
        true,
      ])
      expect(await markConfirmed(core, asked, noon + 9)).toBe(false)
      expect(await takeConfirmation(core, { ...asked, purpose: 'deletion' }, noon)).toBeUndefined()
      expect(await takeConfirmation(core, { ...asked, browser_hash: 'other' }, noon)).toBeUndefined()
      expect(await takeConfirmation(core, asked, noon + 5)).toBeUndefined()
      const taken = await takeConfirmation(core, asked, noon + 4)
      if (!taken) throw new Error('it was confirmed')
      expect(taken).toEqual({ ...asked, confirmed_until: noon + 5 })
      expect(await takeConfirmation(core, asked, noon)).toBeUndefined()
      expect(await saveConfirmation(core, taken)).toBe(true)
      expect(await takeConfirmation(core, asked, noon)).toEqual(taken)
    })

    it('of two requests at once serves one', async () => {
      await addSession(core, session())
      await ask()
      await markConfirmed(core, asked, noon + 5)
      const taken = await Promise.all([1, 2, 3].map(() => takeConfirmation(core, asked, noon)))
      expect(taken.filter((row) => row !== undefined)).toHaveLength(1)
    })

    it('is for what the code was asked for last, and goes with its session and with time', async () => {
      await addSession(core, session())
      await ask()
      await database.transaction(() => deleteUnconfirmed(core, asked.session_hash, asked.challenge_id))
      expect(await isCodeAwaited(core, asked)).toBe(false)
      await ask()
      expect(await deleteConfirmations(core, noon, 10)).toBe(0)
      expect(await deleteConfirmations(core, noon + 1, 10)).toBe(1)
      await ask()
      await deleteSession(core, asked.session_hash)
      expect(await isCodeAwaited(core, asked)).toBe(false)
    })

    it('counts the wrong codes of a session, at once too, until a right one', async () => {
      await addSession(core, session())
      const counted = await Promise.all([1, 2, 3, 4].map(() => countWrongCode(core, 'hash-1', 3)))
      expect(counted.map((count) => count ?? 0).sort()).toEqual([0, 1, 2, 3])
      await uncountWrongCode(core, 'hash-1')
      expect(await countWrongCode(core, 'hash-1', 3)).toBe(3)
      await forgetWrongCodes(core, 'hash-1')
      expect(await countWrongCode(core, 'hash-1', 3)).toBe(1)
    })
  })

  describe('an agent who is known', () => {
    it('gives an existing agent the new name and phone, and keeps the id', async () => {
      const made = await ensureAgent(core, { partnerAgentId: 'A01', name: 'Old', phone }, noon)
      const again = await ensureAgent(
        core,
        { partnerAgentId: 'A01', name: 'New', phone: otherPhone },
        noon + minute,
      )
      expect(again).toEqual({ ...made, name: 'New', phone: otherPhone })
    })
  })

  describe('concurrency', () => {
    it('neither deletes a locked user nor locks a user during the deletion', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const own = `+96656000${String(round).padStart(4, '0')}`
        const { id } = await ensureUser(core, own, 'N', noon)
        const order: string[] = []
        const lock = database.transaction(async () => {
          const locked = await lockUserRow(core, id)
          await deleteSessionsOf(core, { role: 'user', subject: id })
          order.push(locked ? 'locked' : 'gone')
        })
        const deletion = database.transaction(async () => {
          await markUserDeleted(core, id, own, noon)
          order.push('deleted')
        })
        await Promise.all([lock, deletion])
        // Both orders are right: the user is locked and then deleted, or deleted and then not found.
        expect(order).toEqual(order[0] === 'locked' ? ['locked', 'deleted'] : ['deleted', 'gone'])
      }
    })

    it('creates one agent for twenty concurrent first sign-ins', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const own = `+96650000${String(round).padStart(4, '0')}`
        const entry = { partnerAgentId: `A${round}`, name: 'N', phone: own }
        const agents = await atOnce(20, () => ensureAgent(core, entry, noon))
        expect(new Set(agents.map(({ id }) => id)).size).toBe(1)
      }
    })
  })

  describe('the sessions of a user', () => {
    const of = (change: Partial<NewSession>) => addSession(core, session(change))
    const namesOf = async (role: 'user' | 'agent', id: number, at = noon, limit = 10) =>
      (await listSessionRows(core, { role, subject: id }, at, limit)).map(({ token_hash }) => token_hash)

    it('are listed without those of others, last used first, up to the limit', async () => {
      await of({ token_hash: 'old', last_seen_at: noon - 2 * minute })
      await of({ token_hash: 'new' })
      await of({ token_hash: 'neighbour', subject_id: 8 })
      await of({ token_hash: 'namesake', role: 'agent' })
      expect(await namesOf('user', 7)).toEqual(['new', 'old'])
      expect(await namesOf('user', 7, noon, 1)).toEqual(['new'])
      expect(await namesOf('agent', 7)).toEqual(['namesake'])
    })

    it('are listed until they end', async () => {
      await of({ token_hash: 'idle' })
      await of({ token_hash: 'over', idle_until: noon + 60 * minute, ends_at: noon + 5 * minute })
      expect(await namesOf('user', 7, noon + 5 * minute)).toEqual(['idle'])
      expect(await namesOf('user', 7, noon + 10 * minute)).toEqual([])
    })

    it('end one by one by their id, for their owner alone', async () => {
      await of({})
      await of({ token_hash: 'hash-2' })
      expect(await deleteSessionOf(core, { role: 'user', subject: 8 }, 'name-of-hash-1')).toBe(false)
      expect(await deleteSessionOf(core, { role: 'agent', subject: 7 }, 'name-of-hash-1')).toBe(false)
      expect(await deleteSessionOf(core, { role: 'user', subject: 7 }, 'hash-1')).toBe(false)
      expect(await deleteSessionOf(core, { role: 'user', subject: 7 }, 'name-of-hash-1')).toBe(true)
      expect(await deleteSessionOf(core, { role: 'user', subject: 7 }, 'name-of-hash-1')).toBe(false)
      expect(await namesOf('user', 7)).toEqual(['hash-2'])
    })

    it('end for an agent whose phone has changed', async () => {
      const { id } = await ensureAgent(core, { partnerAgentId: 'A01', name: 'N', phone }, noon)
      await of({ role: 'agent', subject_id: id })
      await of({ token_hash: 'a-user', subject_id: id })
      await deleteSessionsOfFormer(core, 'A01', phone)
      expect(await namesOf('agent', id)).toEqual(['hash-1'])
      await deleteSessionsOfFormer(core, 'A01', otherPhone)
      expect(await namesOf('agent', id)).toEqual([])
      expect(await namesOf('user', id)).toEqual(['a-user'])
    })
  })

  describe('deleting', () => {
    it('ends expired sessions, counts them, and keeps the rest', async () => {
      await addSession(core, session())
      await addSession(core, session({ token_hash: 'hash-2', idle_until: noon + 20 * minute }))
      expect(await deleteExpiredSessions(core, noon + 15 * minute, 10)).toBe(1)
      expect(await deleteExpiredSessions(core, noon + 15 * minute, 10)).toBe(0)
      expect(await findSession(core, 'hash-2', noon)).toBeDefined()
      expect(await findSession(core, 'hash-1', noon)).toBeUndefined()
    })

    it('ends all that began until a time, piece by piece, and none that began later', async () => {
      for (const [index, created_at] of [noon - 1, noon, noon + 1].entries())
        await addSession(core, session({ token_hash: `hash-${index}`, created_at }))
      expect(await deleteBegunSessions(core, noon, 1)).toBe(1)
      expect(await deleteBegunSessions(core, noon, 10)).toBe(1)
      expect(await deleteBegunSessions(core, noon, 10)).toBe(0)
      expect(await findSession(core, 'hash-2', noon + 1)).toBeDefined()
    })
  })

  describe('a user’s session with its user', () => {
    it('is not found for an agent with the same id, nor for a deleted user', async () => {
      const { id } = await ensureUser(core, phone, 'عبد الله', noon)
      await addSession(core, session({ role: 'agent', subject_id: id }))
      await addSession(core, session({ token_hash: 'hash-2', subject_id: id }))
      expect(await findUserSession(core, 'hash-1', noon)).toBeUndefined()
      expect(await findUserSession(core, 'hash-2', noon)).toMatchObject({ id, name: 'عبد الله', phone })
      await markUserDeleted(core, id, phone, noon)
      expect(await findUserSession(core, 'hash-2', noon)).toBeUndefined()
    })
  })
})
