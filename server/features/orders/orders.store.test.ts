import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import { ensureUser, listOwners } from '#server/features/users/users.queries.ts'
import type { TimedCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { statusExpression } from '#server/platform/database/order-status.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import { orderEnds, orderPayments } from '#shared/orders/orders.schemas.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { day, type ManualClock, manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import { newOrder, storeEvents, storeOrder } from '#test/kit/orders/stored-orders.ts'
import {
  awaitsAwb,
  countCreation,
  countStopped,
  endLease,
  findBooking,
  findBookingByAwb,
  findBookingByReference,
  findBookings,
  findOrderByAwb,
  hasTravellingBag,
  leaseDueBooking,
  listBookingIds,
  listOverdueBookings,
  markEscalated,
  markUncertain,
  type NewBooking,
  permitCreation,
  readUnissued,
  readUnlabelled,
  setAwb,
  setLastError,
  undoCreation,
} from './bookings.queries.ts'
import { isMoneyGoingBack, markCancelled } from './cancellation.queries.ts'
import { findLabel, findLabelled, recordLabel } from './labels.queries.ts'
import {
  findKey,
  findTerms,
  insertKey,
  insertOrder,
  keepTerms,
  lockCreations,
  type NewOrder,
} from './order-creation.queries.ts'
import {
  countUnpaidOrders,
  deleteNeverPaid,
  eraseOrdersOfUser,
  expireCreatedBefore,
  expireOlderThan,
  findOrder,
  findOrders,
  listNeverPaid,
  listOrdersOfUser,
  listOrdersToHandOver,
  markExpired,
  markPaid,
  markRefunded,
  resumeCarriage,
  stopCarriage,
} from './orders.queries.ts'
import { deleteReceivers, setPrintedReceiver, setReceiver } from './receivers.queries.ts'
import { makeVoid } from './travel.queries.ts'

const operator = { kind: 'operator', name: 'Sara' } as const
const pdf = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0x00, 0xff, 0x0a])
const origin = JSON.stringify({ name: 'وكيل منى', coordinates: null })
const destination = JSON.stringify({
  addressAR: 'حي السويدي',
  coordinates: { latitude: 24.5, longitude: 46.6 },
})

/** Contract of the orders store. */
forEachEngine((engine, open) => {
  let database: Database
  let clock: ManualClock
  let core: TimedCore
  let userId: number
  let otherUserId: number
  let references = 0

  beforeEach(async () => {
    clock = manualClock(noon)
    database = await open(clock)
    core = { database, clock }
    userId = (await ensureUser({ database }, '+966512345678', 'N', noon)).id
    otherUserId = (await ensureUser({ database }, '+966587654321', 'M', noon)).id
    references = 0
  })

  const eventsOf = (...orderIds: readonly number[]) => listEvents({ database }, 'order_id', orderIds)

  const expiredOf = async (...orderIds: readonly number[]) =>
    (await eventsOf(...orderIds)).flatMap(({ kind, orderId }) => (kind === 'order-expired' ? [orderId] : []))

  const order = (change?: Partial<NewOrder>) => newOrder(userId, change)

  const legs = (count = 1): NewBooking[] =>
    Array.from({ length: count }, (_, leg) => {
      references += 1
      return { leg, reference: `AM-${references}`, origin, destination }
    })

  const add = (change: Partial<NewOrder> = {}, legCount = 1) =>
    storeOrder(core, order(change), legs(legCount))

  async function addPaid(change: Partial<NewOrder> = {}, paidAt = noon): Promise<number> {
    const id = await add(change)
    await database.transaction(() => markPaid(core, id, `T${id}`, paidAt))
    return id
  }

  async function bookingOf(orderId: number) {
    const [booking] = await findBookings(core, [orderId])
    expect((await listBookingIds(core, orderId))[0]).toBe(booking?.id)
    if (!booking) throw new Error(`order ${orderId} has no booking`)
    return booking
  }

  async function addIssued(awb: string): Promise<{ orderId: number; bookingId: number }> {
    const orderId = await addPaid()
    const leased = await leaseDueBooking(core, 'lease-issue', noon, noon + minute)
    if (!leased) throw new Error('nothing to lease')
    await setAwb(core, leased.id, 'lease-issue', awb)
    await recordLabel(core, leased.id, pdf)
    return { orderId, bookingId: leased.id }
  }

  describe('stores and finds', () => {
    it('an unpaid order, with numbers as numbers', async () => {
      const id = await add()
      expect(await findOrder(core, id)).toEqual({
        id,
        user_id: userId,
        type: 'FROM_MINA',
        payment: 'unpaid',
        ended: null,
        ended_at: null,
        amount_halalas: 5_000,
        currency: 'SAR',
        agent_code: 'A01',
        center_code: '1',
        transaction_id: null,
        created_at: noon,
        paid_at: null,
        handed_over: 'none',
        terms_version: null,
        terms_language: null,
        search_text: null,
      })
    })

    it('the terms of an order, each text of them once', async () => {
      const present = { version: 'v1', body: '{"terms":1}' }
      await keepTerms(core, present, noon)
      await keepTerms(core, present, noon + 1)
      await keepTerms(core, { version: 'v2', body: '{"terms":2}' }, noon + 2)
      const id = await add({ terms: { version: 'v1', language: 'en' } })
      expect(await findOrder(core, id)).toMatchObject({ terms_version: 'v1', terms_language: 'en' })
      expect(await findOrders(core, [id, id + 1])).toEqual([await findOrder(core, id)])
      expect(await findTerms(core, [])).toEqual(new Map())
      expect(await findTerms(core, ['v1', 'v3'])).toEqual(new Map([['v1', present.body]]))
      expect(await database.tables.selectFrom('terms').select('since').execute()).toHaveLength(2)
    })

    it('a label unchanged, and its booking by the airway bill', async () => {
      const { orderId, bookingId } = await addIssued('231200021879')
      const booking = await findBookingByAwb(core, '231200021879')
      expect(booking).toMatchObject({ id: bookingId, order_id: orderId })
      expect(await findBooking(core, bookingId)).toEqual(booking)
      expect(await findBooking(core, bookingId + 1)).toBeUndefined()
      expect(await findOrderByAwb(core, '231200021879')).toEqual(await findOrder(core, orderId))
      expect(await findOrderByAwb(core, '231200021880')).toBeUndefined()
      expect(await listOwners(core, [orderId, orderId + 1])).toMatchObject([{ id: userId }])
      expect(await findBookingByReference(core, booking?.reference ?? '')).toEqual(booking)
      expect(await findBookingByReference(core, 'none')).toBeUndefined()
      const kept = await findLabel(core, '231200021879')
      expect(kept).toMatchObject({
        id: orderId,
        user_id: userId,
        payment: 'paid',
        state: 'issued',
        carriage: 'ready',
      })
      expect([...(kept?.pdf ?? [])]).toEqual([...pdf])
      expect(await findLabel(core, 'none')).toBeUndefined()
    })

    it('the order of a key', async () => {
      const id = await add()
      expect(await insertKey(core, userId, { key: 'key-1', bodyHash: 'hash-1' }, id, noon)).toBeUndefined()
      expect(await findKey(core, userId, 'key-1')).toEqual({ orderId: id, bodyHash: 'hash-1' })
    })
  })

  it('finds a bag on its way by its owner and the time it was seen', async () => {
    const { bookingId } = await addIssued('231200021879')
    expect(await hasTravellingBag(core, userId)).toBe(false)
    await storeEvents(database, bookingId, ['in-transit'])
    expect(await hasTravellingBag(core, userId)).toBe(true)
    expect(await hasTravellingBag(core, otherUserId)).toBe(false)
    clock.advance(30 * day)
    expect(await hasTravellingBag(core, userId)).toBe(false)
    await storeEvents(database, bookingId, ['collected'], clock.now())
    expect(await hasTravellingBag(core, userId)).toBe(false)
  })

  describe('unknown and duplicate', () => {
    it('returns the earlier order of a key and keeps it', async () => {
      const first = await add()
      const second = await add()
      await insertKey(core, userId, { key: 'key-1', bodyHash: 'hash-1' }, first, noon)
      const before = { orderId: first, bodyHash: 'hash-1' }
      expect(await insertKey(core, userId, { key: 'key-1', bodyHash: 'hash-2' }, second, noon)).toEqual(
        before,
      )
      expect(await findKey(core, userId, 'key-1')).toEqual(before)
    })
  })

  describe('transitions', () => {
    it('pays an unpaid order once and queues every leg', async () => {
      const id = await add({ type: 'TO_AND_FROM_MINA' }, 2)
      expect(await database.transaction(() => markPaid(core, id, 'T1', noon + 5))).toBe(true)
      expect(await findOrder(core, id)).toMatchObject({
        payment: 'paid',
        ended: null,
        transaction_id: 'T1',
        paid_at: noon + 5,
      })
      const bookings = await findBookings(core, [id])
      expect(bookings.map(({ state, due_at }) => [state, due_at])).toEqual([
        ['waiting', noon],
        ['waiting', noon],
      ])
    })

    it('refunds only the payment that paid, and once', async () => {
      const id = await addPaid()
      expect(await database.transaction(() => markRefunded(core, id, 'another'))).toBe(false)
      expect(await findOrder(core, id)).toMatchObject({ payment: 'paid', ended: null })
      expect(await database.transaction(() => markRefunded(core, id, `T${id}`))).toBe(true)
      expect(await database.transaction(() => markRefunded(core, id, `T${id}`))).toBe(false)
      expect(await findOrder(core, id)).toMatchObject({ payment: 'returned', transaction_id: `T${id}` })
    })

    it('does not refund an unpaid order, nor pay a refunded one', async () => {
      const unpaid = await add()
      expect(await database.transaction(() => markRefunded(core, unpaid, 'T1'))).toBe(false)
      const refunded = await addPaid()
      await database.transaction(() => markRefunded(core, refunded, `T${refunded}`))
      expect(await database.transaction(() => markPaid(core, refunded, 'T9', noon))).toBe(false)
    })

    it('expires an unpaid order once, and revives it with a late payment', async () => {
      const id = await add()
      expect(await markExpired(core, id)).toBe(true)
      expect(await markExpired(core, id)).toBe(false)
      expect(await findOrder(core, id)).toMatchObject({ payment: 'unpaid', ended: 'expired' })
      expect(await database.transaction(() => markPaid(core, id, 'T1', noon))).toBe(true)
      expect(await findOrder(core, id)).toMatchObject({ payment: 'paid', transaction_id: 'T1' })
      expect((await bookingOf(id)).state).toBe('waiting')
    })

    it('expires no paid or refunded order', async () => {
      const paid = await addPaid()
      const refunded = await addPaid()
      await database.transaction(() => markRefunded(core, refunded, `T${refunded}`))
      expect(await markExpired(core, paid)).toBe(false)
      expect(await markExpired(core, refunded)).toBe(false)
      expect(await markExpired(core, refunded + 100)).toBe(false)
    })

    it('leases no booking of a refunded order', async () => {
      const id = await addPaid()
      await database.transaction(() => markRefunded(core, id, `T${id}`))
      expect((await bookingOf(id)).state).toBe('canceled')
      expect(await leaseDueBooking(core, 'lease', noon + minute, noon + 2 * minute)).toBeUndefined()
    })

    it('keeps the airway bill that was issued before the refund', async () => {
      const { orderId } = await addIssued('231200021879')
      await database.transaction(() => markRefunded(core, orderId, `T${orderId}`))
      expect(await bookingOf(orderId)).toMatchObject({ state: 'issued', awb: '231200021879' })
      expect((await findLabel(core, '231200021879'))?.pdf).toBeInstanceOf(Uint8Array)
    })

    it('never replaces an airway bill', async () => {
      await addPaid()
      const leased = await leaseDueBooking(core, 'lease-1', noon, noon + minute)
      if (!leased) throw new Error('nothing to lease')
      await setAwb(core, leased.id, 'lease-1', '231200021879')
      expect(await setAwb(core, leased.id, 'lease-1', '231200021880')).toBeUndefined()
      expect(await findBookingByAwb(core, '231200021879')).toBeDefined()
    })

    it('does not count a lease with only a look-up as a try', async () => {
      const { id: bookingId } = await bookingOf(await addPaid())
      await leaseDueBooking(core, 'lease-1', noon, noon + minute)
      await endLease(core, bookingId, 'lease-1', noon + 500, { isTry: false })
      expect(await leaseDueBooking(core, 'lease-2', noon + 500, noon + minute)).toMatchObject({ tries: 1 })
    })

    it('accepts no number and no release under a lost lease', async () => {
      const id = await addPaid()
      const { id: bookingId } = await bookingOf(id)
      await leaseDueBooking(core, 'lease-1', noon, noon + minute)
      await leaseDueBooking(core, 'lease-2', noon + minute, noon + 2 * minute)
      expect(await setAwb(core, bookingId, 'lease-1', '231200021879')).toBeUndefined()
      await endLease(core, bookingId, 'lease-1', noon)
      expect(await bookingOf(id)).toMatchObject({
        lease: 'lease-2',
        leased_until: noon + 2 * minute,
        awb: null,
      })
    })

    it('has one label file of several that are stored at once', async () => {
      await addPaid()
      const leased = await leaseDueBooking(core, 'lease-1', noon, noon + minute)
      if (!leased) throw new Error('nothing to lease')
      await setAwb(core, leased.id, 'lease-1', '231200021879')
      const files = [1, 2, 3].map((byte) => new Uint8Array([byte]))
      const stored = await Promise.all(files.map((file) => recordLabel(core, leased.id, file)))
      expect(stored.filter(Boolean)).toHaveLength(1)
      const label = await findLabel(core, '231200021879')
      expect([...(label?.pdf ?? [])]).toEqual([stored.indexOf(true) + 1])
    })
  })

  describe('a receiver', () => {
    const named = { receiver_name: 'Sami', receiver_phone: '+966500000001', second_phone: null }
    const receiverIn = async (orderId: number) => {
      const { receiver, receiver_name, receiver_phone, second_phone } = await bookingOf(orderId)
      return { receiver, receiver_name, receiver_phone, second_phone }
    }
    const addNamed = (change: Partial<NewOrder> = {}, legCount = 1) =>
      storeOrder(
        core,
        order(change),
        legs(legCount).map((leg) => ({ ...leg, ...named })),
      )

    it('is stored with the order, changed part by part, and printed in place of the owner', async () => {
      const id = await addNamed()
      expect(await database.transaction(() => setReceiver(core, id, { second_phone: '+966500000002' }))).toBe(
        1,
      )
      await database.transaction(() => markPaid(core, id, `T${id}`, noon))
      const leased = await leaseDueBooking(core, 'lease', noon, noon + minute)
      expect(await countCreation(core, leased?.id ?? 0, 'lease', noon, 'Owner')).toEqual({
        name: 'Sami',
        phone: '+966500000001',
        secondPhone: '+966500000002',
      })
      expect((await setAwb(core, leased?.id ?? 0, 'lease', '1'))?.receiver_phone).toBe('+966500000001')
    })

    it('is not changed in a booking for whose shipment the partner was asked', async () => {
      const id = await addNamed({ type: 'TO_AND_FROM_MINA' }, 2)
      await database.transaction(() => markPaid(core, id, `T${id}`, noon))
      const leased = await leaseDueBooking(core, 'lease', noon, noon + minute)
      await countCreation(core, leased?.id ?? 0, 'lease', noon + 1, 'Owner')
      expect(await database.transaction(() => setReceiver(core, id, { receiver_name: 'Late' }))).toBe(1)
      await undoCreation(core, leased?.id ?? 0, 'lease')
      expect(await database.transaction(() => setReceiver(core, id, { receiver_name: 'In time' }))).toBe(2)
    })

    it('is changed by staff after printing, whose name stays, until the bag is at its branch', async () => {
      const id = await addNamed({ type: 'TO_AND_FROM_MINA' }, 2)
      const bags = await findBookings(core, [id])
      const change = (receiver_name: string) =>
        database.transaction(() => setPrintedReceiver(core, id, { receiver_name }))
      await database.tables.updateTable('bookings').set({ uncertain_until: 1, receiver: 'Sami' }).execute()
      expect(await change('Huda')).toBe(2)
      expect(await receiverIn(id)).toMatchObject({ receiver_name: 'Huda', receiver: 'Sami' })
      await database.transaction(() => markPaid(core, id, `T${id}`, noon))
      for (const kinds of [['in-transit', 'at-branch'], ['collected']] as const) {
        await storeEvents(database, bags[1]?.id ?? 0, kinds, noon + kinds.length)
        expect(await change('Late')).toBe(1)
      }
    })

    it.each([
      { payment: 'unpaid', ended: 'expired', ended_at: noon },
      { payment: 'unpaid', ended: 'cancelled', ended_at: noon },
      { payment: 'paid', ended: 'cancelled', ended_at: noon, handed_over: 'void' },
      { payment: 'returned', handed_over: 'void' },
    ] as const)('is not named for an order that is %j', async (state) => {
      const id = await addNamed()
      await database.tables.updateTable('orders').set(state).where('id', '=', id).execute()
      expect(await database.transaction(() => setReceiver(core, id, { receiver_name: 'Late' }))).toBe(0)
      expect(await receiverIn(id)).toMatchObject(named)
    })

    it('is not changed, and not the name on an airway bill, where the partner may have it from before', async () => {
      const id = await addNamed()
      await database.transaction(() => markPaid(core, id, `T${id}`, noon))
      const leased = await leaseDueBooking(core, 'lease', noon, noon + minute)
      await markUncertain(core, leased?.id ?? 0, 'lease', minute)
      expect(await database.transaction(() => setReceiver(core, id, { receiver_name: 'Late' }))).toBe(0)
      expect(await setAwb(core, leased?.id ?? 0, 'lease', '1')).toMatchObject({
        receiver: null,
        receiver_phone: '+966500000001',
      })
    })

    it('is printed as it stands, or changed no more, when both happen at once', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const id = await addNamed()
        await database.transaction(() => markPaid(core, id, `T${id}`, noon))
        const lease = `lease-${round}`
        const leased = await leaseDueBooking(core, lease, noon, noon + minute)
        const [consignee, changed] = await Promise.all([
          countCreation(core, leased?.id ?? 0, lease, noon + minute, 'Owner'),
          database.transaction(() => setReceiver(core, id, { receiver_name: 'Huda', receiver_phone: null })),
        ])
        const printed = changed === 1 ? ['Huda', null] : ['Sami', '+966500000001']
        expect([consignee?.name, consignee?.phone]).toEqual(printed)
        const kept = await receiverIn(id)
        expect([kept.receiver, kept.receiver_name, kept.receiver_phone]).toEqual([printed[0], ...printed])
      }
    })

    it('is deleted with the name on the airway bill once the order is old, and the owner’s name stays', async () => {
      const old = await addNamed({ createdAt: noon })
      const own = await add({ createdAt: noon })
      const young = await addNamed({ createdAt: noon + minute })
      for (const id of [old, own, young]) {
        await database.transaction(() => markPaid(core, id, `T${id}`, noon))
        const leased = await leaseDueBooking(core, `lease-${id}`, noon, noon + minute)
        await countCreation(core, leased?.id ?? 0, `lease-${id}`, noon, 'Owner')
      }
      const nothing = { receiver: null, receiver_name: null, receiver_phone: null, second_phone: null }
      expect(await deleteReceivers(core, noon + 1, 1)).toMatchObject({ rows: 1, more: true })
      expect(await deleteReceivers(core, noon + 1, 1)).toMatchObject({ rows: 0, more: false })
      expect(await receiverIn(old)).toEqual(nothing)
      expect(await receiverIn(own)).toEqual({ ...nothing, receiver: 'Owner' })
      expect(await receiverIn(young)).toEqual({ ...named, receiver: 'Sami' })
      await database.transaction(() => eraseOrdersOfUser(core, userId))
      expect(await receiverIn(young)).toEqual(nothing)
    })
  })

  describe('creations', () => {
    const later = noon + 90 * 1_000

    const ownerNamed = (name: string) => ({ name, phone: null, secondPhone: null })

    async function leasePaid(lease = 'lease-1') {
      const orderId = await addPaid()
      const leased = await leaseDueBooking(core, lease, noon, noon + minute)
      if (!leased) throw new Error('nothing to lease')
      return { orderId, id: leased.id }
    }

    /** A booking whose two creations are used up, stopped at `noon + 7`. */
    async function addStopped() {
      const booking = await leasePaid('lease-stop')
      for (const name of ['علي', 'Omar']) await countCreation(core, booking.id, 'lease-stop', later, name)
      await markEscalated(core, booking.id, 'lease-stop', noon + 7)
      return booking
    }

    it('are counted before the partner is asked, two at most, all under the name of the first', async () => {
      const { orderId, id } = await leasePaid()
      expect(await countCreation(core, id, 'lease-1', later, 'علي')).toEqual(ownerNamed('علي'))
      expect(await bookingOf(orderId)).toMatchObject({
        creations: 1,
        uncertain_until: later,
        receiver: 'علي',
      })
      expect(await countCreation(core, id, 'lease-1', later + 1, 'Omar')).toEqual(ownerNamed('علي'))
      expect(await countCreation(core, id, 'lease-1', later + 2, 'Omar')).toBeUndefined()
      expect(await bookingOf(orderId)).toMatchObject({
        creations: 2,
        uncertain_until: later + 1,
        receiver: 'علي',
      })
    })

    it('are not begun once the order was refunded', async () => {
      const { orderId, id } = await leasePaid()
      await database.transaction(() => markRefunded(core, orderId, `T${orderId}`))
      expect(await countCreation(core, id, 'lease-1', later, 'N')).toBeUndefined()
      expect(await bookingOf(orderId)).toMatchObject({ creations: 0, receiver: null, uncertain_until: 0 })
    })

    it('are not begun under a lease that has run out, also while no one else has it', async () => {
      const orderId = await addPaid()
      const leased = await leaseDueBooking(core, 'lease-1', noon, noon)
      expect(await countCreation(core, leased?.id ?? 0, 'lease-1', later, 'N')).toBeUndefined()
      expect((await bookingOf(orderId)).creations).toBe(0)
    })

    it('are not begun, undone, marked uncertain or stopped under a lost lease', async () => {
      const { orderId, id } = await leasePaid()
      await countCreation(core, id, 'lease-1', later, 'N')
      const before = await bookingOf(orderId)
      expect(await countCreation(core, id, 'theirs', later + 1, 'M')).toBeUndefined()
      await undoCreation(core, id, 'theirs', noon)
      await markUncertain(core, id, 'theirs', minute)
      expect(await markEscalated(core, id, 'theirs', noon)).toBeUndefined()
      expect(await bookingOf(orderId)).toEqual(before)
    })

    it('that made nothing leave neither a count nor a name', async () => {
      const { orderId, id } = await leasePaid()
      await countCreation(core, id, 'lease-1', later, 'N')
      await undoCreation(core, id, 'lease-1', noon + 5)
      expect(await bookingOf(orderId)).toMatchObject({ creations: 0, uncertain_until: 0, receiver: null })
      expect(await countCreation(core, id, 'lease-1', later, 'M')).toEqual(ownerNamed('M'))
    })

    it('keep when the first one was requested, unless it made nothing', async () => {
      const { orderId, id } = await leasePaid()
      expect((await bookingOf(orderId)).requested_at).toBeNull()
      await countCreation(core, id, 'lease-1', later, 'N')
      const first = (await bookingOf(orderId)).requested_at
      expect(first).toBeGreaterThan(0)
      await countCreation(core, id, 'lease-1', later + 1, 'N')
      await undoCreation(core, id, 'lease-1', noon + 5)
      expect((await bookingOf(orderId)).requested_at).toBe(first)
      await undoCreation(core, id, 'lease-1', noon + 5)
      expect((await bookingOf(orderId)).requested_at).toBeNull()
    })

    it('that made nothing leave an earlier one to be looked up', async () => {
      const { orderId, id } = await leasePaid()
      await countCreation(core, id, 'lease-1', later, 'N')
      await countCreation(core, id, 'lease-1', later + 1, 'N')
      await undoCreation(core, id, 'lease-1', noon + 5)
      expect(await bookingOf(orderId)).toMatchObject({
        creations: 1,
        uncertain_until: noon + 5,
        receiver: 'N',
      })
    })

    it('of one booking are begun once by twenty concurrent calls at the limit', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { id } = await leasePaid(`lease-${round}`)
        await countCreation(core, id, `lease-${round}`, later, 'N')
        const begun = await atOnce(20, () => countCreation(core, id, `lease-${round}`, later, 'N'))
        expect(begun.filter((consignee) => consignee !== undefined)).toHaveLength(1)
      }
    })

    it('stop once, are counted while stopped, and are still leased', async () => {
      const { orderId, id } = await addStopped()
      expect(await markEscalated(core, id, 'lease-stop', noon + 8)).toBeUndefined()
      expect(await countStopped(core)).toBe(1)
      expect(await bookingOf(orderId)).toMatchObject({ stopped_at: noon + 7, state: 'waiting' })
      await endLease(core, id, 'lease-stop', noon, { isTry: false })
      expect(await leaseDueBooking(core, 'look', noon, noon + minute)).toMatchObject({ id })
      await setAwb(core, id, 'look', '231200021879')
      expect(await countStopped(core)).toBe(0)
      clock.advance(9)
      await recordLabel(core, id, new Uint8Array([1]))
      expect(await bookingOf(orderId)).toMatchObject({ stopped_at: null, issued_at: noon + 9 })
    })

    it('do not stop a refunded booking', async () => {
      const { orderId } = await addStopped()
      await database.transaction(() => markRefunded(core, orderId, `T${orderId}`))
      expect(await countStopped(core)).toBe(0)
      expect(await database.transaction(() => permitCreation(core, orderId, { by: operator }))).toEqual([])
    })

    it('are permitted once more for a stopped booking, however often that is called', async () => {
      const { orderId, id } = await addStopped()
      const { reference } = await bookingOf(orderId)
      const references = await atOnce(5, () =>
        database.transaction(() => permitCreation(core, orderId, { by: operator })),
      )
      expect(references.flat()).toEqual([reference])
      expect(await countStopped(core)).toBe(0)
      const leased = await leaseDueBooking(core, 'next', noon + 9, noon + minute)
      expect(leased).toMatchObject({ id, creations: 2, creations_allowed: 3 })
      expect(await countCreation(core, id, 'next', later, 'N')).toEqual(ownerNamed('علي'))
      expect(await countCreation(core, id, 'next', later, 'N')).toBeUndefined()
      expect(await markEscalated(core, id, 'next', noon + 9)).toBe(3)
      const permitted = (await eventsOf(orderId)).filter(({ kind }) => kind === 'label-permitted')
      expect(permitted).toMatchObject([{ by: operator, bookingId: id }])
    })

    it('are permitted only to a stopped booking', async () => {
      const { orderId, id } = await leasePaid()
      await countCreation(core, id, 'lease-1', later, 'N')
      expect(await database.transaction(() => permitCreation(core, orderId, { by: operator }))).toEqual([])
      expect(await bookingOf(orderId)).toMatchObject({ creations_allowed: 2, lease: 'lease-1' })
    })

    it('keep why the last one failed, which is new where the reason has changed', async () => {
      const orderId = await addPaid()
      const { id } = await bookingOf(orderId)
      await leaseDueBooking(core, 'lease', noon, noon + minute)
      const news: boolean[] = []
      for (const reason of ['answered 500', 'answered 500', 'GET /awb'])
        news.push(await setLastError(core, id, 'lease', reason))
      expect(news).toEqual([true, false, true])
      expect(await setLastError(core, id, 'theirs', 'answered 500')).toBe(false)
      expect((await bookingOf(orderId)).last_error).toBe('GET /awb')
      await setAwb(core, id, 'lease', '2312')
      expect((await bookingOf(orderId)).last_error).toBeNull()
    })

    it('that need an operator are listed, with overdue ones', async () => {
      const stopped = await addStopped()
      const slow = await addPaid({}, noon - 20 * minute)
      await addPaid()
      await add()
      const { id } = await bookingOf(slow)
      await leaseDueBooking(core, 'slow', noon, noon + minute)
      await setLastError(core, id, 'slow', 'the shipping partner answered 500')
      await endLease(core, id, 'slow', noon)
      const rows = await listOverdueBookings(core, noon - 15 * minute, 10)
      expect(rows).toEqual([
        {
          order_id: slow,
          reference: expect.stringMatching(/^AM-/),
          state: 'waiting',
          awb: null,
          paid_at: noon - 20 * minute,
          stopped_at: null,
          creations: 0,
          last_error: 'the shipping partner answered 500',
        },
        expect.objectContaining({ order_id: stopped.orderId, stopped_at: noon + 7, creations: 2 }),
      ])
      expect(await listOverdueBookings(core, noon - 15 * minute, 1)).toHaveLength(1)
    })
  })

  describe('a deleted user', () => {
    it('awaits nothing without an order, or with an unpaid one', async () => {
      expect(await awaitsAwb(core, userId)).toBe(false)
      await add()
      expect(await awaitsAwb(core, userId)).toBe(false)
    })

    it('awaits an airway bill until its file is stored', async () => {
      await addPaid()
      expect(await awaitsAwb(core, userId)).toBe(true)
      const leased = await leaseDueBooking(core, 'lease', noon, noon + minute)
      await setAwb(core, leased?.id ?? 0, 'lease', '290000000001')
      expect(await awaitsAwb(core, userId)).toBe(true)
      expect(await awaitsAwb(core, otherUserId)).toBe(false)
      await recordLabel(core, leased?.id ?? 0, pdf)
      expect(await awaitsAwb(core, userId)).toBe(false)
    })

    it('has unused orders: paid ones with a bag that was not handed over', async () => {
      await add()
      const [unused, used, refunded] = [await addPaid(), await addPaid(), await addPaid()] as const
      await database.transaction(() => markRefunded(core, refunded, `T${refunded}`))
      const { id } = await bookingOf(used)
      await storeEvents(database, id, ['collected'])
      const both = await add({}, 2)
      await database.transaction(() => markPaid(core, both, `T${both}`, noon))
      const [first] = await findBookings(core, [both])
      await storeEvents(database, first?.id ?? 0, ['collected'])
      expect((await listOrdersToHandOver(core, userId)).map((order) => order.id)).toEqual([unused, both])
      expect(await listOrdersToHandOver(core, otherUserId)).toEqual([])
    })

    it('has no unpaid order left, and other users keep theirs', async () => {
      const waiting = await add()
      const paid = await addPaid()
      const theirs = await add({ userId: otherUserId })
      await database.transaction(() => eraseOrdersOfUser(core, userId))
      const rows = await Promise.all([waiting, paid, theirs].map((id) => findOrder(core, id)))
      expect(rows).toMatchObject([
        { payment: 'unpaid', ended: 'expired', ended_at: expect.any(Number) },
        { payment: 'paid', ended: null },
        { payment: 'unpaid', ended: null },
      ])
      expect(await expiredOf(waiting, paid, theirs)).toEqual([waiting])
    })

    it('has no printed name left', async () => {
      const names: (string | null)[] = []
      for (const owner of [userId, otherUserId]) {
        const id = await addPaid({ userId: owner })
        const leased = await leaseDueBooking(core, `lease-${owner}`, noon, noon + minute)
        await countCreation(core, leased?.id ?? 0, `lease-${owner}`, noon, 'N')
        names.push((await bookingOf(id)).receiver)
      }
      expect(names).toEqual(['N', 'N'])
      await database.transaction(() => eraseOrdersOfUser(core, userId))
      const left = await Promise.all(
        [userId, otherUserId].map(async (owner) => {
          const [order] = await listOrdersOfUser(core, owner, { limit: 1 })
          return (await bookingOf(order?.id ?? 0)).receiver
        }),
      )
      expect(left).toEqual([null, 'N'])
    })

    it('has no labels and keys left, and keeps the orders', async () => {
      const { orderId, bookingId } = await addIssued('290000000001')
      await insertKey(core, userId, { key: 'key-1', bodyHash: 'hash' }, orderId, noon)
      const theirOrder = await addPaid({ userId: otherUserId })
      const their = await leaseDueBooking(core, 'lease', noon, noon + minute)
      await setAwb(core, their?.id ?? 0, 'lease', '290000000002')
      await recordLabel(core, their?.id ?? 0, pdf)
      const later = await addPaid()
      const latest = await leaseDueBooking(core, 'lease', noon, noon + minute)
      await setAwb(core, latest?.id ?? 0, 'lease', '290000000003')
      await recordLabel(core, latest?.id ?? 0, pdf)
      await insertKey(core, otherUserId, { key: 'key-1', bodyHash: 'hash' }, theirOrder, noon)
      const ids = [bookingId, their?.id ?? 0, latest?.id ?? 0]
      expect(await findLabelled(core, ids)).toEqual(new Set(ids))
      expect(await findLabel(core, '290000000003')).toMatchObject({ id: later, pdf: expect.anything() })

      await database.transaction(() => eraseOrdersOfUser(core, userId))
      expect(await findLabelled(core, ids)).toEqual(new Set([their?.id ?? 0]))
      expect(await findKey(core, userId, 'key-1')).toBeUndefined()
      expect(await findKey(core, otherUserId, 'key-1')).toEqual({ orderId: theirOrder, bodyHash: 'hash' })
      expect(await findOrder(core, orderId)).toMatchObject({ payment: 'paid', amount_halalas: 5_000 })
      expect(await bookingOf(orderId)).toMatchObject({ state: 'issued', awb: '290000000001' })
    })
  })

  describe('the limit of unpaid orders', () => {
    it('counts the unpaid orders of one user only', async () => {
      const below = () =>
        database.transaction(() => insertOrder(core, { limit: 2, droppedSince: noon }, order(), legs()))
      await add({ userId: otherUserId })
      await addPaid()
      await markExpired(core, await add())
      const first = await below()
      expect(await below()).toEqual(expect.any(Number))
      const count = (await listOrdersOfUser(core, userId, { limit: 100 })).length
      expect(await below()).toBeUndefined()
      expect(await listOrdersOfUser(core, userId, { limit: 100 })).toHaveLength(count)
      await database.transaction(() => markPaid(core, first ?? 0, 'T', noon))
      expect(await below()).toEqual(expect.any(Number))
    })

    it('is not exceeded by twenty concurrent calls', async () => {
      const added = await atOnce(20, () =>
        database.transaction(async () => {
          await lockCreations(core, userId)
          return insertOrder(core, { limit: 3, droppedSince: noon }, order(), legs())
        }),
      )
      expect(added.filter((id) => id !== undefined)).toHaveLength(3)
      expect(await listOrdersOfUser(core, userId, { limit: 100 })).toHaveLength(3)
    })
  })

  describe('concurrency', () => {
    it('leaves an order paid when it is paid and expired at once', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const id = await add()
        await atOnce(20, (index) =>
          index % 2 === 0
            ? markExpired(core, id)
            : database.transaction(() => markPaid(core, id, `T${index}`, noon)),
        )
        expect(await findOrder(core, id)).toMatchObject({ payment: 'paid', ended: null })
        expect((await bookingOf(id)).state).toBe('waiting')
      }
    })
  })

  describe('a refund of an order that is paid', () => {
    async function addRefund(orderId: number, amount_halalas: number): Promise<number> {
      const attempt = await database.tables
        .insertInto('payment_attempts')
        .values({
          order_id: orderId,
          reference: `R-${orderId}-${amount_halalas}`,
          amount_halalas: 5_000,
          currency: 'SAR',
          state: 'succeeded',
          created_at: noon,
          secret_until: noon,
          inquired_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const refund = await database.tables
        .insertInto('refunds')
        .values({
          transaction_id: `T${orderId}`,
          attempt_id: attempt.id,
          amount_halalas,
          currency: 'SAR',
          reason: 'operator',
          state: 'done',
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return refund.id
    }
    const stop = (id: number) => database.transaction(() => stopCarriage(core, id, noon))
    const resume = (id: number) => database.transaction(() => resumeCarriage(core, id))
    const carriageOf = async (id: number) => (await bookingOf(id)).carriage

    it('makes its bags void once all of its money goes back, until it is written off', async () => {
      const id = await addPaid()
      await addRefund(id, 2_000)
      await stop(id)
      expect([await isMoneyGoingBack(core, id), await carriageOf(id)]).toEqual([false, 'awaiting-label'])
      const refund = await addRefund(id, 3_000)
      await stop(id)
      expect([await isMoneyGoingBack(core, id), await carriageOf(id)]).toEqual([true, 'void'])
      // Nothing was written off.
      await resume(id)
      expect(await carriageOf(id)).toBe('void')
      await database.tables
        .updateTable('refunds')
        .set({ written_off_at: noon })
        .where('id', '=', refund)
        .execute()
      await resume(id)
      expect([await isMoneyGoingBack(core, id), await carriageOf(id)]).toEqual([false, 'awaiting-label'])
      expect(await bookingOf(id)).toMatchObject({ state: 'waiting', due_at: expect.any(Number) })
    })

    it('that is written off leaves the bags of a cancelled order void', async () => {
      const id = await addPaid()
      await database.transaction(async () => {
        await markCancelled(core, id, userId, 0, noon)
        await makeVoid(core, id, noon)
      })
      await resume(id)
      expect(await carriageOf(id)).toBe('void')
      expect(await isMoneyGoingBack(core, id + 100)).toBe(false)
    })
  })

  it('has one status of an order, in SQL as in code', async () => {
    const id = await add()
    const orders = database.tables.updateTable('orders').where('id', '=', id)
    for (const payment of orderPayments)
      for (const ended of [null, ...orderEnds]) {
        await orders.set({ payment, ended, ended_at: ended && noon }).execute()
        const { rows } = await sql<{
          status: string
        }>`SELECT ${sql.raw(statusExpression)} AS status FROM orders
          WHERE id = ${id}`.execute(database.tables)
        // A payment ends the expiry of an order.
        if (payment === 'unpaid' || ended !== 'expired')
          expect(rows, `${payment} ${ended}`).toEqual([{ status: statusOf({ payment, ended }) }])
      }
  })

  describe('clock', () => {
    it('expires the unpaid orders created before a time, and returns how many', async () => {
      const old = await add({ createdAt: noon - 2 })
      const paid = await addPaid({ createdAt: noon - 2 })
      const young = await add({ createdAt: noon })
      expect(await expireOlderThan(core, 0, 10)).toBe(1)
      expect(await expireOlderThan(core, 0, 10)).toBe(0)
      const rows = await Promise.all([old, paid, young].map((id) => findOrder(core, id)))
      expect(rows).toMatchObject([
        { payment: 'unpaid', ended: 'expired' },
        { payment: 'paid', ended: null },
        { payment: 'unpaid', ended: null },
      ])
      expect(await markExpired(core, young)).toBe(true)
      expect(await markExpired(core, young)).toBe(false)
      // One event an order, whichever way it expired.
      expect(await expiredOf(old, paid, young)).toEqual([old, young])
    })

    if (engine === 'postgres')
      it('expires no more than the limit, whatever join is planned', async () => {
        for (const age of [5, 4, 3, 2]) await add({ createdAt: noon - age })
        const expired = await database.transaction(async () => {
          for (const join of ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material', 'memoize'])
            await sql`SET LOCAL ${sql.raw(`enable_${join}`)} = off`.execute(database.tables)
          return expireCreatedBefore(core, noon, 3)
        })
        expect(expired).toBe(3)
      })

    it('knows how many bookings wait for an airway bill, and when the oldest was paid', async () => {
      const oldest = await addPaid({}, noon + 1)
      await addPaid({}, noon + 2)
      await add()
      expect(await readUnissued(core)).toEqual({ count: 2, oldest: noon + 1 })
      await database.transaction(() => markRefunded(core, oldest, `T${oldest}`))
      expect(await readUnissued(core)).toEqual({ count: 1, oldest: noon + 2 })
    })

    it('counts orders that wait for their payment', async () => {
      await add()
      await add()
      await addPaid()
      expect(await countUnpaidOrders(core)).toBe(2)
    })

    it('knows how many bookings wait for their label, and when the oldest was paid', async () => {
      const orderId = await addPaid({}, noon + 1)
      const leased = await leaseDueBooking(core, 'lease', noon + 1, noon + minute)
      expect(await readUnlabelled(core)).toEqual({ count: 0, oldest: null })
      await setAwb(core, leased?.id ?? 0, 'lease', '231200021879')
      expect(await readUnlabelled(core)).toEqual({ count: 1, oldest: noon + 1 })
      await database.transaction(() => markRefunded(core, orderId, `T${orderId}`))
      expect(await readUnlabelled(core)).toEqual({ count: 0, oldest: null })
    })
  })

  describe('transactions', () => {
    it('rolls an order back with the surrounding transaction', async () => {
      const change = database.transaction(async () => {
        const id = await insertOrder(core, { limit: 1, droppedSince: 0 }, order(), legs())
        expect(await findOrder(core, id ?? 0)).toBeDefined()
        throw new Error('changed my mind')
      })
      await expect(change).rejects.toThrow('changed my mind')
      expect(await listOrdersOfUser(core, userId, { limit: 5 })).toEqual([])
    })
  })

  describe('retention', () => {
    it('lists expired orders by age, from the given one on', async () => {
      const addExpired = async (createdAt: number) => {
        const id = await add({ createdAt })
        await markExpired(core, id)
        return id
      }
      const [second, first, twin] = [
        await addExpired(noon - 2),
        await addExpired(noon - 3),
        await addExpired(noon - 2),
      ]
      await addExpired(noon)
      await addPaid({ createdAt: noon - 4 })
      await add({ createdAt: noon - 4 })
      const start = { createdAt: 0, id: 0 }
      const page = await listNeverPaid(core, noon, start, 2)
      expect(page.map(({ id }) => id)).toEqual([first, second])
      expect(await listNeverPaid(core, noon, page[1] ?? start, 2)).toEqual([
        { id: twin, createdAt: noon - 2 },
      ])
    })

    it('deletes expired orders with their bookings and keys, and no other', async () => {
      const expired = await add({}, 2)
      await markExpired(core, expired)
      await insertKey(core, userId, { key: 'key-1', bodyHash: 'hash' }, expired, noon)
      const unpaid = await add()
      const paid = await addPaid()
      const revived = await add()
      await markExpired(core, revived)
      await database.transaction(() => markPaid(core, revived, 'T-late', noon))
      const ids = [expired, unpaid, paid, revived]
      expect(await database.transaction(() => deleteNeverPaid(core, ids))).toBe(1)
      expect(await findOrder(core, expired)).toBeUndefined()
      expect(await findBookings(core, [expired])).toEqual([])
      expect(await findKey(core, userId, 'key-1')).toBeUndefined()
      for (const id of [unpaid, paid, revived]) {
        expect(await findOrder(core, id)).toBeDefined()
        expect(await findBookings(core, [id])).toHaveLength(1)
      }
      expect(await database.transaction(() => deleteNeverPaid(core, []))).toBe(0)
    })
  })
})
