import { beforeEach, describe, expect, it } from 'vitest'
import type { QueryCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { day, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import {
  addEmailStop,
  allowSms,
  changePhone,
  changeUser,
  deleteEmailStops,
  deleteExpiredStops,
  ensureUser,
  findUserByEmail,
  findUserByPhone,
  findUserRow,
  listUsers,
  listUsersByPhone,
  lockUserRow,
  markUserDeleted,
  refuseSms,
  removeEmail,
  renameUser,
  setEmail,
  setLanguage,
  takeEmailStop,
} from './users.queries.ts'

const phone = '+966512345678'
const otherPhone = '+966587654321'

forEachEngine((_engine, open) => {
  let database: Database
  let core: QueryCore
  beforeEach(async () => {
    database = await open()
    core = { database }
  })

  const lock = (id: number) => database.transaction(() => lockUserRow(core, id))
  const takeStop = (hash: string, now: number) => database.transaction(() => takeEmailStop(core, hash, now))

  describe('a user', () => {
    it('is found by phone and by id, with numbers as numbers', async () => {
      const made = await ensureUser(core, phone, 'عبد الله', noon)
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
      expect(await findUserByPhone(core, phone)).toEqual(made)
      expect(await findUserRow(core, made.id)).toEqual(made)
      expect(await listUsers(core, [made.id])).toEqual([made])
      expect(await listUsersByPhone(core, [otherPhone, phone])).toEqual([made])
      expect(await listUsersByPhone(core, [])).toEqual([])
      expect(await lock(made.id)).toEqual(made)
    })

    it('is one for twenty concurrent first sign-ins', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const own = `+96650000${String(round).padStart(4, '0')}`
        const made = await atOnce(20, () => ensureUser(core, own, 'N', noon))
        expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      }
    })
  })

  describe('an address', () => {
    const email = 'maryam@example.com'
    const users = async () =>
      [
        await ensureUser(core, phone, 'Maryam', noon),
        await ensureUser(core, otherPhone, 'Bilal', noon),
      ] as const

    it('belongs to one user, who may set it again, remove it, or lose it where it takes no letters', async () => {
      const [one, other] = await users()
      expect(await setEmail(core, one.id, email, noon)).toEqual({
        ...one,
        email,
        email_recovers_from: noon + day,
      })
      expect(await setEmail(core, one.id, email, noon)).toMatchObject({ email })
      expect(await findUserByEmail(core, email)).toMatchObject({ id: one.id })
      expect(await setEmail(core, other.id, email, noon)).toBeUndefined()
      expect(await removeEmail(core, one.id, { email: 'another@example.com' })).toBeUndefined()
      expect(await removeEmail(core, one.id, { email })).toMatchObject({ email: null })
      expect(await setEmail(core, other.id, email, noon)).toMatchObject({ id: other.id })
      expect(await removeEmail(core, other.id)).toMatchObject({ email: null })
      expect(await findUserByEmail(core, email)).toBeUndefined()
    })

    it('recovers a day after it was proven, the first one and each later one', async () => {
      const [{ id }] = await users()
      const since = async (set: string, now: number) =>
        (await setEmail(core, id, set, now))?.email_recovers_from
      expect(await since(email, noon)).toBe(noon + day)
      // Proven again: it was there before.
      expect(await since(email, noon + 5)).toBe(noon + day)
      expect(await since('thief@example.com', noon + 5)).toBe(noon + 5 + day)
      await removeEmail(core, id)
      expect(await since('thief@example.com', noon + 9)).toBe(noon + 9 + day)
    })

    it('is refused from its mailbox once, and none is accepted until a time', async () => {
      const [{ id }] = await users()
      await setEmail(core, id, email, noon)
      const link = { token_hash: 'link', user_id: id, email, expires_at: noon + 10 }
      await addEmailStop(core, link)
      await addEmailStop(core, { ...link, token_hash: 'late', expires_at: noon })
      expect(await takeStop('late', noon)).toBeUndefined()
      expect(await takeStop('link', noon)).toEqual(link)
      expect(await takeStop('link', noon)).toBeUndefined()
      expect(await removeEmail(core, id, { email, refusedUntil: noon + 10 })).toMatchObject({ email: null })
      expect(await setEmail(core, id, email, noon + 9)).toBeUndefined()
      expect(await setEmail(core, id, email, noon + 10)).toMatchObject({ email })
      expect(await deleteExpiredStops(core, noon + 1, 10)).toBe(1)
      await addEmailStop(core, link)
      await deleteEmailStops(core, id)
      expect(await takeStop('link', noon)).toBeUndefined()
    })

    it('is set for one of two users at once', async () => {
      const [one, other] = await users()
      const both = await Promise.all([
        setEmail(core, one.id, email, noon),
        setEmail(core, other.id, email, noon),
      ])
      expect(both.filter((user) => user !== undefined)).toHaveLength(1)
    })

    it('goes with the deletion of the user', async () => {
      const [one, other] = await users()
      await setEmail(core, one.id, email, noon)
      await markUserDeleted(core, one.id, phone, noon)
      expect(await setEmail(core, one.id, email, noon)).toBeUndefined()
      expect(await setEmail(core, other.id, email, noon)).toMatchObject({ email })
    })
  })

  describe('another number', () => {
    const email = 'maryam@example.com'
    const third = '+966500000003'

    it('is given to who still has number and address, unless it has a user, and takes SMS again', async () => {
      const { id } = await ensureUser(core, phone, 'Maryam', noon)
      await ensureUser(core, otherPhone, 'Bilal', noon)
      await refuseSms(core, id, phone, 'phone')
      const account = await setEmail(core, id, email, noon)
      if (!account) throw new Error('there is no user')
      expect(await changePhone(core, account, otherPhone)).toBeUndefined()
      expect(await changePhone(core, { ...account, phone: third }, third)).toBeUndefined()
      expect(await changePhone(core, { ...account, email: 'old@example.com' }, third)).toBeUndefined()
      expect(await changePhone(core, account, third)).toEqual({ ...account, phone: third, sms_refused: null })
      expect(await changePhone(core, account, third)).toBeUndefined()
      expect(await findUserByPhone(core, phone)).toBeUndefined()
    })

    it('has one account after two moves and a sign-up to it at once', async () => {
      const accounts = []
      for (const [of, address] of [
        [phone, email],
        [otherPhone, 'bilal@example.com'],
      ] as const)
        accounts.push(await setEmail(core, (await ensureUser(core, of, 'Maryam', noon)).id, address, noon))
      const [one, other] = accounts
      if (!one || !other) throw new Error('there are no users')
      const [moved, alsoMoved, signedUp] = await Promise.all([
        changePhone(core, one, third),
        changePhone(core, other, third),
        ensureUser(core, third, 'Third', noon),
      ])
      const movedIds = [moved, alsoMoved].flatMap((user) => user?.id ?? [])
      // A sign-in with the number of an account that was moved there is that account's.
      expect(movedIds).toEqual(signedUp.id > other.id ? [] : [signedUp.id])
      expect(await findUserByPhone(core, third)).toMatchObject({ id: signedUp.id })
    })
  })

  describe('a changed user', () => {
    it('is renamed where there was another name, and not by the first or the same one', async () => {
      const { id } = await ensureUser(core, phone, '', noon)
      expect(await renameUser(core, id, 'Sarah')).toBe(false)
      await changeUser(core, id, { name: 'Sarah' })
      expect(await atOnce(5, () => renameUser(core, id, 'Sara'))).toEqual([true, false, false, false, false])
      await markUserDeleted(core, id, phone, noon)
      expect(await renameUser(core, id, 'سارة')).toBe(false)
    })

    it('does not exist once the account is deleted', async () => {
      const { id } = await ensureUser(core, phone, 'Sarah', noon)
      await markUserDeleted(core, id, phone, noon)
      expect(await changeUser(core, id, { name: 'Sara' })).toBeUndefined()
      expect(await changeUser(core, id + 1, { messages: 0 })).toBeUndefined()
      await setLanguage(core, id, 'en')
      expect(await ensureUser(core, `deleted-${id}`, '', noon)).toMatchObject({ id, language: null })
    })

    it('keeps the language, the choice of messages, and a refused phone until a code proves it', async () => {
      const { id } = await ensureUser(core, phone, 'Sarah', noon)
      const other = await ensureUser(core, otherPhone, 'Omar', noon)
      await setLanguage(core, id, 'en')
      await changeUser(core, id, { messages: 0 })
      await refuseSms(core, id, otherPhone, 'opted-out')
      expect(await findUserByPhone(core, phone)).toMatchObject({
        language: 'en',
        messages: 0,
        sms_refused: null,
      })
      await refuseSms(core, id, phone, 'phone')
      expect(await findUserByPhone(core, phone)).toMatchObject({ sms_refused: 'phone' })
      await allowSms(core, id)
      expect(await findUserByPhone(core, phone)).toMatchObject({ sms_refused: null })
      await refuseSms(core, id, phone, 'opted-out')
      await allowSms(core, id)
      expect(await findUserByPhone(core, phone)).toMatchObject({ sms_refused: 'opted-out' })
      expect(await findUserByPhone(core, otherPhone)).toEqual(other)
    })
  })

  describe('a deleted user', () => {
    it('is not found, and the phone can sign up again', async () => {
      const gone = await ensureUser(core, phone, 'Maryam', noon)
      expect(await markUserDeleted(core, gone.id, phone, noon + minute)).toBe(true)
      expect(await listUsers(core, [gone.id])).toEqual([])
      expect(await lock(gone.id)).toBeUndefined()
      expect(await findUserByPhone(core, phone)).toBeUndefined()
      const next = await ensureUser(core, phone, 'Next', noon + minute)
      expect(next.id).not.toBe(gone.id)
      expect(next.name).toBe('Next')
    })

    it('is deleted once, and only with the current phone', async () => {
      const { id } = await ensureUser(core, phone, 'Maryam', noon)
      expect(await markUserDeleted(core, id, otherPhone, noon)).toBe(false)
      expect(await markUserDeleted(core, id, phone, noon)).toBe(true)
      expect(await markUserDeleted(core, id, phone, noon)).toBe(false)
    })
  })
})
