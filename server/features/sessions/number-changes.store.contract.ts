import { beforeEach, expect, it } from 'vitest'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { day, noon } from '#test/kit/clock.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { createNumberChangesStore, type NumberChangesStore } from './number-changes.store.ts'
import { createSessionsStore } from './sessions.store.ts'

const former = '+966512345678'
const phone = '+966587654321'

/** Contract of the store of changes of number. */
export function numberChangesStoreContract(_engine: Engine, open: OpenDatabase): void {
  let database: Database
  let store: NumberChangesStore
  let userId: number
  beforeEach(async () => {
    database = await open()
    store = createNumberChangesStore(database)
    userId = (await createSessionsStore(database).ensureUser(former, 'Maryam', noon)).id
  })

  const change = (more: object = {}) => ({
    user_id: userId,
    former_phone: former,
    phone,
    approved_at: noon,
    takes_from: noon + day,
    ends_at: noon + 31 * day,
    ...more,
  })

  it('waits once for a user and once for a number, until it ends', async () => {
    const id = await store.add(change())
    expect(await store.add(change({ phone: '+966587654322' }))).toBeUndefined()
    const other = (await createSessionsStore(database).ensureUser('+966511111111', 'Ali', noon)).id
    expect(await store.add(change({ user_id: other }))).toBeUndefined()
    expect(await store.findTo(phone, noon)).toMatchObject({ id, user_id: userId, state: 'waiting' })
    expect(await store.findTo(phone, noon + 31 * day)).toBeUndefined()
    expect(await store.findTo(former, noon)).toBeUndefined()
    for (const now of [noon, noon + 31 * day]) {
      const found = await Promise.all([
        store.listTo([phone, former], now),
        store.listWaiting([userId, other], now),
      ])
      expect(found.flat().map((row) => row.id)).toEqual(now === noon ? [id, id] : [])
    }
    expect([await store.listTo([], noon), await store.listWaiting([], noon)]).toEqual([[], []])
  })

  it('ends once, keeps no new number then, and lets another one wait', async () => {
    await store.add(change())
    const ended = await atOnce(4, () => store.end(userId, 'cancelled', noon + 1))
    expect(ended.filter(Boolean)).toHaveLength(1)
    expect(await store.findTo(phone, noon)).toBeUndefined()
    expect(await store.findLast(userId)).toMatchObject({
      state: 'cancelled',
      phone: null,
      former_phone: former,
      ended_at: noon + 1,
    })
    const second = await store.add(change())
    expect(await store.findLast(userId)).toMatchObject({ id: second, state: 'waiting', phone })
    await store.deleteOf(userId)
    expect(await store.findLast(userId)).toBeUndefined()
  })
}
