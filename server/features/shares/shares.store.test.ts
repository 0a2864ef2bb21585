import { beforeEach, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { listEvents } from '#server/features/history/history.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { manualClock, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { orderRow } from '#test/kit/orders/stored-orders.ts'
import {
  endOldShares,
  endSharesOfOrders,
  findShareByToken,
  findShareOfOrder,
  saveShare,
} from './shares.queries.ts'

forEachEngine((_engine, open) => {
  let core: Core
  beforeEach(async () => {
    core = await openCore({ database: await open(), clock: manualClock(noon) })
    await insert('users', { id: 1, phone: '+966550000001', name: 'Maryam', created_at: noon })
    for (const id of [1, 2]) await insert('orders', { ...orderRow, id, user_id: 1 })
  })
  const insert = (table: string, values: object) =>
    core.database.tables
      .insertInto(table as never)
      .values(values as never)
      .execute()

  const save = (orderId: number, tokenHash: string, at: number) =>
    core.database.transaction(() => saveShare(core, orderId, tokenHash, at))
  const endOf = (orderIds: readonly number[]) =>
    core.database.transaction(() => endSharesOfOrders(core, orderIds))

  const eventsOf = async (orderId: number) =>
    (await listEvents(core, 'order_id', [orderId])).map(({ kind, by }) => `${kind} ${by.kind}`)

  it('finds a link by its hash and by its order', async () => {
    await save(1, 'first', noon)
    expect(await findShareByToken(core, 'first')).toEqual({ orderId: 1, createdAt: noon })
    expect(await findShareOfOrder(core, 1)).toEqual({ orderId: 1, createdAt: noon })
    expect(await findShareByToken(core, 'other')).toBeUndefined()
    expect(await findShareOfOrder(core, 2)).toBeUndefined()
  })

  it('has one link per order: a new one ends the one before it, and no other', async () => {
    await save(1, 'first', noon)
    await save(2, 'of another order', noon)
    await save(1, 'second', noon + 1)
    expect(await findShareByToken(core, 'first')).toBeUndefined()
    expect(await findShareByToken(core, 'second')).toEqual({ orderId: 1, createdAt: noon + 1 })
    expect(await findShareByToken(core, 'of another order')).toMatchObject({ orderId: 2 })
    expect(await eventsOf(1)).toEqual(['link-created owner', 'link-ended owner', 'link-created owner'])
  })

  it('ends links at an age, as many as are asked for', async () => {
    for (const [orderId, at] of [
      [1, noon],
      [2, noon + 1],
    ] as const)
      await save(orderId, `of ${orderId}`, at)
    const end = (before: number, limit = 2) =>
      core.database.transaction(() => endOldShares(core, before, limit))
    expect([await end(noon), await end(noon + 2, 1), await end(noon + 1)]).toEqual([0, 1, 0])
    expect(await eventsOf(1)).toEqual(['link-created owner', 'link-ended system'])
    expect(await eventsOf(2)).toEqual(['link-created owner'])
  })

  it('leaves one link when many are made at once', async () => {
    await atOnce(10, (index) => save(1, `link ${index}`, noon))
    const found = await atOnce(10, (index) => findShareByToken(core, `link ${index}`))
    expect(found.filter(Boolean)).toHaveLength(1)
  })

  it('ends the links of the orders named, and no other', async () => {
    await save(1, 'first', noon)
    await save(2, 'second', noon)
    await endOf([])
    await endOf([1])
    await endOf([1])
    expect(await eventsOf(1)).toEqual(['link-created owner', 'link-ended owner'])
    expect(await eventsOf(2)).toEqual(['link-created owner'])
    expect(await findShareByToken(core, 'first')).toBeUndefined()
    expect(await findShareByToken(core, 'second')).toBeDefined()
  })
})
