import { beforeEach, describe, expect, it } from 'vitest'
import { listBagEvents, type NewBagEvent } from '#server/features/history/bag-events.ts'
import { listEvents, recordEvent } from '#server/features/history/history.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { TimedCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { EventKind } from '#shared/orders/travel.schemas.ts'
import { manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { blockedOrDone } from '#test/kit/database/rows.ts'
import { messagesIn } from '#test/kit/orders/messages.ts'
import { newLeg, newOrder, scanOf, storeEvents, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { findBookings } from './bookings.queries.ts'
import { findOrder, markPaid, markRefunded } from './orders.queries.ts'
import { lockOrder, lockOrderOf, lockOrdersOf, makeValid, makeVoid, setCarriage } from './travel.queries.ts'

/** Contract of the events of bookings. */
forEachEngine((_engine, open) => {
  let database: Database
  let core: TimedCore
  let userId: number
  let references = 0

  beforeEach(async () => {
    database = await open()
    core = { database, clock: manualClock(noon) }
    userId = (await ensureUser({ database }, '+966512345678', 'N', noon)).id
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
    const orderId = await storeOrder(core, newOrder(userId, { type: 'TO_AND_FROM_MINA' }), legs)
    await database.transaction(() => markPaid(core, orderId, `T${orderId}`, noon))
    const bookingIds = (await findBookings(core, [orderId])).map(({ id }) => id)
    return { orderId, bookingIds, bookingId: bookingIds[0] ?? 0 }
  }

  const insert = (bag: { orderId: number; bookingId: number }, event: NewBagEvent) =>
    database.transaction(() => recordEvent(core, { ...event, ...bag }))
  const bookingsOf = (orderId: number) => findBookings(core, [orderId])
  const kindsOf = async (bookingId: number) =>
    (await listBagEvents(core, [bookingId])).get(bookingId)?.map(({ kind }) => kind)

  describe('events of bookings', () => {
    it('are stored with all that is known of them', async () => {
      const { orderId, bookingId } = await addPaid()
      const known = { place: 'Riyadh', code: 'AF', text: 'وصلت' }
      const id = await insert({ orderId, bookingId }, scanOf('in-transit', noon - 1, { key: 'k', ...known }))
      expect((await listBagEvents(core, [bookingId])).get(bookingId)).toEqual([
        {
          id,
          bookingId,
          key: 'k',
          kind: 'in-transit',
          source: 'courier',
          at: noon - 1,
          recordedAt: noon,
          ...known,
        },
      ])
    })

    it('are stored once each, of each booking', async () => {
      const { orderId, bookingIds } = await addPaid(2)
      const [first = 0, second = 0] = bookingIds
      const insertOf = async (bookingId: number, kind: EventKind) =>
        (await insert({ orderId, bookingId }, scanOf(kind, noon, { key: 'k' }))) !== undefined
      expect(await insertOf(first, 'in-transit')).toBe(true)
      expect(await insertOf(first, 'collected')).toBe(false)
      expect(await insertOf(second, 'in-transit')).toBe(true)
      expect(await kindsOf(first)).toEqual(['in-transit'])
    })

    it('are found in the order of recording', async () => {
      const { orderId, bookingId } = await addPaid()
      await insert({ orderId, bookingId }, scanOf('at-branch', noon + 5, { key: 'b' }))
      await insert({ orderId, bookingId }, scanOf('in-transit', noon, { key: 'a' }))
      expect(await kindsOf(bookingId)).toEqual(['at-branch', 'in-transit'])
      expect(await listBagEvents(core, [])).toEqual(new Map())
    })
  })

  describe('the order of a booking', () => {
    /** Takes the lock of a booking's order while another transaction holds `hold`; in which order the two came to their end. */
    async function finishedWhile(hold: () => Promise<unknown>, bookingId: number) {
      const done: string[] = []
      const locked = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const holder = database.transaction(async () => {
        await hold()
        locked.resolve()
        await released.promise
        done.push('the holder')
      })
      await locked.promise
      const waiting = database.transaction(async () => {
        await lockOrderOf(core, bookingId)
        done.push('the booking')
      })
      await blockedOrDone(database, waiting)
      released.resolve()
      await Promise.all([holder, waiting])
      return done
    }

    it('is locked by its own number, too', async () => {
      const { orderId, bookingId } = await addPaid()
      expect(await finishedWhile(() => lockOrder(core, orderId), bookingId)).toEqual([
        'the holder',
        'the booking',
      ])
    })

    it('is locked and read', async () => {
      const { orderId, bookingId } = await addPaid()
      expect(await database.transaction(() => lockOrderOf(core, bookingId))).toEqual({
        id: orderId,
        user_id: userId,
        payment: 'paid',
        ended: null,
        handed_over: 'none',
      })
      expect(await database.transaction(() => lockOrderOf(core, bookingId + 100))).toBeUndefined()
    })

    it('waits while all orders of its owner are locked, also where its money went back on its way', async () => {
      const { orderId, bookingId } = await addPaid()
      await storeEvents(database, bookingId, ['handed-over'])
      await database.transaction(() => markRefunded(core, orderId, `T${orderId}`))
      expect(await finishedWhile(() => lockOrdersOf(core, userId), bookingId)).toEqual([
        'the holder',
        'the booking',
      ])
    })
  })

  describe('what follows from events', () => {
    const carriagesOf = async (orderId: number) => ({
      bags: (await bookingsOf(orderId)).map(({ carriage }) => carriage),
      handedOver: (await findOrder(core, orderId))?.handed_over,
    })

    it('is stored of every bag and of the order', async () => {
      const unpaid = await storeOrder(core, newOrder(userId), [newLeg('AM-unpaid')])
      await database.transaction(() => setCarriage(core, unpaid))
      expect(await carriagesOf(unpaid)).toEqual({ bags: ['none'], handedOver: 'none' })
      const { orderId, bookingIds } = await addPaid(2)
      const [first = 0, second = 0] = bookingIds
      expect(await carriagesOf(orderId)).toEqual({
        bags: ['awaiting-label', 'awaiting-label'],
        handedOver: 'none',
      })
      await storeEvents(database, first, ['handed-over', 'in-transit'])
      expect(await carriagesOf(orderId)).toEqual({ bags: ['moving', 'awaiting-label'], handedOver: 'some' })
      expect((await bookingsOf(orderId))[0]?.last_event_at).toBe(noon + minute)
      await storeEvents(database, second, ['handed-over', 'hand-over-undone', 'at-branch'])
      expect(await carriagesOf(orderId)).toEqual({ bags: ['moving', 'received'], handedOver: 'all' })
    })

    it('is that bags which were not handed over are void once their money goes back, and no others', async () => {
      const { orderId, bookingIds } = await addPaid(2)
      const [first = 0, second = 0] = bookingIds
      await storeEvents(database, first, ['handed-over'])
      const voidBags = (at: number) => database.transaction(() => makeVoid(core, orderId, at))
      await voidBags(noon + minute)
      await voidBags(noon + 2 * minute)
      expect(await carriagesOf(orderId)).toEqual({ bags: ['received', 'void'], handedOver: 'all' })
      expect(await kindsOf(first)).toEqual(['handed-over'])
      expect((await listBagEvents(core, [second])).get(second)).toMatchObject([
        { kind: 'cancelled', source: 'system', at: noon + minute },
      ])
      // A scan of a void bag moves nothing.
      await storeEvents(database, second, ['in-transit'])
      expect(await carriagesOf(orderId)).toEqual({ bags: ['received', 'void'], handedOver: 'all' })
    })

    it('has its message where a bag arrived while its money was to go back, once it is valid', async () => {
      const { orderId, bookingId } = await addPaid(1)
      await database.tables
        .updateTable('bookings')
        .set({ receiver: 'R', receiver_phone: '+966500000001' })
        .execute()
      await database.transaction(() => makeVoid(core, orderId, noon))
      await storeEvents(database, bookingId, ['in-transit', 'at-branch'])
      expect(await messagesIn(database)).toEqual([])
      await database.transaction(() => makeValid(core, orderId))
      const [valid] = (await listEvents({ database }, 'booking_id', [bookingId])).slice(-1)
      expect(await carriagesOf(orderId)).toMatchObject({ bags: ['at-branch'] })
      expect(await messagesIn(database)).toMatchObject([
        { kind: 'at-branch', recipient: 'owner', event_id: valid?.id, booking_id: bookingId },
        { kind: 'receiver-at-branch', recipient: 'receiver', event_id: valid?.id },
      ])
    })

    it('is that they are valid again when it does not go back, but for those that their owner gave up', async () => {
      const { orderId, bookingIds } = await addPaid(1)
      for (const _ of ['first', 'second']) {
        await database.transaction(() => makeVoid(core, orderId, noon))
        expect(await carriagesOf(orderId)).toEqual({ bags: ['void'], handedOver: 'void' })
        await database.transaction(() => makeValid(core, orderId))
        await database.transaction(() => makeValid(core, orderId))
        expect(await carriagesOf(orderId)).toEqual({ bags: ['awaiting-label'], handedOver: 'none' })
        expect(await bookingsOf(orderId)).toMatchObject([{ last_event_at: null }])
      }
      await database.transaction(() => makeVoid(core, orderId, noon, true))
      await database.transaction(() => makeValid(core, orderId))
      expect(await carriagesOf(orderId)).toEqual({ bags: ['void'], handedOver: 'void' })
      expect(await kindsOf(bookingIds[0] ?? 0)).toEqual(['cancelled'])
      const recorded = await listEvents({ database }, 'booking_id', bookingIds)
      expect(recorded.map(({ kind, data }) => [kind, data])).toEqual([
        ['bag-void', { forGood: false }],
        ['bag-valid', {}],
        ['bag-void', { forGood: false }],
        ['bag-valid', {}],
        ['bag-void', { forGood: true }],
      ])
    })
  })
})
