import { beforeEach, describe, expect, it } from 'vitest'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { type OpenDatabase, raceRounds } from '#test/kit/databases.ts'
import { transacting } from '#test/kit/transacting.ts'
import { createSessionsStore, type NewSession, type SessionsStore } from './sessions.store.ts'

const noon = 1_800_000_000_000
const minute = 60_000
const day = 24 * 60 * minute
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

/** Contract of the sessions store. */
export function sessionsStoreContract(_engine: Engine, open: OpenDatabase): void {
  let database: Database
  let store: SessionsStore
  beforeEach(async () => {
    database = await open()
    store = transacting(database, createSessionsStore(database), [
      'lockUser',
      'dropUnconfirmed',
      'takeEmailStop',
    ])
  })

  describe('stores and finds', () => {
    it('a user by phone and by id, with numbers as numbers', async () => {
      const made = await store.ensureUser(phone, 'عبد الله', noon)
      expect(made).toEqual({
        id: expect.any(Number),
        phone,
        name: 'عبد الله',
        created_at: noon,
        deleted_at: null,
        language: null,
        messages: 1,
        sms_refused: null,
        email: null,
        email_recovers_from: 0,
        email_refused_until: 0,
      })
      expect(await store.findUserByPhone(phone)).toEqual(made)
      expect(await store.findUsers([made.id])).toEqual([made])
      expect(await store.listByPhone([otherPhone, phone])).toEqual([made])
      expect(await store.listByPhone([])).toEqual([])
      expect(await store.lockUser(made.id)).toEqual(made)
    })

    it('an agent', async () => {
      const made = await store.ensureAgent({ partnerAgentId: 'A01', name: 'وكيل', phone }, noon)
      expect(made).toMatchObject({ partner_agent_id: 'A01', name: 'وكيل', phone, created_at: noon })
      expect(await store.findAgent(made.id)).toEqual(made)
    })

    it('a session', async () => {
      await store.addSession(session())
      expect(await store.findSession('hash-1', noon)).toEqual({
        ...session(),
        wrong_confirmations: 0,
        agent_phone: null,
        partner_agent_id: null,
      })
    })

    it('when each user began the newest session that is not over', async () => {
      await store.addSession(session())
      await store.addSession(session({ token_hash: 'hash-2', created_at: noon + 1 }))
      await store.addSession(session({ token_hash: 'hash-3', created_at: noon + 2, idle_until: noon + 3 }))
      await store.addSession(session({ token_hash: 'hash-4', created_at: noon + 4, role: 'agent' }))
      expect(await store.listNewestSessions([7, 8], noon + 5)).toEqual([
        { subject_id: 7, created_at: noon + 1 },
      ])
      expect(await store.listNewestSessions([], noon)).toEqual([])
    })

    it('the session of an agent, with the agent', async () => {
      const agent = { partnerAgentId: 'AG-1', name: 'Salem', phone: otherPhone }
      const { id } = await store.ensureAgent(agent, noon)
      await store.addSession(session({ role: 'agent', subject_id: id }))
      expect(await store.findSession('hash-1', noon)).toMatchObject({
        agent_phone: otherPhone,
        partner_agent_id: 'AG-1',
      })
    })
  })

  describe('an address', () => {
    const email = 'maryam@example.com'
    const users = async () =>
      [
        await store.ensureUser(phone, 'Maryam', noon),
        await store.ensureUser(otherPhone, 'Bilal', noon),
      ] as const

    it('belongs to one user, who may set it again, remove it, or lose it where it takes no letters', async () => {
      const [one, other] = await users()
      expect(await store.setEmail(one.id, email, noon)).toEqual({
        ...one,
        email,
        email_recovers_from: noon + day,
      })
      expect(await store.setEmail(one.id, email, noon)).toMatchObject({ email })
      expect(await store.findUserByEmail(email)).toMatchObject({ id: one.id })
      expect(await store.setEmail(other.id, email, noon)).toBeUndefined()
      expect(await store.removeEmail(one.id, { email: 'another@example.com' })).toBeUndefined()
      expect(await store.removeEmail(one.id, { email })).toMatchObject({ email: null })
      expect(await store.setEmail(other.id, email, noon)).toMatchObject({ id: other.id })
      expect(await store.removeEmail(other.id)).toMatchObject({ email: null })
      expect(await store.findUserByEmail(email)).toBeUndefined()
    })

    it('recovers a day after it was proven, the first one and each later one', async () => {
      const [{ id }] = await users()
      const since = async (set: string, now: number) =>
        (await store.setEmail(id, set, now))?.email_recovers_from
      expect(await since(email, noon)).toBe(noon + day)
      // Proven again: it was there before.
      expect(await since(email, noon + 5)).toBe(noon + day)
      expect(await since('thief@example.com', noon + 5)).toBe(noon + 5 + day)
      await store.removeEmail(id)
      expect(await since('thief@example.com', noon + 9)).toBe(noon + 9 + day)
    })

    it('is refused from its mailbox once, and none is accepted until a time', async () => {
      const [{ id }] = await users()
      await store.setEmail(id, email, noon)
      const link = { token_hash: 'link', user_id: id, email, expires_at: noon + 10 }
      await store.addEmailStop(link)
      await store.addEmailStop({ ...link, token_hash: 'late', expires_at: noon })
      expect(await store.takeEmailStop('late', noon)).toBeUndefined()
      expect(await store.takeEmailStop('link', noon)).toEqual(link)
      expect(await store.takeEmailStop('link', noon)).toBeUndefined()
      expect(await store.removeEmail(id, { email, refusedUntil: noon + 10 })).toMatchObject({ email: null })
      expect(await store.setEmail(id, email, noon + 9)).toBeUndefined()
      expect(await store.setEmail(id, email, noon + 10)).toMatchObject({ email })
      expect(await store.deleteEndedStops(noon + 1, 10)).toBe(1)
      await store.addEmailStop(link)
      await store.deleteEmailStops(id)
      expect(await store.takeEmailStop('link', noon)).toBeUndefined()
    })

    it('is set for one of two users at once', async () => {
      const [one, other] = await users()
      const both = await Promise.all([
        store.setEmail(one.id, email, noon),
        store.setEmail(other.id, email, noon),
      ])
      expect(both.filter((user) => user !== undefined)).toHaveLength(1)
    })

    it('goes with the deletion of the user', async () => {
      const [one, other] = await users()
      await store.setEmail(one.id, email, noon)
      await store.deleteUser(one.id, phone, noon)
      expect(await store.setEmail(one.id, email, noon)).toBeUndefined()
      expect(await store.setEmail(other.id, email, noon)).toMatchObject({ email })
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

    it('is confirmed by its code, in its session and browser, and taken once for its purpose', async () => {
      await store.addSession(session())
      expect(await store.askConfirmation(asked)).toBe(true)
      expect(await store.askConfirmation({ ...asked, session_hash: 'ended' })).toBe(false)
      expect(await store.takeConfirmation(asked, noon)).toBeUndefined()
      for (const other of [
        { ...asked, session_hash: 'hash-2' },
        { ...asked, browser_hash: 'other' },
        { ...asked, challenge_id: 'other' },
      ])
        expect([await store.isAskedFor(other), await store.confirm(other, noon + 5)]).toEqual([false, false])
      expect([await store.isAskedFor(asked), await store.confirm(asked, noon + 5)]).toEqual([true, true])
      expect(await store.confirm(asked, noon + 9)).toBe(false)
      expect(await store.takeConfirmation({ ...asked, purpose: 'deletion' }, noon)).toBeUndefined()
      expect(await store.takeConfirmation({ ...asked, browser_hash: 'other' }, noon)).toBeUndefined()
      expect(await store.takeConfirmation(asked, noon + 5)).toBeUndefined()
      const taken = await store.takeConfirmation(asked, noon + 4)
      if (!taken) throw new Error('it was confirmed')
      expect(taken).toEqual({ ...asked, confirmed_until: noon + 5 })
      expect(await store.takeConfirmation(asked, noon)).toBeUndefined()
      expect(await store.returnConfirmation(taken)).toBe(true)
      expect(await store.takeConfirmation(asked, noon)).toEqual(taken)
    })

    it('of two requests at once serves one', async () => {
      await store.addSession(session())
      await store.askConfirmation(asked)
      await store.confirm(asked, noon + 5)
      const taken = await Promise.all([1, 2, 3].map(() => store.takeConfirmation(asked, noon)))
      expect(taken.filter((row) => row !== undefined)).toHaveLength(1)
    })

    it('is for what the code was asked for last, and goes with its session and with time', async () => {
      await store.addSession(session())
      await store.askConfirmation(asked)
      await store.dropUnconfirmed(asked.session_hash, asked.challenge_id)
      expect(await store.isAskedFor(asked)).toBe(false)
      await store.askConfirmation(asked)
      expect(await store.deleteConfirmations(noon, 10)).toBe(0)
      expect(await store.deleteConfirmations(noon + 1, 10)).toBe(1)
      await store.askConfirmation(asked)
      await store.endSession(asked.session_hash)
      expect(await store.isAskedFor(asked)).toBe(false)
    })

    it('counts the wrong codes of a session, at once too, until a right one', async () => {
      await store.addSession(session())
      const counted = await Promise.all([1, 2, 3, 4].map(() => store.countWrongConfirmation('hash-1', 3)))
      expect(counted.map((count) => count ?? 0).sort()).toEqual([0, 1, 2, 3])
      await store.uncountWrongConfirmation('hash-1')
      expect(await store.countWrongConfirmation('hash-1', 3)).toBe(3)
      await store.clearWrongConfirmations('hash-1')
      expect(await store.countWrongConfirmation('hash-1', 3)).toBe(1)
    })
  })

  describe('another number', () => {
    const email = 'maryam@example.com'
    const third = '+966500000003'

    it('is given to who still has number and address, unless it has a user, and takes SMS again', async () => {
      const { id } = await store.ensureUser(phone, 'Maryam', noon)
      await store.ensureUser(otherPhone, 'Bilal', noon)
      await store.refuseSms(id, phone, 'phone')
      const account = await store.setEmail(id, email, noon)
      if (!account) throw new Error('there is no user')
      expect(await store.changePhone(account, otherPhone)).toBeUndefined()
      expect(await store.changePhone({ ...account, phone: third }, third)).toBeUndefined()
      expect(await store.changePhone({ ...account, email: 'old@example.com' }, third)).toBeUndefined()
      expect(await store.changePhone(account, third)).toEqual({ ...account, phone: third, sms_refused: null })
      expect(await store.changePhone(account, third)).toBeUndefined()
      expect(await store.findUserByPhone(phone)).toBeUndefined()
    })

    it('has one account after two moves and a sign-up to it at once', async () => {
      const accounts = []
      for (const [of, address] of [
        [phone, email],
        [otherPhone, 'bilal@example.com'],
      ] as const)
        accounts.push(await store.setEmail((await store.ensureUser(of, 'Maryam', noon)).id, address, noon))
      const [one, other] = accounts
      if (!one || !other) throw new Error('there are no users')
      const [moved, alsoMoved, signedUp] = await Promise.all([
        store.changePhone(one, third),
        store.changePhone(other, third),
        store.ensureUser(third, 'Third', noon),
      ])
      const movedIds = [moved, alsoMoved].flatMap((user) => user?.id ?? [])
      // A sign-in with the number of an account that was moved there is that account's.
      expect(movedIds).toEqual(signedUp.id > other.id ? [] : [signedUp.id])
      expect(await store.findUserByPhone(third)).toMatchObject({ id: signedUp.id })
    })
  })

  describe('unknown and duplicate', () => {
    it('keeps the name and the id of an existing user', async () => {
      const made = await store.ensureUser(phone, 'First', noon)
      expect(await store.ensureUser(phone, 'Second', noon + minute)).toEqual(made)
    })

    it('gives an existing agent the new name and phone, and keeps the id', async () => {
      const made = await store.ensureAgent({ partnerAgentId: 'A01', name: 'Old', phone }, noon)
      const again = await store.ensureAgent(
        { partnerAgentId: 'A01', name: 'New', phone: otherPhone },
        noon + minute,
      )
      expect(again).toEqual({ ...made, name: 'New', phone: otherPhone })
    })
  })

  describe('a changed user', () => {
    it('is found with the new name by id and by phone', async () => {
      const made = await store.ensureUser(phone, 'Sarah', noon)
      const other = await store.ensureUser(otherPhone, 'Sarah', noon)
      const renamed = { ...made, name: 'سارة' }
      expect(await store.updateUser(made.id, { name: 'سارة' })).toEqual(renamed)
      expect(await store.findUserByPhone(phone)).toEqual(renamed)
      expect(await store.findUsers([other.id])).toEqual([other])
    })

    it('is renamed where there was another name, and not by the first or the same one', async () => {
      const { id } = await store.ensureUser(phone, '', noon)
      expect(await store.renameUser(id, 'Sarah')).toBe(false)
      await store.updateUser(id, { name: 'Sarah' })
      expect(await atOnce(5, () => store.renameUser(id, 'Sara'))).toEqual([true, false, false, false, false])
      await store.deleteUser(id, phone, noon)
      expect(await store.renameUser(id, 'سارة')).toBe(false)
    })

    it('does not exist once the account is deleted', async () => {
      const { id } = await store.ensureUser(phone, 'Sarah', noon)
      await store.deleteUser(id, phone, noon)
      expect(await store.updateUser(id, { name: 'Sara' })).toBeUndefined()
      expect(await store.updateUser(id + 1, { messages: 0 })).toBeUndefined()
      await store.setLanguage(id, 'en')
      expect(await store.ensureUser(`deleted-${id}`, '', noon)).toMatchObject({ id, language: null })
    })

    it('keeps the language, the choice of messages, and a refused phone until a code proves it', async () => {
      const { id } = await store.ensureUser(phone, 'Sarah', noon)
      const other = await store.ensureUser(otherPhone, 'Omar', noon)
      await store.setLanguage(id, 'en')
      await store.updateUser(id, { messages: 0 })
      await store.refuseSms(id, otherPhone, 'opted-out')
      expect(await store.findUserByPhone(phone)).toMatchObject({
        language: 'en',
        messages: 0,
        sms_refused: null,
      })
      await store.refuseSms(id, phone, 'phone')
      expect(await store.findUserByPhone(phone)).toMatchObject({ sms_refused: 'phone' })
      await store.allowSms(id)
      expect(await store.findUserByPhone(phone)).toMatchObject({ sms_refused: null })
      await store.refuseSms(id, phone, 'opted-out')
      await store.allowSms(id)
      expect(await store.findUserByPhone(phone)).toMatchObject({ sms_refused: 'opted-out' })
      expect(await store.findUserByPhone(otherPhone)).toEqual(other)
    })
  })

  describe('a deleted user', () => {
    it('is not found, and the phone can sign up again', async () => {
      const gone = await store.ensureUser(phone, 'Maryam', noon)
      expect(await store.deleteUser(gone.id, phone, noon + minute)).toBe(true)
      expect(await store.findUsers([gone.id])).toEqual([])
      expect(await store.lockUser(gone.id)).toBeUndefined()
      expect(await store.findUserByPhone(phone)).toBeUndefined()
      const next = await store.ensureUser(phone, 'Next', noon + minute)
      expect(next.id).not.toBe(gone.id)
      expect(next.name).toBe('Next')
    })

    it('is deleted once, and only with the current phone', async () => {
      const { id } = await store.ensureUser(phone, 'Maryam', noon)
      expect(await store.deleteUser(id, otherPhone, noon)).toBe(false)
      expect(await store.deleteUser(id, phone, noon)).toBe(true)
      expect(await store.deleteUser(id, phone, noon)).toBe(false)
    })

    it('leaves other users as they are', async () => {
      const { id } = await store.ensureUser(phone, 'Maryam', noon)
      const other = await store.ensureUser(otherPhone, 'Omar', noon)
      await store.deleteUser(id, phone, noon)
      expect(await store.findUsers([id, other.id])).toEqual([other])
    })
  })

  describe('concurrency', () => {
    it('neither deletes a locked user nor locks a user during the deletion', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const own = `+96656000${String(round).padStart(4, '0')}`
        const { id } = await store.ensureUser(own, 'N', noon)
        const order: string[] = []
        const lock = database.transaction(async () => {
          const locked = await store.lockUser(id)
          await store.endSessionsOf('user', id)
          order.push(locked ? 'locked' : 'gone')
        })
        const deletion = database.transaction(async () => {
          await store.deleteUser(id, own, noon)
          order.push('deleted')
        })
        await Promise.all([lock, deletion])
        // In either order: a locked user was locked before the deletion.
        expect(order).toEqual(order[0] === 'locked' ? ['locked', 'deleted'] : ['deleted', 'gone'])
      }
    })

    it('creates one user and one agent for twenty concurrent first sign-ins', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const own = `+96650000${String(round).padStart(4, '0')}`
        const users = await atOnce(20, () => store.ensureUser(own, 'N', noon))
        expect(new Set(users.map(({ id }) => id)).size).toBe(1)
        const entry = { partnerAgentId: `A${round}`, name: 'N', phone: own }
        const agents = await atOnce(20, () => store.ensureAgent(entry, noon))
        expect(new Set(agents.map(({ id }) => id)).size).toBe(1)
      }
    })
  })

  describe('isolation between owners', () => {
    it('ends and touches one session only', async () => {
      await store.addSession(session())
      await store.addSession(session({ token_hash: 'hash-2' }))
      await store.touchSession('hash-2', noon + minute, noon + 20 * minute)
      expect(await store.findSession('hash-1', noon)).toMatchObject(session())
      await store.endSession('hash-1')
      expect(await store.findSession('hash-2', noon)).toMatchObject({ idle_until: noon + 20 * minute })
    })
  })

  describe('the sessions of a user', () => {
    const of = (change: Partial<NewSession>) => store.addSession(session(change))
    const namesOf = async (role: 'user' | 'agent', id: number, at = noon, limit = 10) =>
      (await store.listSessions(role, id, at, limit)).map(({ token_hash }) => token_hash)

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
      expect(await store.endSessionOf('user', 8, 'name-of-hash-1')).toBe(false)
      expect(await store.endSessionOf('agent', 7, 'name-of-hash-1')).toBe(false)
      expect(await store.endSessionOf('user', 7, 'hash-1')).toBe(false)
      expect(await store.endSessionOf('user', 7, 'name-of-hash-1')).toBe(true)
      expect(await store.endSessionOf('user', 7, 'name-of-hash-1')).toBe(false)
      expect(await namesOf('user', 7)).toEqual(['hash-2'])
    })

    it('end all at once, without those of others', async () => {
      await of({})
      await of({ token_hash: 'hash-2' })
      await of({ token_hash: 'neighbour', subject_id: 8 })
      await of({ token_hash: 'namesake', role: 'agent' })
      expect(await store.endSessionsOf('user', 7)).toBe(2)
      expect(await namesOf('user', 7)).toEqual([])
      expect(await namesOf('user', 8)).toEqual(['neighbour'])
      expect(await namesOf('agent', 7)).toEqual(['namesake'])
    })

    it('end for an agent whose phone has changed', async () => {
      const { id } = await store.ensureAgent({ partnerAgentId: 'A01', name: 'N', phone }, noon)
      await of({ role: 'agent', subject_id: id })
      await of({ token_hash: 'a-user', subject_id: id })
      await store.endSessionsOfFormer('A01', phone)
      expect(await namesOf('agent', id)).toEqual(['hash-1'])
      await store.endSessionsOfFormer('A01', otherPhone)
      expect(await namesOf('agent', id)).toEqual([])
      expect(await namesOf('user', id)).toEqual(['a-user'])
    })
  })

  describe('clock', () => {
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

    it('deletes expired sessions, counts them, and keeps the rest', async () => {
      await store.addSession(session())
      await store.addSession(session({ token_hash: 'hash-2', idle_until: noon + 20 * minute }))
      expect(await store.deleteExpired(noon + 15 * minute, 10)).toBe(1)
      expect(await store.deleteExpired(noon + 15 * minute, 10)).toBe(0)
      expect(await store.findSession('hash-2', noon)).toBeDefined()
      expect(await store.findSession('hash-1', noon)).toBeUndefined()
    })

    it('deletes all that began until a time, piece by piece, and none that began later', async () => {
      for (const [index, created_at] of [noon - 1, noon, noon + 1].entries())
        await store.addSession(session({ token_hash: `hash-${index}`, created_at }))
      expect(await store.deleteBegun(noon, 1)).toBe(1)
      expect(await store.deleteBegun(noon, 10)).toBe(1)
      expect(await store.deleteBegun(noon, 10)).toBe(0)
      expect(await store.findSession('hash-2', noon + 1)).toBeDefined()
    })
  })

  describe('a user’s session with its user', () => {
    it('is found with the current name and phone, by repeated prepared reads', async () => {
      const { id } = await store.ensureUser(phone, 'عبد الله', noon)
      const other = await store.ensureUser(otherPhone, 'Maryam', noon)
      await store.addSession(session({ subject_id: id }))
      await store.addSession(session({ token_hash: 'hash-2', subject_id: other.id }))
      await store.updateUser(id, { name: 'عبد العزيز' })
      expect(await store.findUserSession('hash-1', noon)).toEqual({
        token_hash: 'hash-1',
        email: null,
        role: 'user',
        last_seen_at: noon,
        ends_at: noon + 60 * minute,
        id,
        name: 'عبد العزيز',
        phone,
        language: null,
        messages: 1,
      })
      expect(await store.findUserSession('hash-2', noon)).toMatchObject({ id: other.id, name: 'Maryam' })
      expect(await database.transaction(() => store.findUserSession('hash-2', noon))).toMatchObject({
        id: other.id,
      })
    })

    it('is not found after its idle limit, its absolute end, or a sign-out', async () => {
      const { id } = await store.ensureUser(phone, 'عبد الله', noon)
      await store.addSession(session({ subject_id: id }))
      expect(await store.findUserSession('hash-1', noon + 10 * minute - 1)).toBeDefined()
      expect(await store.findUserSession('hash-1', noon + 10 * minute)).toBeUndefined()
      await store.touchSession('hash-1', noon, noon + 90 * minute)
      expect(await store.findUserSession('hash-1', noon + 60 * minute)).toBeUndefined()
      await store.endSession('hash-1')
      expect(await store.findUserSession('hash-1', noon)).toBeUndefined()
    })

    it('is not found for an agent with the same id, nor for a deleted user', async () => {
      const { id } = await store.ensureUser(phone, 'عبد الله', noon)
      await store.addSession(session({ role: 'agent', subject_id: id }))
      await store.addSession(session({ token_hash: 'hash-2', subject_id: id }))
      expect(await store.findUserSession('hash-1', noon)).toBeUndefined()
      await store.deleteUser(id, phone, noon)
      expect(await store.findUserSession('hash-2', noon)).toBeUndefined()
    })
  })
}
