import { beforeEach, describe, expect, it } from 'vitest'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Engine } from '#server/platform/database/database.ts'
import { contractNoon as noon } from '#test/kit/clock.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { newLeg, newOrder } from '#test/kit/stored-orders.ts'
import { createHandoversStore, type HandoverScanRow } from './handovers.store.ts'
import { createOrdersStore } from './orders.store.ts'

/** Contract of the scans of agents. */
export function handoversStoreContract(_: Engine, open: OpenDatabase): void {
  let store: ReturnType<typeof createHandoversStore>
  let bookingId: number

  beforeEach(async () => {
    const database = await open()
    store = createHandoversStore(database)
    const orders = createOrdersStore(database)
    const { id } = await createSessionsStore(database).ensureUser('+966512345678', 'N', noon)
    const orderId = await orders.addOrder(newOrder(id), [newLeg('AM-1')])
    const [booking] = await orders.findBookings([orderId])
    bookingId = booking?.id ?? 0
  })

  const scan = (change: Partial<HandoverScanRow> = {}): HandoverScanRow => ({
    agent_code: 'A01',
    key: 'key-1',
    body_hash: 'hash',
    booking_id: bookingId,
    outcome: 'received',
    at: noon - 5,
    recorded_at: noon,
    ...change,
  })

  describe('a scan', () => {
    it('is stored once per agent and key', async () => {
      expect(await store.insertHandoverScan(scan())).toBe(true)
      expect(await store.insertHandoverScan(scan({ outcome: 'refused' }))).toBe(false)
      expect(await store.insertHandoverScan(scan({ agent_code: 'A02', outcome: 'refused' }))).toBe(true)
      expect(await store.findHandoverScan('A01', 'key-1')).toEqual(scan())
      expect(await store.findHandoverScan('A02', 'key-1')).toMatchObject({ outcome: 'refused' })
      expect(await store.findHandoverScan('A01', 'key-2')).toBeUndefined()
    })

    it('is counted by its booking', async () => {
      for (const key of ['a', 'b']) await store.insertHandoverScan(scan({ key }))
      expect(await store.countHandoverScans(bookingId)).toBe(2)
      expect(await store.countHandoverScans(bookingId + 1)).toBe(0)
    })
  })
}
