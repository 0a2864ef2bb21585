import { beforeEach, describe, expect, it } from 'vitest'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { pollSooner, trackBags } from '#server/features/orders/following.queries.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { day, hour, manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { newLeg, newOrder, storeOrder } from '#test/kit/orders/stored-orders.ts'
import {
  addAlerts,
  checkBags,
  countAlerts,
  countSilentBags,
  leaseDueBags,
  listAlerts,
  listAlertsOfOrder,
  listSilentBags,
  type NewAlert,
  noteReport,
  readCodeTexts,
  readOverdueMs,
  releaseBags,
  saveCodeTexts,
  untrackBags,
} from './tracking.queries.ts'

forEachEngine((_engine, open) => {
  let clock: ReturnType<typeof manualClock>
  let database: Database
  let core: { readonly database: Database }
  let orderIds: number[]
  let ids: number[]

  beforeEach(async () => {
    clock = manualClock(noon)
    database = await open(clock)
    core = { database }
    const { id: userId } = await ensureUser({ database }, '+966512345678', 'N', noon)
    orderIds = []
    for (let index = 0; index < 5; index += 1)
      orderIds.push(await storeOrder({ database }, newOrder(userId), [newLeg(`AM-${index}`)]))
    ids = (await findBookings({ database }, orderIds)).map(({ id }) => id).sort((a, b) => a - b)
  })

  const awbOf = (bookingId: number) => String(230_000_000_000 + bookingId)
  const track = (bookingIds: readonly number[], nextPollAt = noon, until = noon + day) =>
    trackBags(
      core,
      bookingIds.map((bookingId) => ({ bookingId, awb: awbOf(bookingId) })),
      nextPollAt,
      until,
    )
  function lease(name: string, now = clock.now(), limit = 20, slackMs = 0) {
    clock.advance(now - clock.now())
    return leaseDueBags(core, name, { leaseMs: minute, slackMs, limit })
  }
  const idsOf = (rows: readonly { booking_id: number }[]) => rows.map(({ booking_id }) => booking_id).sort()
  const id = (index: number) => ids[index] ?? 0

  describe('tracked bookings', () => {
    it('are stored once, and leased with what is known of them', async () => {
      expect(await track([id(0)])).toBe(1)
      expect(await track([id(0), id(1)], noon + 1)).toBe(1)
      expect(await track([])).toBe(0)
      expect(await lease('a', noon)).toEqual([
        {
          booking_id: id(0),
          awb: awbOf(id(0)),
          due_at: noon,
          tracked_until: noon + day,
          silent_polls: 0,
          lease: 'a',
          leased_until: noon + minute,
          tries: 1,
          last_error: null,
          claimed_at: noon,
          seen: null,
          heard_at: null,
          checked_at: null,
        },
      ])
    })

    it('join a call that is made anyway when they are due soon, and cause none', async () => {
      await track([id(0)], noon)
      await track([id(1)], noon + 5)
      await track([id(2)], noon + 11)
      expect(await lease('early', noon - 1, 20, 10)).toEqual([])
      expect(idsOf(await lease('a', noon, 20, 10))).toEqual([id(0), id(1)])
      expect(await lease('b', noon, 20, 10)).toEqual([])
    })

    it('are due again when they are released, to who holds the lease', async () => {
      await track([id(0), id(1)])
      await lease('a')
      const next = { silentPolls: 3, inMs: minute, isMoving: true }
      await releaseBags(core, 'another', { ...next, bookingIds: [id(0), id(1)] }, noon)
      expect(await lease('b', noon)).toEqual([])
      await releaseBags(core, 'a', { ...next, bookingIds: [id(0)] }, noon)
      expect(await lease('c', noon + minute - 1)).toEqual([])
      const again = await lease('d', noon + minute)
      expect(again.find(({ booking_id }) => booking_id === id(0))).toMatchObject({
        silent_polls: 3,
        heard_at: noon,
        lease: 'd',
      })
    })

    it('are no more once they ended', async () => {
      await track(ids)
      await untrackBags(core, [])
      await untrackBags(core, [id(0)])
      expect(idsOf(await lease('a'))).toEqual(ids.slice(1))
    })

    it('are moved forward by an event, never delayed', async () => {
      await track([id(0)], noon + 100)
      await track([id(1)], noon + 5)
      for (const each of [id(0), id(1)])
        await pollSooner(core, each, { pollAt: noon + 10, trackedUntil: noon + 2 * day, lastScanAt: noon })
      expect(await readOverdueMs(core)).toBe(0)
      clock.advance(10)
      expect(await readOverdueMs(core)).toBe(5)
      const rows = await lease('a', noon + 10)
      expect(rows.map(({ due_at }) => due_at).sort()).toEqual([noon + 10, noon + 5].sort())
      expect(rows[0]).toMatchObject({ tracked_until: noon + 2 * day, heard_at: noon, silent_polls: 0 })
    })
  })

  describe('silence', () => {
    it('is counted for bags on their way only', async () => {
      await track(ids)
      await lease('a')
      await releaseBags(
        core,
        'a',
        { bookingIds: [id(0), id(1)], silentPolls: 1, inMs: 0, isMoving: true },
        noon - day,
      )
      await releaseBags(
        core,
        'a',
        { bookingIds: [id(2)], silentPolls: 1, inMs: 0, isMoving: false },
        noon - day,
      )
      expect(await countSilentBags(core, noon)).toBe(2)
      await noteReport(core, id(1), { seen: 'print', lastScanAt: noon })
      expect(await countSilentBags(core, noon)).toBe(1)
      expect(await listSilentBags(core, noon, 10)).toEqual([
        { order_id: orderIds[0], awb: null, carriage: 'none', heard_at: noon - day },
      ])
      await noteReport(core, id(0), { lastScanAt: null })
      expect(await countSilentBags(core, noon)).toBe(0)
      expect((await lease('b')).find(({ booking_id }) => booking_id === id(1))?.seen).toBe('print')
    })
  })

  it('of a bag that a person has looked at counts anew from then', async () => {
    await track(ids)
    await noteReport(core, id(0), { lastScanAt: noon })
    const check = (now: number) =>
      database.transaction(() => checkBags(core, orderIds[0] ?? 0, now, now - day))
    // Not silent yet, so the caller undoes the check.
    expect(await check(noon + day)).toBe(0)
    await noteReport(core, id(0), { lastScanAt: noon + 1 })
    const seenAt = noon + 3 * day
    expect(await countSilentBags(core, seenAt - day)).toBe(1)
    expect(await check(seenAt)).toBe(1)
    expect([await countSilentBags(core, seenAt), await listSilentBags(core, seenAt, 10)]).toEqual([0, []])
    expect(await countSilentBags(core, seenAt + 1)).toBe(1)
    await noteReport(core, id(0), { lastScanAt: seenAt + hour })
    expect(await countSilentBags(core, seenAt + hour)).toBe(0)
  })

  describe('alerts', () => {
    const alert = (change: Partial<NewAlert> = {}): NewAlert => ({
      booking_id: id(0),
      event_key: 'key-1',
      kind: 'damaged',
      code: 'DMG',
      text: 'Damaged',
      place: 'Riyadh',
      at: noon,
      ...change,
    })

    it('are stored once for each scan and reason', async () => {
      expect(await addAlerts(core, [], noon)).toEqual([])
      expect(await addAlerts(core, [alert()], noon)).toEqual([alert()])
      expect(await addAlerts(core, [alert(), alert({ kind: 'contradiction' })], noon)).toEqual([
        alert({ kind: 'contradiction' }),
      ])
      expect(await countAlerts(core)).toBe(2)
    })

    it('are listed oldest first until an operator closes those of an order', async () => {
      await addAlerts(core, [alert({ booking_id: id(1) })], noon + 1)
      await addAlerts(core, [alert()], noon)
      expect(await listAlerts(core, 10)).toEqual([
        {
          order_id: orderIds[0],
          awb: null,
          kind: 'damaged',
          code: 'DMG',
          place: 'Riyadh',
          at: noon,
          noticed_at: noon,
        },
        expect.objectContaining({ order_id: orderIds[1], noticed_at: noon + 1 }),
      ])
      expect(await listAlerts(core, 1)).toHaveLength(1)
      expect(await listAlertsOfOrder(core, orderIds[0] ?? 0)).toEqual([
        { kind: 'damaged', code: 'DMG', text: 'Damaged', place: 'Riyadh', at: noon },
      ])
      const check = () => database.transaction(() => checkBags(core, orderIds[0] ?? 0, noon + 2, noon))
      expect(await check()).toBe(1)
      expect(await listAlertsOfOrder(core, orderIds[0] ?? 0)).toEqual([])
      expect(await check()).toBe(0)
      expect(await countAlerts(core)).toBe(1)
      // A scan that comes again does not open a closed alert.
      expect(await addAlerts(core, [alert()], noon + 3)).toEqual([])
    })
  })

  describe('texts of codes', () => {
    it('are replaced by code, and kept where the courier no longer has them', async () => {
      expect(await readCodeTexts(core)).toEqual({ texts: new Map(), fetchedAt: 0 })
      await saveCodeTexts(core, [], noon)
      await saveCodeTexts(
        core,
        [
          { code: 'DL', ar: 'تم', en: 'Done' },
          { code: 'AF', ar: undefined, en: 'Arrived' },
        ],
        noon,
      )
      await saveCodeTexts(
        core,
        [
          { code: 'DL', ar: 'قديم', en: 'Old' },
          { code: 'DL', ar: 'تم التسليم', en: undefined },
        ],
        noon + 1,
      )
      expect(await readCodeTexts(core)).toEqual({
        texts: new Map([
          ['DL', { code: 'DL', ar: 'تم التسليم', en: undefined }],
          ['AF', { code: 'AF', ar: undefined, en: 'Arrived' }],
        ]),
        fetchedAt: noon + 1,
      })
    })
  })
})
