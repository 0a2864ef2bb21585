import { beforeEach, describe, expect, it } from 'vitest'
import { listBagEvents, type NewBagEvent } from '#server/features/history/bag-events.ts'
import { eraseEvents, recordEvent } from '#server/features/history/history.ts'
import { eraseWords } from '#server/features/history/retention.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { QueryCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { manualClock, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { newLeg, newOrder, scanOf, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { findBookings } from './bookings.queries.ts'
import {
  countHandoverScans,
  findHandoverScan,
  type HandoverScanRow,
  insertHandoverScan,
} from './handovers.queries.ts'

/** Contract of the scans of agents. */
forEachEngine((_engine, open) => {
  let core: QueryCore
  let userId: number
  let orderId: number
  let bookingId: number
  let database: Database
  const clock = manualClock(noon)

  beforeEach(async () => {
    database = await open(clock)
    core = { database }
    userId = (await ensureUser({ database }, '+966512345678', 'N', noon)).id
    orderId = await storeOrder(core, newOrder(userId), [newLeg('AM-1')])
    const [booking] = await findBookings(core, [orderId])
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
      expect(await insertHandoverScan(core, scan())).toBe(true)
      expect(await insertHandoverScan(core, scan({ outcome: 'refused' }))).toBe(false)
      expect(await insertHandoverScan(core, scan({ agent_code: 'A02', outcome: 'refused' }))).toBe(true)
      expect(await findHandoverScan(core, 'A01', 'key-1')).toEqual(scan())
      expect(await findHandoverScan(core, 'A02', 'key-1')).toMatchObject({ outcome: 'refused' })
      expect(await findHandoverScan(core, 'A01', 'key-2')).toBeUndefined()
    })

    it('is counted by its booking', async () => {
      for (const key of ['a', 'b']) await insertHandoverScan(core, scan({ key }))
      expect(await countHandoverScans(core, bookingId)).toBe(2)
      expect(await countHandoverScans(core, bookingId + 1)).toBe(0)
    })
  })

  it('what agents wrote about bags goes after its time, or with the account; the reasons stay', async () => {
    const insert = (event: NewBagEvent) =>
      database.transaction(() => recordEvent(core, { ...event, orderId, bookingId }))
    await insert(scanOf('unknown', noon, { text: 'scan' }))
    for (const text of ['first', 'second', 'third']) {
      await insert({
        kind: 'not-accepted',
        data: { reason: 'other', personal: { text } },
        by: { kind: 'agent', name: 'Mina Agent' },
        at: noon,
        key: text,
      })
      clock.advance(1)
    }
    const erase = (limit: number) => eraseWords({ database }, ['not-accepted'], noon + 2, limit)
    const texts = async () =>
      (await listBagEvents(core, [bookingId])).get(bookingId)?.map(({ text, code }) => text ?? code)
    expect(await erase(1)).toMatchObject({ rows: 1, more: true })
    expect(await texts()).toEqual(['scan', 'other', 'second', 'third'])
    expect(await erase(2)).toMatchObject({ rows: 1, more: false })
    expect(await texts()).toEqual(['scan', 'other', 'other', 'third'])
    await database.transaction(() => eraseEvents({ database }, userId))
    expect(await texts()).toEqual([null, 'other', 'other', 'other'])
  })
})
