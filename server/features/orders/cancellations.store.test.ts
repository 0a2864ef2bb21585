import { beforeEach, describe, expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { TimedCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { handOverCounts } from '#shared/orders/travel.rules.ts'
import { manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { newLeg, newOrder, storeEvents, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { countOrdersOfAgent, listOrdersOfAgent } from './agent-list.queries.ts'
import {
  awaitsAwb,
  countCreation,
  endLease,
  findBookings,
  leaseDueBooking,
  markEscalated,
  setAwb,
} from './bookings.queries.ts'
import {
  bindLatePayment,
  endBooking,
  endCreations,
  isMoneyGoingBack,
  markCancelled,
  resumeCreations,
  sumCompensated,
} from './cancellation.queries.ts'
import { findLabelled, recordLabel } from './labels.queries.ts'
import { type CreationLimit, insertOrder } from './order-creation.queries.ts'
import {
  deleteNeverPaid,
  findOrder,
  listNeverPaid,
  markExpired,
  markPaid,
  markRefunded,
} from './orders.queries.ts'
import { makeVoid } from './travel.queries.ts'

/** Contract of cancelling in the orders store. */
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

  function add(legCount = 1, createdAt = noon): Promise<number> {
    const bookings = Array.from({ length: legCount }, (_, leg) => {
      references += 1
      return newLeg(`AM-${references}`, leg)
    })
    const type = legCount === 1 ? 'FROM_MINA' : 'TO_AND_FROM_MINA'
    return storeOrder(core, newOrder(userId, { type, amountHalalas: 5_000 * legCount, createdAt }), bookings)
  }

  async function addPaid(legCount = 1): Promise<number> {
    const id = await add(legCount)
    await database.transaction(() => markPaid(core, id, `T${id}`, noon))
    return id
  }

  const cancel = (id: number, { user = userId, since = 0 as number | null } = {}) =>
    database.transaction(async () => {
      const won = await markCancelled(core, id, user, since, noon + minute)
      if (won) {
        await endCreations(core, id)
        if (won.transactionId !== null) await makeVoid(core, id, noon + minute)
      }
      return won
    })

  async function bookingOf(orderId: number) {
    const [booking] = await findBookings(core, [orderId])
    if (!booking) throw new Error(`order ${orderId} has no booking`)
    return booking
  }

  it('adds up no compensation where there is no claim', async () => {
    expect(await sumCompensated(core, [await addPaid()])).toEqual(new Map())
    expect(await sumCompensated(core, [])).toEqual(new Map())
  })

  describe('cancelling', () => {
    it('names the transaction of a paid order, and cancels it once', async () => {
      const id = await addPaid()
      expect(await cancel(id)).toEqual({ transactionId: `T${id}` })
      expect(await findOrder(core, id)).toMatchObject({
        payment: 'paid',
        ended: 'cancelled',
        ended_at: noon + minute,
        transaction_id: `T${id}`,
        paid_at: noon,
        handed_over: 'void',
      })
      expect(await cancel(id)).toBeUndefined()
    })

    it('ends the work on its label, also where a worker fails just then', async () => {
      const id = await addPaid()
      const booking = await bookingOf(id)
      await leaseDueBooking(core, 'a worker', noon, noon + minute)
      await setAwb(core, booking.id, 'a worker', '290000000001')
      await cancel(id)
      await endLease(core, booking.id, 'a worker', noon)
      expect(await bookingOf(id)).toMatchObject({ state: 'canceled', due_at: null })
      expect(await awaitsAwb(core, userId)).toBe(false)
    })

    it('drops an unpaid order, which no payment then pays and no time expires', async () => {
      const id = await add()
      expect(await cancel(id, { since: null })).toEqual({ transactionId: null })
      expect(await database.transaction(() => markPaid(core, id, 'T1', noon))).toBe(false)
      expect(await markExpired(core, id)).toBe(false)
      expect((await bookingOf(id)).state).toBe('none')
    })

    it('is refused to another user, after the time that the terms give, and where they give none', async () => {
      const id = await addPaid()
      expect(await cancel(id, { user: userId + 1 })).toBeUndefined()
      expect(await cancel(id, { since: noon + 1 })).toBeUndefined()
      expect(await cancel(id, { since: null })).toBeUndefined()
      expect(await findOrder(core, id)).toMatchObject({ payment: 'paid', ended: null, ended_at: null })
    })

    it('is refused for an order that expired or was refunded', async () => {
      const expired = await add()
      await markExpired(core, expired)
      const refunded = await addPaid()
      await database.transaction(() => markRefunded(core, refunded, `T${refunded}`))
      for (const id of [expired, refunded]) expect(await cancel(id)).toBeUndefined()
    })

    it('is refused once one bag of two was handed over', async () => {
      const id = await addPaid(2)
      await storeEvents(database, (await bookingOf(id)).id, ['handed-over'])
      expect(await cancel(id)).toBeUndefined()
      expect(await findOrder(core, id)).toMatchObject({ payment: 'paid', ended: null, handed_over: 'some' })
    })
  })

  describe('a payment of a cancelled order', () => {
    it('is bound to it once, and refunds it when the money is back', async () => {
      const id = await add()
      await cancel(id)
      expect(await bindLatePayment(core, id, 'T1')).toBe(true)
      expect(await bindLatePayment(core, id, 'T2')).toBe(false)
      // Not paid: its agent never sees it.
      expect(await findOrder(core, id)).toMatchObject({
        payment: 'paid',
        ended: 'cancelled',
        transaction_id: 'T1',
        paid_at: null,
      })
      expect(await database.transaction(() => markRefunded(core, id, 'T2'))).toBe(false)
      expect(await isMoneyGoingBack(core, id)).toBe(false)
      expect(await database.transaction(() => markRefunded(core, id, 'T1'))).toBe(true)
      expect(await isMoneyGoingBack(core, id)).toBe(true)
      expect(await findOrder(core, id)).toMatchObject({ payment: 'returned', ended: 'cancelled' })
    })

    it('is not bound to one that was paid before it was cancelled, nor to any other', async () => {
      const paid = await addPaid()
      expect(await bindLatePayment(core, paid, 'T9')).toBe(false)
      await cancel(paid)
      expect(await bindLatePayment(core, paid, 'T9')).toBe(false)
      expect(await bindLatePayment(core, await add(), 'T9')).toBe(false)
    })
  })

  describe('the work on labels', () => {
    it('goes on after a refund that was written off, with one more creation', async () => {
      const id = await addPaid(2)
      const [first, second] = await findBookings(core, [id])
      const leased = await leaseDueBooking(core, 'lease', noon, noon + 2 * minute)
      await countCreation(core, leased?.id ?? 0, 'lease', noon + minute, 'N')
      await setAwb(core, leased?.id ?? 0, 'lease', '231200021879')
      await endCreations(core, id)
      expect((await findBookings(core, [id])).map(({ state }) => state)).toEqual(['canceled', 'canceled'])
      await database.transaction(() => resumeCreations(core, id))
      expect(await findBookings(core, [id])).toMatchObject([
        { id: first?.id, state: 'labelling', creations_allowed: 2, due_at: expect.any(Number) },
        { id: second?.id, state: 'waiting', creations_allowed: 2, due_at: expect.any(Number) },
      ])
      const permitted = (await listEvents({ database }, 'order_id', [id])).filter(
        ({ kind }) => kind === 'label-permitted',
      )
      expect(permitted).toMatchObject([{ by: { kind: 'system' }, bookingId: second?.id }])
    })
  })

  describe('the bookings of a cancelled order', () => {
    async function leasePaid() {
      const orderId = await addPaid()
      const leased = await leaseDueBooking(core, 'lease', noon, noon + 2 * minute)
      if (!leased) throw new Error('nothing to lease')
      return { orderId, id: leased.id }
    }

    it('that the partner was never asked about are ended at once', async () => {
      const { orderId, id } = await leasePaid()
      await cancel(orderId)
      expect((await bookingOf(orderId)).state).toBe('canceled')
      expect(await countCreation(core, id, 'lease', noon + minute, 'N')).toBeUndefined()
      expect(await leaseDueBooking(core, 'later', noon + 9 * minute, noon + 10 * minute)).toBeUndefined()
    })

    it('whose shipment may exist are looked up, and nothing is created for them', async () => {
      const { orderId, id } = await leasePaid()
      await countCreation(core, id, 'lease', noon + minute, 'N')
      await cancel(orderId)
      expect(await bookingOf(orderId)).toMatchObject({ state: 'waiting', creations_allowed: 0 })
      expect(await leaseDueBooking(core, 'next', noon + 3 * minute, noon + 4 * minute)).toMatchObject({ id })
      expect(await countCreation(core, id, 'next', noon + minute, 'N')).toBeUndefined()
      expect(await markEscalated(core, id, 'next', noon)).toBeUndefined()
      expect(await endBooking(core, id, 'lease')).toBe(false)
      expect(await endBooking(core, id, 'next')).toBe(true)
      expect(await bookingOf(orderId)).toMatchObject({ state: 'canceled', lease: null })
    })

    it('keep the airway bill whose creation was under way', async () => {
      const { orderId, id } = await leasePaid()
      await countCreation(core, id, 'lease', noon + minute, 'N')
      await cancel(orderId)
      expect((await setAwb(core, id, 'lease', '231200021879'))?.state).toBe('canceled')
      expect(await bookingOf(orderId)).toMatchObject({ state: 'canceled', awb: '231200021879' })
    })

    it.each(['cancelled', 'refunded'])('await no label once it is %s', async (how) => {
      const { orderId, id } = await leasePaid()
      await setAwb(core, id, 'lease', '231200021879')
      expect(await awaitsAwb(core, userId)).toBe(true)
      if (how === 'cancelled') await cancel(orderId)
      else await database.transaction(() => markRefunded(core, orderId, `T${orderId}`))
      expect(await awaitsAwb(core, userId)).toBe(false)
      expect(await bookingOf(orderId)).toMatchObject({ state: 'canceled', awb: '231200021879' })
      expect(await leaseDueBooking(core, 'later', noon + 9 * minute, noon + 10 * minute)).toBeUndefined()
      // The file that a worker was just fetching.
      expect(await recordLabel(core, id, new Uint8Array([1]))).toBe(false)
      expect(await findLabelled(core, [id])).toEqual(new Set())
    })

    it('are looked up also when the money is back first', async () => {
      const { orderId, id } = await leasePaid()
      await countCreation(core, id, 'lease', noon + minute, 'N')
      await cancel(orderId)
      await database.transaction(() => markRefunded(core, orderId, `T${orderId}`))
      expect(await bookingOf(orderId)).toMatchObject({ state: 'waiting', creations_allowed: 0 })
    })

    it('are not ended by a look-up while their order is paid', async () => {
      const { id } = await leasePaid()
      expect(await endBooking(core, id, 'lease')).toBe(false)
    })
  })

  describe('an order that was dropped', () => {
    it('counts as open until it would have expired', async () => {
      const limit = { limit: 1, droppedSince: noon - minute }
      await cancel(await add())
      expect(await addBelow(limit, noon)).toBeUndefined()
      expect(await addBelow({ ...limit, droppedSince: noon }, noon)).toBeTypeOf('number')
    })

    it('is listed and deleted by age like an expired one, unless it was paid', async () => {
      const [dropped, paid, late, expired] = [
        await add(2),
        await addPaid(),
        await add(),
        await add(),
      ] as const
      for (const id of [dropped, paid, late]) await cancel(id)
      await bindLatePayment(core, late, 'T1')
      await markExpired(core, expired)
      const start = { createdAt: 0, id: 0 }
      const listed = await listNeverPaid(core, noon + 1, start, 10)
      expect(listed.map(({ id }) => id)).toEqual([dropped, expired])
      expect((await listNeverPaid(core, noon + 1, listed[0] ?? start, 10)).map(({ id }) => id)).toEqual([
        expired,
      ])
      expect(await listNeverPaid(core, noon, start, 10)).toEqual([])
      expect(await database.transaction(() => deleteNeverPaid(core, [dropped, paid, late, expired]))).toBe(2)
      for (const id of [dropped, expired]) expect(await findOrder(core, id)).toBeUndefined()
      for (const id of [paid, late]) expect(await findOrder(core, id)).toBeDefined()
    })
  })

  function addBelow(limit: CreationLimit, createdAt: number) {
    return database.transaction(() =>
      insertOrder(core, limit, newOrder(userId, { createdAt }), [newLeg(`AM-below-${createdAt}`)]),
    )
  }

  describe('the agent', () => {
    it('sees a cancelled order that was paid, among the refused, and no other', async () => {
      const paid = await addPaid()
      const late = await add()
      for (const id of [paid, late, await add()]) await cancel(id)
      await bindLatePayment(core, late, 'T1')
      await database.transaction(() => markRefunded(core, late, 'T1'))
      const listed = await listOrdersOfAgent(core, 'A01', {
        parts: handOverCounts,
        order: 'newest',
        limit: 10,
      })
      expect(listed.map(({ id }) => id)).toEqual([paid])
      expect(await countOrdersOfAgent(core, 'A01')).toEqual(new Map([['void', 1]]))
    })
  })
})
