import { beforeEach, describe, expect, it } from 'vitest'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { minute, contractNoon as noon } from '#test/kit/clock.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { blockedOrDone } from '#test/kit/rows.ts'
import { newLeg, newOrder } from '#test/kit/stored-orders.ts'
import { transacting } from '#test/kit/transacting.ts'
import { createOrdersStore, type OrdersStore } from './orders.store.ts'
import { createTravelStore, type NewEvent } from './travel.store.ts'

const scan = (change: Partial<NewEvent> = {}): NewEvent => ({
  event_key: 'scan-1',
  kind: 'in-transit',
  source: 'courier',
  at: noon,
  ...change,
})

/** Contract of the events of bookings. */
export function travelStoreContract(_: Engine, open: OpenDatabase): void {
  let database: Database
  let orders: OrdersStore
  let store: ReturnType<typeof createTravelStore>
  let userId: number
  let references = 0

  beforeEach(async () => {
    database = await open()
    orders = transacting(database, createOrdersStore(database), ['markPaid', 'markRefunded'])
    store = createTravelStore(database)
    userId = (await createSessionsStore(database).ensureUser('+966512345678', 'N', noon)).id
    references = 0
  })

  /** A paid order; its number and its bookings. */
  async function addPaid(
    legCount = 1,
  ): Promise<{ orderId: number; bookingIds: number[]; bookingId: number }> {
    const legs = Array.from({ length: legCount }, (_, leg) => {
      references += 1
      return newLeg(`AM-${references}`, leg)
    })
    const orderId = await orders.addOrder(newOrder(userId, { type: 'TO_AND_FROM_MINA' }), legs)
    await orders.markPaid(orderId, `T${orderId}`, noon)
    const bookingIds = (await orders.findBookings([orderId])).map(({ id }) => id)
    return { orderId, bookingIds, bookingId: bookingIds[0] ?? 0 }
  }

  const bookingsOf = (orderId: number) => orders.findBookings([orderId])
  const kindsOf = async (bookingId: number) =>
    (await store.findEvents([bookingId])).get(bookingId)?.map(({ kind }) => kind)

  describe('events of bookings', () => {
    it('are stored with all that is known of them', async () => {
      const { bookingId } = await addPaid()
      expect(
        await store.insertEvent(bookingId, scan({ place: 'Riyadh', code: 'AF', text: 'وصلت' }), noon + 1),
      ).toBe(true)
      expect((await store.findEvents([bookingId])).get(bookingId)).toEqual([
        {
          id: expect.any(Number),
          booking_id: bookingId,
          ...scan({ place: 'Riyadh', code: 'AF', text: 'وصلت' }),
          recorded_at: noon + 1,
        },
      ])
    })

    it('are stored once each, of each booking', async () => {
      const { bookingIds } = await addPaid(2)
      const [first = 0, second = 0] = bookingIds
      expect(await store.insertEvent(first, scan(), noon)).toBe(true)
      expect(await store.insertEvent(first, scan({ kind: 'collected' }), noon)).toBe(false)
      expect(await store.insertEvent(second, scan(), noon)).toBe(true)
      expect(await kindsOf(first)).toEqual(['in-transit'])
    })

    it('are found in the order of recording', async () => {
      const { bookingId } = await addPaid()
      await store.insertEvent(bookingId, scan({ event_key: 'b', kind: 'at-branch', at: noon + 5 }), noon)
      await store.insertEvent(bookingId, scan({ event_key: 'a' }), noon)
      expect(await kindsOf(bookingId)).toEqual(['at-branch', 'in-transit'])
      expect(await store.findEvents([])).toEqual(new Map())
    })
  })

  describe('the order of a booking', () => {
    it('is locked and read', async () => {
      const { orderId, bookingId } = await addPaid()
      expect(await database.transaction(() => store.lockOrderOf(bookingId))).toEqual({
        id: orderId,
        user_id: userId,
        status: 'PAID',
        handed_over: 'none',
      })
      expect(await database.transaction(() => store.lockOrderOf(bookingId + 100))).toBeUndefined()
    })

    it('waits while all orders of its owner are locked', async () => {
      const { bookingId } = await addPaid()
      const done: string[] = []
      const locked = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const holder = database.transaction(async () => {
        await store.lockOrdersOf(userId)
        locked.resolve()
        await released.promise
        done.push('all')
      })
      await locked.promise
      const waiting = database.transaction(async () => {
        await store.lockOrderOf(bookingId)
        done.push('one')
      })
      await blockedOrDone(database, waiting)
      released.resolve()
      await Promise.all([holder, waiting])
      expect(done).toEqual(['all', 'one'])
    })

    it('is handed over only while it is paid', async () => {
      const { orderId } = await addPaid()
      expect(await store.markHandedOver(orderId)).toBe(true)
      expect(await orders.findOrder(orderId)).toMatchObject({ handed_over: 'some' })
      const refunded = await addPaid()
      await orders.markRefunded(refunded.orderId, `T${refunded.orderId}`, noon)
      expect(await store.markHandedOver(refunded.orderId)).toBe(false)
      expect(await orders.findOrder(refunded.orderId)).toMatchObject({ handed_over: 'none' })
    })

    it('keeps the state of its bags and their count', async () => {
      const { orderId, bookingId } = await addPaid()
      await store.setTravel(bookingId, 'IN_TRANSIT', noon + minute)
      await store.setHandedOver(orderId, 'all')
      expect(await bookingsOf(orderId)).toMatchObject([
        { travel_state: 'IN_TRANSIT', last_event_at: noon + minute },
      ])
      expect(await orders.findOrder(orderId)).toMatchObject({ handed_over: 'all' })
      await store.setTravel(bookingId, null, noon + minute)
      expect(await bookingsOf(orderId)).toMatchObject([{ travel_state: null }])
    })
  })

  describe('a cancellation', () => {
    it('ends the bookings that were not handed over, once', async () => {
      const { orderId, bookingIds } = await addPaid(2)
      const [first = 0, second = 0] = bookingIds
      await store.setTravel(first, 'IN_TRANSIT', noon)
      await store.cancelBookings(orderId, noon + minute)
      await store.cancelBookings(orderId, noon + 2 * minute)
      expect(await bookingsOf(orderId)).toMatchObject([
        { travel_state: 'IN_TRANSIT', last_event_at: noon },
        { travel_state: 'CANCELLED', last_event_at: noon + minute },
      ])
      expect(await kindsOf(first)).toBeUndefined()
      expect((await store.findEvents([second])).get(second)).toMatchObject([
        { kind: 'cancelled', source: 'system', at: noon + minute },
      ])
    })
  })
}
