import { beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import {
  addSession,
  deleteExpiredSessions,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
} from '#server/features/sessions/sessions.queries.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import { manualClock, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import {
  deleteSubscription,
  deleteSubscriptionsOfSession,
  hasSubscription,
  listSubscriptions,
  type SubscriptionRow,
  saveSubscription,
} from './push.queries.ts'

const endpoint = 'https://fcm.googleapis.com/fcm/send/one'

forEachEngine((_engine, open) => {
  let core: Core
  let userId: number
  let otherId: number

  async function openSession(hash: string, user: number): Promise<void> {
    await addSession(core, {
      token_hash: hash,
      id: `id-${hash}`,
      device: '',
      role: 'user',
      subject_id: user,
      created_at: noon,
      last_seen_at: noon,
      idle_until: noon + 1_000,
      ends_at: noon + 1_000,
    })
  }

  beforeEach(async () => {
    const clock = manualClock(noon)
    const database = await open(clock)
    core = await openCore({ database, clock })
    userId = (await ensureUser(core, '+966512345678', 'Maryam', noon)).id
    otherId = (await ensureUser(core, '+966587654321', 'Omar', noon)).id
    await openSession('mine', userId)
    await openSession('mine-too', userId)
    await openSession('theirs', otherId)
  })

  const row = (change: Partial<SubscriptionRow> = {}): SubscriptionRow => ({
    endpoint,
    user_id: userId,
    session_hash: 'mine',
    p256dh: 'key',
    auth: 'secret',
    server_key: 'server',
    created_at: noon,
    ...change,
  })
  const save = (change: Partial<SubscriptionRow> = {}) => saveSubscription(core, row(change))
  const list = async (user = userId) => (await listSubscriptions(core, user, 10)).map((each) => each.endpoint)

  describe('a subscription', () => {
    it('is stored once, and again changes its time and key', async () => {
      expect(await save()).toBe(true)
      expect(await save({ server_key: 'new', created_at: noon + 1 })).toBe(true)
      expect(await listSubscriptions(core, userId, 10)).toEqual([
        row({ server_key: 'new', created_at: noon + 1 }),
      ])
      expect(await hasSubscription(core, 'mine', 'new')).toBe(true)
      expect(await hasSubscription(core, 'mine', 'server')).toBe(false)
      expect(await hasSubscription(core, 'mine-too', 'new')).toBe(false)
    })

    it('of the same browser goes to the user who signs in there', async () => {
      await save()
      expect(await save({ user_id: otherId, session_hash: 'theirs' })).toBe(true)
      expect([await list(), await list(otherId)]).toEqual([[], [endpoint]])
    })

    it('is not taken over with other keys', async () => {
      await save()
      for (const change of [{ p256dh: 'other' }, { auth: 'other' }])
        expect(await save({ user_id: otherId, session_hash: 'theirs', ...change })).toBe(false)
      expect(await listSubscriptions(core, userId, 10)).toEqual([row()])
    })

    it('has one owner when two keys are stored at once', async () => {
      for (let round = 1; round <= raceRounds; round += 1) {
        const url = `https://${round}.example/`
        const saved = await Promise.all(['a', 'b', 'c'].map((auth) => save({ endpoint: url, auth })))
        expect(saved.filter(Boolean)).toHaveLength(1)
      }
    })

    it('is deleted with the others of its session, or without', async () => {
      await save({ endpoint: 'https://a.example/' })
      await save({ endpoint: 'https://b.example/' })
      await save({ endpoint: 'https://c.example/', session_hash: 'mine-too' })
      await deleteSubscriptionsOfSession(core, 'mine', 'https://b.example/')
      expect((await list()).sort()).toEqual(['https://b.example/', 'https://c.example/'])
      await deleteSubscriptionsOfSession(core, 'mine')
      expect(await list()).toEqual(['https://c.example/'])
    })

    it('is listed newest first, as many as asked', async () => {
      for (const age of [2, 0, 1]) await save({ endpoint: `https://${age}.example/`, created_at: noon - age })
      expect(await list()).toEqual(['https://0.example/', 'https://1.example/', 'https://2.example/'])
      expect(await listSubscriptions(core, userId, 1)).toMatchObject([{ endpoint: 'https://0.example/' }])
    })

    it('is deleted by its user only', async () => {
      await save()
      expect(await deleteSubscription(core, otherId, endpoint)).toBe(false)
      expect(await deleteSubscription(core, userId, endpoint)).toBe(true)
      expect(await deleteSubscription(core, userId, endpoint)).toBe(false)
    })
  })

  describe('with the session', () => {
    const ends: [string, () => Promise<unknown>][] = [
      ['a log-out', () => deleteSession(core, 'mine')],
      [
        'an end from another device',
        () => deleteSessionOf(core, { role: 'user', subject: userId }, 'id-mine'),
      ],
      ['a log-out everywhere', () => deleteSessionsOf(core, { role: 'user', subject: userId })],
      ['its expiry', () => deleteExpiredSessions(core, noon + 2_000, 10)],
    ]
    it.each(ends)('it ends: %s', async (_, end) => {
      await save()
      await end()
      expect(await list()).toEqual([])
    })

    it('no other ends', async () => {
      await save({ session_hash: 'mine-too' })
      await deleteSession(core, 'mine')
      expect(await list()).toEqual([endpoint])
    })

    it('that does not exist none is stored', async () => {
      await expect(save({ session_hash: 'ended' })).rejects.toThrow()
    })
  })
})
