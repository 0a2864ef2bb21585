import { beforeEach, describe, expect, it } from 'vitest'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Engine } from '#server/platform/database/database.ts'
import { contractNoon as noon } from '#test/kit/clock.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { issueLabel, newLeg, newOrder } from '#test/kit/stored-orders.ts'
import { transacting } from '#test/kit/transacting.ts'
import { createBagsStore } from './bags.store.ts'
import { createOrdersStore } from './orders.store.ts'

/** Contract of the bags on their way: bookings with an airway bill. */
export function bagsStoreContract(_: Engine, open: OpenDatabase): void {
  let store: ReturnType<typeof createBagsStore>
  /** Ids of three bookings; the first two have an airway bill. */
  let ids: number[]

  beforeEach(async () => {
    const database = await open()
    store = createBagsStore(database)
    const orders = transacting(database, createOrdersStore(database), ['markPaid'])
    const { id: userId } = await createSessionsStore(database).ensureUser('+966512345678', 'N', noon)
    ids = []
    for (const index of [0, 1, 2]) {
      const orderId = await orders.addOrder(newOrder(userId, { createdAt: noon + index }), [
        { ...newLeg(`AM-${index}`), origin: '{"city":"Mina"}', destination: '{"city":"Riyadh"}' },
      ])
      if (index < 2) {
        await orders.markPaid(orderId, `T${orderId}`, noon)
        await issueLabel(orders, `23120000000${index}`, noon)
      }
      ids.push((await orders.findBookings([orderId]))[0]?.id ?? 0)
    }
  })

  const id = (index: number) => ids[index] ?? 0
  const found = (rows: readonly { id: number }[]) => rows.map((row) => row.id).sort((a, b) => a - b)

  describe('bags', () => {
    it('are found by booking, with what describes their way', async () => {
      expect(await store.findBagsById([id(0)])).toEqual([
        {
          id: id(0),
          order_id: expect.any(Number),
          awb: '231200000000',
          reference: 'AM-0',
          origin: '{"city":"Mina"}',
          destination: '{"city":"Riyadh"}',
          carriage: 'ready',
          requested_at: expect.any(Number),
        },
      ])
      expect(found(await store.findBagsById(ids))).toEqual([id(0), id(1)])
      expect(await store.findBagsById([])).toEqual([])
    })

    it('are found by airway bill and by reference, those without an airway bill never', async () => {
      expect(found(await store.findBagsByAwb(['231200000001', '999999999999']))).toEqual([id(1)])
      expect(found(await store.findBagsByReference(['AM-0', 'AM-2', 'AM-9']))).toEqual([id(0)])
      expect(await store.findBagsByAwb([])).toEqual([])
      expect(await store.findBagsByReference([])).toEqual([])
    })
  })
}
