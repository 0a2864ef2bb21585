import { beforeEach, describe, expect, it } from 'vitest'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { issueLabel, newLeg, newOrder, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { findBags, findBagsByNumbers } from './bags.queries.ts'
import { findBookings } from './bookings.queries.ts'
import { markPaid } from './orders.queries.ts'

/** Contract of the bags on their way: bookings with an airway bill. */
forEachEngine((_engine, open) => {
  let core: QueryCore
  /** Ids of three bookings; the first two have an airway bill. */
  let ids: number[]

  beforeEach(async () => {
    const database = await open()
    core = { database }
    const { id: userId } = await ensureUser({ database }, '+966512345678', 'N', noon)
    ids = []
    for (const index of [0, 1, 2]) {
      const orderId = await storeOrder(core, newOrder(userId, { createdAt: noon + index }), [
        { ...newLeg(`AM-${index}`), origin: '{"city":"Mina"}', destination: '{"city":"Riyadh"}' },
      ])
      if (index < 2) {
        await database.transaction(() => markPaid(core, orderId, `T${orderId}`, noon))
        await issueLabel(core, `23120000000${index}`, noon)
      }
      ids.push((await findBookings(core, [orderId]))[0]?.id ?? 0)
    }
  })

  const id = (index: number) => ids[index] ?? 0
  const found = (rows: readonly { id: number }[]) => rows.map((row) => row.id).sort((a, b) => a - b)

  describe('bags', () => {
    it('are found by booking, with what describes their way', async () => {
      expect(await findBags(core, [id(0)])).toEqual([
        {
          id: id(0),
          orderId: expect.any(Number),
          awb: '231200000000',
          reference: 'AM-0',
          from: 'Mina',
          to: 'Riyadh',
          state: 'READY',
          requestedAt: expect.any(Number),
        },
      ])
      expect(found(await findBags(core, ids))).toEqual([id(0), id(1)])
      expect(await findBags(core, [])).toEqual([])
    })

    it('are found by airway bill and by reference, each once, those without an airway bill never', async () => {
      expect(found(await findBagsByNumbers(core, ['231200000001', '999999999999'], []))).toEqual([id(1)])
      expect(found(await findBagsByNumbers(core, [], ['AM-0', 'AM-2', 'AM-9']))).toEqual([id(0)])
      expect(found(await findBagsByNumbers(core, ['231200000000'], ['AM-0', 'AM-1']))).toEqual([id(0), id(1)])
      expect(await findBagsByNumbers(core, [], [])).toEqual([])
    })
  })
})
