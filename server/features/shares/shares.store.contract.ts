import { beforeEach, expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/at-once.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { orderRow } from '#test/kit/stored-orders.ts'
import { transacting } from '#test/kit/transacting.ts'
import { createSharesStore, type SharesStore } from './shares.store.ts'

const noon = 1_800_000_000_000

export function sharesStoreContract(_engine: Engine, open: OpenDatabase): void {
  let database: Database
  let store: SharesStore
  beforeEach(async () => {
    database = await open()
    store = transacting(database, createSharesStore(database), ['saveShare', 'endShares', 'endOldShares'])
    await insert('users', { id: 1, phone: '+966550000001', name: 'Maryam', created_at: noon })
    for (const id of [1, 2]) await insert('orders', { ...orderRow, id, user_id: 1 })
  })
  const insert = (table: string, values: object) =>
    database.tables
      .insertInto(table as never)
      .values(values as never)
      .execute()

  const eventsOf = async (orderId: number) =>
    (await listEvents({ database }, 'order_id', [orderId])).map(({ kind, by }) => `${kind} ${by.kind}`)

  it('finds a link by its hash and by its order', async () => {
    await store.saveShare(1, 'first', noon)
    expect(await store.findByToken('first')).toEqual({ orderId: 1, createdAt: noon })
    expect(await store.findOfOrder(1)).toEqual({ orderId: 1, createdAt: noon })
    expect(await store.findByToken('other')).toBeUndefined()
    expect(await store.findOfOrder(2)).toBeUndefined()
  })

  it('has one link per order: a new one ends the one before it, and no other', async () => {
    await store.saveShare(1, 'first', noon)
    await store.saveShare(2, 'of another order', noon)
    await store.saveShare(1, 'second', noon + 1)
    expect(await store.findByToken('first')).toBeUndefined()
    expect(await store.findByToken('second')).toEqual({ orderId: 1, createdAt: noon + 1 })
    expect(await store.findByToken('of another order')).toMatchObject({ orderId: 2 })
    expect(await eventsOf(1)).toEqual(['link-created owner', 'link-ended owner', 'link-created owner'])
  })

  it('ends links at an age, as many as are asked for', async () => {
    for (const [orderId, at] of [
      [1, noon],
      [2, noon + 1],
    ] as const)
      await store.saveShare(orderId, `of ${orderId}`, at)
    const end = (before: number, limit = 2) => store.endOldShares(before, limit)
    expect([await end(noon), await end(noon + 2, 1), await end(noon + 1)]).toEqual([0, 1, 0])
    expect(await eventsOf(1)).toEqual(['link-created owner', 'link-ended system'])
    expect(await eventsOf(2)).toEqual(['link-created owner'])
  })

  it('leaves one link when many are made at once', async () => {
    await atOnce(10, (index) => store.saveShare(1, `link ${index}`, noon))
    const found = await atOnce(10, (index) => store.findByToken(`link ${index}`))
    expect(found.filter(Boolean)).toHaveLength(1)
  })

  it('ends the links of the orders named, and no other', async () => {
    await store.saveShare(1, 'first', noon)
    await store.saveShare(2, 'second', noon)
    await store.endShares([])
    await store.endShares([1])
    await store.endShares([1])
    expect(await eventsOf(1)).toEqual(['link-created owner', 'link-ended owner'])
    expect(await eventsOf(2)).toEqual(['link-created owner'])
    expect(await store.findByToken('first')).toBeUndefined()
    expect(await store.findByToken('second')).toBeDefined()
  })
}
