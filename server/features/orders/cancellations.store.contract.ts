import { beforeEach, describe, expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { handOverCounts } from '#shared/orders/travel.rules.ts'
import { minute, contractNoon as noon } from '#test/kit/clock.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { newLeg, newOrder, storeEvents } from '#test/kit/stored-orders.ts'
import { transacting } from '#test/kit/transacting.ts'
import type { CreationLimit } from './order-creation.store.ts'
import { createOrdersStore, type OrdersStore } from './orders.store.ts'

/** Contract of cancelling in the orders store. */
export function cancellationsStoreContract(_engine: Engine, open: OpenDatabase): void {
  let database: Database
  let store: OrdersStore
  let userId: number
  let references = 0

  beforeEach(async () => {
    database = await open()
    store = transacting(database, createOrdersStore(database), [
      'markPaid',
      'markRefunded',
      'addOrderBelow',
      'makeVoid',
    ])
    userId = (await createSessionsStore(database).ensureUser('+966512345678', 'N', noon)).id
    references = 0
  })

  function add(legCount = 1, createdAt = noon): Promise<number> {
    const bookings = Array.from({ length: legCount }, (_, leg) => {
      references += 1
      return newLeg(`AM-${references}`, leg)
    })
    const type = legCount === 1 ? 'FROM_MINA' : 'TO_AND_FROM_MINA'
    return store.addOrder(newOrder(userId, { type, amountHalalas: 5_000 * legCount, createdAt }), bookings)
  }

  async function addPaid(legCount = 1): Promise<number> {
    const id = await add(legCount)
    await store.markPaid(id, `T${id}`, noon)
    return id
  }

  const cancel = (id: number, { user = userId, since = 0 as number | null } = {}) =>
    database.transaction(async () => {
      const won = await store.markCancelled(id, user, since, noon + minute)
      if (won) {
        await store.endCreations(id)
        if (won.transactionId !== null) await store.makeVoid(id, noon + minute)
      }
      return won
    })

  async function bookingOf(orderId: number) {
    const [booking] = await store.findBookings([orderId])
    if (!booking) throw new Error(`order ${orderId} has no booking`)
    return booking
  }

  it('adds up no compensation where there is no claim', async () => {
    expect(await store.sumCompensated([await addPaid()])).toEqual(new Map())
    expect(await store.sumCompensated([])).toEqual(new Map())
  })

  describe('cancelling', () => {
    it('names the transaction of a paid order, and cancels it once', async () => {
      const id = await addPaid()
      expect(await cancel(id)).toEqual({ transactionId: `T${id}` })
      expect(await store.findOrder(id)).toMatchObject({
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
      await store.leaseBooking('a worker', noon, noon + minute)
      await store.setAwb(booking.id, 'a worker', '290000000001')
      await cancel(id)
      await store.releaseBooking(booking.id, 'a worker', noon)
      expect(await bookingOf(id)).toMatchObject({ state: 'canceled', due_at: null })
      expect(await store.findAwaitingAwb(userId)).toBeUndefined()
    })

    it('drops an unpaid order, which no payment then pays and no time expires', async () => {
      const id = await add()
      expect(await cancel(id, { since: null })).toEqual({ transactionId: null })
      expect(await store.markPaid(id, 'T1', noon)).toBe(false)
      expect(await store.markExpired(id)).toBe(false)
      expect((await bookingOf(id)).state).toBe('none')
    })

    it('is refused to another user, after the time that the terms give, and where they give none', async () => {
      const id = await addPaid()
      expect(await cancel(id, { user: userId + 1 })).toBeUndefined()
      expect(await cancel(id, { since: noon + 1 })).toBeUndefined()
      expect(await cancel(id, { since: null })).toBeUndefined()
      expect(await store.findOrder(id)).toMatchObject({ payment: 'paid', ended: null, ended_at: null })
    })

    it('is refused for an order that expired or was refunded', async () => {
      const expired = await add()
      await store.markExpired(expired)
      const refunded = await addPaid()
      await store.markRefunded(refunded, `T${refunded}`, noon)
      for (const id of [expired, refunded]) expect(await cancel(id)).toBeUndefined()
    })

    it('is refused once one bag of two was handed over', async () => {
      const id = await addPaid(2)
      await storeEvents(database, (await bookingOf(id)).id, ['handed-over'])
      expect(await cancel(id)).toBeUndefined()
      expect(await store.findOrder(id)).toMatchObject({ payment: 'paid', ended: null, handed_over: 'some' })
    })
  })

  describe('a payment of a cancelled order', () => {
    it('is bound to it once, and refunds it when the money is back', async () => {
      const id = await add()
      await cancel(id)
      expect(await store.markPaidLate(id, 'T1')).toBe(true)
      expect(await store.markPaidLate(id, 'T2')).toBe(false)
      // Not paid: its agent never sees it.
      expect(await store.findOrder(id)).toMatchObject({
        payment: 'paid',
        ended: 'cancelled',
        transaction_id: 'T1',
        paid_at: null,
      })
      expect(await store.markRefunded(id, 'T2', noon)).toBe(false)
      expect(await store.isMoneyGoingBack(id)).toBe(false)
      expect(await store.markRefunded(id, 'T1', noon)).toBe(true)
      expect(await store.isMoneyGoingBack(id)).toBe(true)
      expect(await store.findOrder(id)).toMatchObject({ payment: 'returned', ended: 'cancelled' })
    })

    it('is not bound to one that was paid before it was cancelled, nor to any other', async () => {
      const paid = await addPaid()
      expect(await store.markPaidLate(paid, 'T9')).toBe(false)
      await cancel(paid)
      expect(await store.markPaidLate(paid, 'T9')).toBe(false)
      expect(await store.markPaidLate(await add(), 'T9')).toBe(false)
    })
  })

  describe('the work on labels', () => {
    it('goes on after a refund that was written off, with one more creation', async () => {
      const id = await addPaid(2)
      const [first, second] = await store.findBookings([id])
      const leased = await store.leaseBooking('lease', noon, noon + 2 * minute)
      await store.beginCreation(leased?.id ?? 0, 'lease', noon + minute, 'N')
      await store.setAwb(leased?.id ?? 0, 'lease', '231200021879')
      await store.endCreations(id)
      expect((await store.findBookings([id])).map(({ state }) => state)).toEqual(['canceled', 'canceled'])
      await database.transaction(() => store.resumeCreations(id))
      expect(await store.findBookings([id])).toMatchObject([
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
      const leased = await store.leaseBooking('lease', noon, noon + 2 * minute)
      if (!leased) throw new Error('nothing to lease')
      return { orderId, id: leased.id }
    }

    it('that the partner was never asked about are ended at once', async () => {
      const { orderId, id } = await leasePaid()
      await cancel(orderId)
      expect((await bookingOf(orderId)).state).toBe('canceled')
      expect(await store.beginCreation(id, 'lease', noon + minute, 'N')).toBeUndefined()
      expect(await store.leaseBooking('later', noon + 9 * minute, noon + 10 * minute)).toBeUndefined()
    })

    it('whose shipment may exist are looked up, and nothing is created for them', async () => {
      const { orderId, id } = await leasePaid()
      await store.beginCreation(id, 'lease', noon + minute, 'N')
      await cancel(orderId)
      expect(await bookingOf(orderId)).toMatchObject({ state: 'waiting', creations_allowed: 0 })
      expect(await store.leaseBooking('next', noon + 3 * minute, noon + 4 * minute)).toMatchObject({ id })
      expect(await store.beginCreation(id, 'next', noon + minute, 'N')).toBeUndefined()
      expect(await store.stopBooking(id, 'next', noon)).toBeUndefined()
      expect(await store.endBooking(id, 'lease')).toBe(false)
      expect(await store.endBooking(id, 'next')).toBe(true)
      expect(await bookingOf(orderId)).toMatchObject({ state: 'canceled', lease: null })
    })

    it('keep the airway bill whose creation was under way', async () => {
      const { orderId, id } = await leasePaid()
      await store.beginCreation(id, 'lease', noon + minute, 'N')
      await cancel(orderId)
      expect((await store.setAwb(id, 'lease', '231200021879'))?.state).toBe('canceled')
      expect(await bookingOf(orderId)).toMatchObject({ state: 'canceled', awb: '231200021879' })
    })

    it.each(['cancelled', 'refunded'])('await no label once it is %s', async (how) => {
      const { orderId, id } = await leasePaid()
      await store.setAwb(id, 'lease', '231200021879')
      expect(await store.findAwaitingAwb(userId)).toBe(orderId)
      if (how === 'cancelled') await cancel(orderId)
      else await store.markRefunded(orderId, `T${orderId}`, noon)
      expect(await store.findAwaitingAwb(userId)).toBeUndefined()
      expect(await bookingOf(orderId)).toMatchObject({ state: 'canceled', awb: '231200021879' })
      expect(await store.leaseBooking('later', noon + 9 * minute, noon + 10 * minute)).toBeUndefined()
      // The file that a worker was just fetching.
      expect(await store.storeLabel(id, new Uint8Array([1]), noon)).toBe(false)
      expect(await store.findLabelled([id])).toEqual(new Set())
    })

    it('are looked up also when the money is back first', async () => {
      const { orderId, id } = await leasePaid()
      await store.beginCreation(id, 'lease', noon + minute, 'N')
      await cancel(orderId)
      await store.markRefunded(orderId, `T${orderId}`, noon + minute)
      expect(await bookingOf(orderId)).toMatchObject({ state: 'waiting', creations_allowed: 0 })
    })

    it('are not ended by a look-up while their order is paid', async () => {
      const { id } = await leasePaid()
      expect(await store.endBooking(id, 'lease')).toBe(false)
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
      await store.markPaidLate(late, 'T1')
      await store.markExpired(expired)
      const start = { createdAt: 0, id: 0 }
      const listed = await store.listNeverPaid(noon + 1, start, 10)
      expect(listed.map(({ id }) => id)).toEqual([dropped, expired])
      expect((await store.listNeverPaid(noon + 1, listed[0] ?? start, 10)).map(({ id }) => id)).toEqual([
        expired,
      ])
      expect(await store.listNeverPaid(noon, start, 10)).toEqual([])
      expect(await database.transaction(() => store.deleteNeverPaid([dropped, paid, late, expired]))).toBe(2)
      for (const id of [dropped, expired]) expect(await store.findOrder(id)).toBeUndefined()
      for (const id of [paid, late]) expect(await store.findOrder(id)).toBeDefined()
    })
  })

  function addBelow(limit: CreationLimit, createdAt: number) {
    return store.addOrderBelow(limit, newOrder(userId, { createdAt }), [newLeg(`AM-below-${createdAt}`)])
  }

  describe('the agent', () => {
    it('sees a cancelled order that was paid, among the refused, and no other', async () => {
      const paid = await addPaid()
      const late = await add()
      for (const id of [paid, late, await add()]) await cancel(id)
      await store.markPaidLate(late, 'T1')
      await store.markRefunded(late, 'T1', noon)
      const listed = await store.listOfAgent('A01', { parts: handOverCounts, order: 'newest', limit: 10 })
      expect(listed.map(({ id }) => id)).toEqual([paid])
      expect(await store.countOfAgent('A01')).toEqual([{ handedOver: 'void', count: 1 }])
    })
  })
}
