import { beforeEach, expect, it } from 'vitest'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { day, noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import {
  addNumberChange,
  deleteNumberChanges,
  endNumberChange,
  findChangeTo,
  findLastNumberChange,
  listChangesTo,
  listWaitingChanges,
} from './number-changes.queries.ts'

const former = '+966512345678'
const phone = '+966587654321'

forEachEngine((_engine, open) => {
  let core: QueryCore
  let userId: number
  beforeEach(async () => {
    core = { database: await open() }
    userId = (await ensureUser(core, former, 'Maryam', noon)).id
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
    const id = await addNumberChange(core, change())
    expect(await addNumberChange(core, change({ phone: '+966587654322' }))).toBeUndefined()
    const other = (await ensureUser(core, '+966511111111', 'Ali', noon)).id
    expect(await addNumberChange(core, change({ user_id: other }))).toBeUndefined()
    expect(await findChangeTo(core, phone, noon)).toMatchObject({ id, user_id: userId, state: 'waiting' })
    expect(await findChangeTo(core, phone, noon + 31 * day)).toBeUndefined()
    expect(await findChangeTo(core, former, noon)).toBeUndefined()
    for (const now of [noon, noon + 31 * day]) {
      const found = await Promise.all([
        listChangesTo(core, [phone, former], now),
        listWaitingChanges(core, [userId, other], now),
      ])
      expect(found.flat().map((row) => row.id)).toEqual(now === noon ? [id, id] : [])
    }
    expect([await listChangesTo(core, [], noon), await listWaitingChanges(core, [], noon)]).toEqual([[], []])
  })

  it('waits for a number again as soon as the change of another user to it has expired', async () => {
    const first = await addNumberChange(core, change())
    const other = (await ensureUser(core, '+966511111111', 'Ali', noon)).id
    const end = noon + 31 * day
    const second = (approved_at: number) =>
      addNumberChange(core, change({ user_id: other, approved_at, ends_at: end + 31 * day }))
    expect(await second(end - 1)).toBeUndefined()
    expect(await findChangeTo(core, phone, end - 1)).toMatchObject({ id: first })
    const id = await second(end)
    expect(await findChangeTo(core, phone, end)).toMatchObject({ id, user_id: other })
    expect(await findLastNumberChange(core, userId)).toBeUndefined()
  })

  it('ends once, keeps no new number then, and lets another one wait', async () => {
    await addNumberChange(core, change())
    const ended = await atOnce(4, () => endNumberChange(core, userId, 'cancelled', noon + 1))
    expect(ended.filter(Boolean)).toHaveLength(1)
    expect(await findChangeTo(core, phone, noon)).toBeUndefined()
    expect(await findLastNumberChange(core, userId)).toMatchObject({
      state: 'cancelled',
      phone: null,
      former_phone: former,
      ended_at: noon + 1,
    })
    const second = await addNumberChange(core, change())
    expect(await findLastNumberChange(core, userId)).toMatchObject({ id: second, state: 'waiting', phone })
    await deleteNumberChanges(core, userId)
    expect(await findLastNumberChange(core, userId)).toBeUndefined()
  })
})
