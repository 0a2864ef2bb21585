import { beforeEach, describe, expect, it } from 'vitest'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { type OpenDatabase, raceRounds } from '#test/kit/databases.ts'
import { createOrdersStore, type NewBooking, type NewOrder, type OrdersStore } from './orders.store.ts'

const noon = 1_800_000_000_000
const minute = 60_000
const pdf = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0x00, 0xff, 0x0a])
const origin = JSON.stringify({ name: 'وكيل منى', coordinates: null })
const destination = JSON.stringify({
  addressAR: 'حي السويدي',
  coordinates: { latitude: 24.5, longitude: 46.6 },
})

/** Laws of the orders store. */
export function ordersStoreLaws(engine: Engine, open: OpenDatabase): void {
  let database: Database
  let store: OrdersStore
  let userId: number
  let otherUserId: number
  let references = 0

  beforeEach(async () => {
    database = await open()
    store = createOrdersStore(database)
    const sessions = createSessionsStore(database)
    userId = (await sessions.ensureUser('+966512345678', 'N', noon)).id
    otherUserId = (await sessions.ensureUser('+966587654321', 'M', noon)).id
    references = 0
  })

  const order = (change: Partial<NewOrder> = {}): NewOrder => ({
    userId,
    type: 'FROM_MINA',
    amountHalalas: 5_000,
    currency: 'SAR',
    agentCode: 'A01',
    centerCode: '1',
    createdAt: noon,
    ...change,
  })

  const legs = (count = 1): NewBooking[] =>
    Array.from({ length: count }, (_, leg) => {
      references += 1
      return { leg, reference: `AM-${references}`, origin, destination }
    })

  const add = (change: Partial<NewOrder> = {}, legCount = 1) => store.addOrder(order(change), legs(legCount))

  async function addPaid(change: Partial<NewOrder> = {}, paidAt = noon): Promise<number> {
    const id = await add(change)
    await store.markPaid(id, `T${id}`, paidAt)
    return id
  }

  async function bookingOf(orderId: number) {
    const [booking] = await store.findBookings([orderId])
    if (!booking) throw new Error(`order ${orderId} has no booking`)
    return booking
  }

  async function addIssued(awb: string): Promise<{ orderId: number; bookingId: number }> {
    const orderId = await addPaid()
    const leased = await store.leaseBooking('lease-issue', noon, noon + minute)
    if (!leased) throw new Error('nothing to lease')
    await store.setAwb(leased.id, 'lease-issue', awb)
    await store.keepLabel(leased.id, pdf, noon)
    return { orderId, bookingId: leased.id }
  }

  describe('keeps and finds', () => {
    it('an order, unpaid, with numbers as numbers', async () => {
      const id = await add()
      expect(await store.findOrder(id)).toEqual({
        id,
        user_id: userId,
        type: 'FROM_MINA',
        status: 'PENDING_PAYMENT',
        amount_halalas: 5_000,
        currency: 'SAR',
        agent_code: 'A01',
        center_code: '1',
        transaction_id: null,
        created_at: noon,
        paid_at: null,
      })
    })

    it('its bookings, waiting for nothing', async () => {
      const id = await add()
      expect(await store.findBookings([id])).toEqual([
        {
          id: expect.any(Number),
          order_id: id,
          leg: 0,
          reference: 'AM-1',
          origin,
          destination,
          awb: null,
          state: 'none',
          tries: 0,
          next_try_at: 0,
          lease: null,
          lease_until: 0,
          in_doubt_until: 0,
        },
      ])
    })

    it('a label to the byte, and its booking by the airway bill', async () => {
      const { orderId, bookingId } = await addIssued('231200021879')
      expect(await store.findBookingByAwb('231200021879')).toMatchObject({ id: bookingId, order_id: orderId })
      const kept = await store.findLabel(bookingId)
      expect(kept && [...kept]).toEqual([...pdf])
    })

    it('what a key made', async () => {
      const id = await add()
      expect(await store.tieKey(userId, 'key-1', 'hash-1', id, noon)).toBeUndefined()
      expect(await store.findKey(userId, 'key-1')).toEqual({ orderId: id, bodyHash: 'hash-1' })
    })
  })

  describe('unknown and duplicate', () => {
    it('finds nothing where nothing is', async () => {
      expect(await store.findOrder(1)).toBeUndefined()
      expect(await store.findBookings([])).toEqual([])
      expect(await store.findBookings([1, 2])).toEqual([])
      expect(await store.findKey(userId, 'key-1')).toBeUndefined()
      expect(await store.findBookingByAwb('231200021879')).toBeUndefined()
      expect(await store.findLabelled([])).toEqual(new Set())
      expect(await store.findLabel(1)).toBeUndefined()
      expect(await store.listOfUser(userId, { limit: 5 })).toEqual([])
      expect(await store.listOfAgent('A01', { limit: 5 })).toEqual([])
      expect(await store.leaseBooking('lease', noon, noon + minute)).toBeUndefined()
      expect(await store.findOldestUnissued()).toBeUndefined()
    })

    it('changes nothing where nothing is', async () => {
      expect(await store.markPaid(1, 'T1', noon)).toBe(false)
      expect(await store.markRefunded(1, 'T1')).toBe(false)
      expect(await store.setAwb(1, 'lease', '231200021879')).toBe(false)
      await store.releaseBooking(1, 'lease', noon)
    })

    it('makes no order of a user that is not there', async () => {
      await expect(add({ userId: otherUserId + 100 })).rejects.toThrow()
      expect(await store.listOfUser(otherUserId + 100, { limit: 5 })).toEqual([])
    })

    it('keeps neither the order nor the other leg when one booking cannot be kept', async () => {
      await store.addOrder(order(), [{ leg: 0, reference: 'AM-taken', origin, destination }])
      const clash = [
        { leg: 0, reference: 'AM-free', origin, destination },
        { leg: 1, reference: 'AM-taken', origin, destination },
      ]
      await expect(store.addOrder(order(), clash)).rejects.toThrow()
      expect(await store.listOfUser(userId, { limit: 5 })).toHaveLength(1)
    })

    it('tells what a key made before, and keeps that', async () => {
      const first = await add()
      const second = await add()
      await store.tieKey(userId, 'key-1', 'hash-1', first, noon)
      const before = { orderId: first, bodyHash: 'hash-1' }
      expect(await store.tieKey(userId, 'key-1', 'hash-2', second, noon)).toEqual(before)
      expect(await store.findKey(userId, 'key-1')).toEqual(before)
    })

    it('refuses one airway bill on two bookings', async () => {
      await addIssued('231200021879')
      await addPaid()
      const leased = await store.leaseBooking('lease-2', noon, noon + minute)
      if (!leased) throw new Error('nothing to lease')
      await expect(store.setAwb(leased.id, 'lease-2', '231200021879')).rejects.toThrow()
    })

    it('keeps the first label', async () => {
      const { bookingId } = await addIssued('231200021879')
      await store.keepLabel(bookingId, new Uint8Array([1]), noon + 1)
      expect((await store.findLabel(bookingId))?.length).toBe(pdf.length)
    })
  })

  describe('order and paging', () => {
    it('lists the newest first and goes on below a number', async () => {
      const ids = []
      for (let count = 0; count < 5; count += 1) ids.push(await add())
      const newestFirst = ids.toReversed()
      const first = await store.listOfUser(userId, { limit: 2 })
      expect(first.map(({ id }) => id)).toEqual(newestFirst.slice(0, 2))
      const rest = await store.listOfUser(userId, { limit: 10, before: first[1]?.id ?? 0 })
      expect(rest.map(({ id }) => id)).toEqual(newestFirst.slice(2))
      expect(await store.listOfUser(userId, { limit: 2, before: ids[0] ?? 0 })).toEqual([])
    })

    it('pages through what an agent collects', async () => {
      const ids = []
      for (let count = 0; count < 4; count += 1) {
        ids.push(await addPaid())
        await add()
      }
      const newestFirst = ids.toReversed()
      const first = await store.listOfAgent('A01', { limit: 3 })
      expect(first.map(({ id }) => id)).toEqual(newestFirst.slice(0, 3))
      const rest = await store.listOfAgent('A01', { limit: 3, before: first[2]?.id ?? 0 })
      expect(rest.map(({ id }) => id)).toEqual(newestFirst.slice(3))
    })

    it('gives the bookings of each order by leg', async () => {
      const both = await add({ type: 'TO_AND_FROM_MINA' }, 2)
      const one = await add()
      const bookings = await store.findBookings([both, one])
      expect(bookings.filter(({ order_id }) => order_id === both).map(({ leg }) => leg)).toEqual([0, 1])
      expect(bookings.filter(({ order_id }) => order_id === one).map(({ leg }) => leg)).toEqual([0])
    })

    it('leases what has been due longest', async () => {
      const late = await addPaid({}, noon + 2)
      const early = await addPaid({}, noon + 1)
      const leased = []
      for (const lease of ['one', 'two'])
        leased.push((await store.leaseBooking(lease, noon + 2, noon + minute))?.order_id)
      expect(leased).toEqual([early, late])
    })
  })

  describe('transitions', () => {
    it('pays an unpaid order once and queues every leg', async () => {
      const id = await add({ type: 'TO_AND_FROM_MINA' }, 2)
      expect(await store.markPaid(id, 'T1', noon + 5)).toBe(true)
      expect(await store.findOrder(id)).toMatchObject({
        status: 'PAID',
        transaction_id: 'T1',
        paid_at: noon + 5,
      })
      const bookings = await store.findBookings([id])
      expect(bookings.map(({ state, next_try_at }) => [state, next_try_at])).toEqual([
        ['waiting', noon + 5],
        ['waiting', noon + 5],
      ])
    })

    it('keeps the first payment of a paid order', async () => {
      const id = await add()
      await store.markPaid(id, 'T1', noon)
      expect(await store.markPaid(id, 'T2', noon + 1)).toBe(false)
      expect(await store.findOrder(id)).toMatchObject({ transaction_id: 'T1', paid_at: noon })
    })

    it('takes back only the payment that paid, and once', async () => {
      const id = await addPaid()
      expect(await store.markRefunded(id, 'another')).toBe(false)
      expect(await store.findOrder(id)).toMatchObject({ status: 'PAID' })
      expect(await store.markRefunded(id, `T${id}`)).toBe(true)
      expect(await store.markRefunded(id, `T${id}`)).toBe(false)
      expect(await store.findOrder(id)).toMatchObject({ status: 'REFUNDED', transaction_id: `T${id}` })
    })

    it('does not take back what was never paid, nor pay what was taken back', async () => {
      const unpaid = await add()
      expect(await store.markRefunded(unpaid, 'T1')).toBe(false)
      const refunded = await addPaid()
      await store.markRefunded(refunded, `T${refunded}`)
      expect(await store.markPaid(refunded, 'T9', noon)).toBe(false)
    })

    it('lets an unpaid order expire once, and revives it with a late payment', async () => {
      const id = await add()
      expect(await store.markExpired(id)).toBe(true)
      expect(await store.markExpired(id)).toBe(false)
      expect(await store.findOrder(id)).toMatchObject({ status: 'EXPIRED' })
      expect(await store.markPaid(id, 'T1', noon)).toBe(true)
      expect(await store.findOrder(id)).toMatchObject({ status: 'PAID', transaction_id: 'T1' })
      expect((await bookingOf(id)).state).toBe('waiting')
    })

    it('lets nothing expire that was paid or taken back', async () => {
      const paid = await addPaid()
      const refunded = await addPaid()
      await store.markRefunded(refunded, `T${refunded}`)
      expect(await store.markExpired(paid)).toBe(false)
      expect(await store.markExpired(refunded)).toBe(false)
      expect(await store.markExpired(refunded + 100)).toBe(false)
    })

    it('asks no airway bill for a booking whose money went back', async () => {
      const id = await addPaid()
      await store.markRefunded(id, `T${id}`)
      expect((await bookingOf(id)).state).toBe('canceled')
      expect(await store.leaseBooking('lease', noon + minute, noon + 2 * minute)).toBeUndefined()
    })

    it('keeps the airway bill that was issued before the money went back', async () => {
      const { orderId, bookingId } = await addIssued('231200021879')
      await store.markRefunded(orderId, `T${orderId}`)
      expect(await bookingOf(orderId)).toMatchObject({ state: 'issued', awb: '231200021879' })
      expect(await store.findLabel(bookingId)).toBeDefined()
    })

    it('leads a booking from waiting over labelling to issued', async () => {
      const id = await addPaid()
      const leased = await store.leaseBooking('lease-1', noon, noon + minute)
      expect(leased).toMatchObject({ order_id: id, state: 'waiting', tries: 1, lease: 'lease-1' })
      if (!leased) throw new Error('nothing to lease')
      expect(await store.setAwb(leased.id, 'lease-1', '231200021879')).toBe(true)
      expect(await bookingOf(id)).toMatchObject({ state: 'labelling', awb: '231200021879' })
      await store.keepLabel(leased.id, pdf, noon)
      expect(await bookingOf(id)).toMatchObject({ state: 'issued', lease: null })
      expect(await store.leaseBooking('lease-2', noon + 2 * minute, noon + 3 * minute)).toBeUndefined()
    })

    it('never replaces an airway bill', async () => {
      await addPaid()
      const leased = await store.leaseBooking('lease-1', noon, noon + minute)
      if (!leased) throw new Error('nothing to lease')
      await store.setAwb(leased.id, 'lease-1', '231200021879')
      expect(await store.setAwb(leased.id, 'lease-1', '231200021880')).toBe(false)
      expect(await store.findBookingByAwb('231200021879')).toBeDefined()
    })

    it('leases a released booking again when its time has come, and counts the tries', async () => {
      const id = await addPaid()
      const { id: bookingId } = await bookingOf(id)
      await store.leaseBooking('lease-1', noon, noon + minute)
      await store.releaseBooking(bookingId, 'lease-1', noon + 500)
      expect(await store.leaseBooking('lease-2', noon + 499, noon + minute)).toBeUndefined()
      expect(await store.leaseBooking('lease-2', noon + 500, noon + minute)).toMatchObject({ tries: 2 })
    })

    it('does not count a lease under which it was only looked', async () => {
      const { id: bookingId } = await bookingOf(await addPaid())
      await store.leaseBooking('lease-1', noon, noon + minute)
      await store.releaseBooking(bookingId, 'lease-1', noon + 500, false)
      expect(await store.leaseBooking('lease-2', noon + 500, noon + minute)).toMatchObject({ tries: 1 })
    })

    it('takes no number and no release from a lease that was lost', async () => {
      const id = await addPaid()
      const { id: bookingId } = await bookingOf(id)
      await store.leaseBooking('lease-1', noon, noon + minute)
      await store.leaseBooking('lease-2', noon + minute, noon + 2 * minute)
      expect(await store.setAwb(bookingId, 'lease-1', '231200021879')).toBe(false)
      await store.releaseBooking(bookingId, 'lease-1', noon)
      expect(await bookingOf(id)).toMatchObject({
        lease: 'lease-2',
        lease_until: noon + 2 * minute,
        awb: null,
      })
    })

    it('does not call a booking issued that has no number', async () => {
      const id = await addPaid()
      const { id: bookingId } = await bookingOf(id)
      await store.keepLabel(bookingId, pdf, noon)
      expect((await bookingOf(id)).state).toBe('waiting')
    })
  })

  describe('a user who leaves', () => {
    it('awaits nothing without an order, or with one that was never paid', async () => {
      expect(await store.findAwaiting(userId)).toBeUndefined()
      await add()
      expect(await store.findAwaiting(userId)).toBeUndefined()
    })

    it('awaits an airway bill until its file is there, whatever becomes of the money', async () => {
      const id = await addPaid()
      expect(await store.findAwaiting(userId)).toBe(id)
      const leased = await store.leaseBooking('lease', noon, noon + minute)
      await store.setAwb(leased?.id ?? 0, 'lease', '290000000001')
      expect(await store.findAwaiting(userId)).toBe(id)
      await store.markRefunded(id, `T${id}`)
      expect(await store.findAwaiting(userId)).toBe(id)
      expect(await store.findAwaiting(otherUserId)).toBeUndefined()
      await store.keepLabel(leased?.id ?? 0, pdf, noon)
      expect(await store.findAwaiting(userId)).toBeUndefined()
    })

    it('awaits nothing whose money went back before the partner began', async () => {
      const id = await addPaid()
      await store.markRefunded(id, `T${id}`)
      expect(await store.findAwaiting(userId)).toBeUndefined()
    })

    it('waits for no payment any more, and nobody else stops waiting', async () => {
      const waiting = await add()
      const paid = await addPaid()
      const theirs = await add({ userId: otherUserId })
      expect(await store.expireOfUser(userId)).toBe(1)
      const statusOf = async (id: number) => (await store.findOrder(id))?.status
      expect(await Promise.all([waiting, paid, theirs].map(statusOf))).toEqual([
        'EXPIRED',
        'PAID',
        'PENDING_PAYMENT',
      ])
    })

    it('takes the labels and the keys along, and leaves the orders and what others have', async () => {
      const { orderId, bookingId } = await addIssued('290000000001')
      await store.tieKey(userId, 'key-1', 'hash', orderId, noon)
      const theirOrder = await addPaid({ userId: otherUserId })
      const their = await store.leaseBooking('lease', noon, noon + minute)
      await store.setAwb(their?.id ?? 0, 'lease', '290000000002')
      await store.keepLabel(their?.id ?? 0, pdf, noon)
      await store.tieKey(otherUserId, 'key-1', 'hash', theirOrder, noon)
      expect(await store.findLabelled([bookingId, their?.id ?? 0])).toEqual(
        new Set([bookingId, their?.id ?? 0]),
      )

      await store.forgetUser(userId)
      expect(await store.findLabelled([bookingId, their?.id ?? 0])).toEqual(new Set([their?.id ?? 0]))
      expect(await store.findLabel(bookingId)).toBeUndefined()
      expect(await store.findKey(userId, 'key-1')).toBeUndefined()
      expect(await store.findKey(otherUserId, 'key-1')).toEqual({ orderId: theirOrder, bodyHash: 'hash' })
      expect(await store.findOrder(orderId)).toMatchObject({ status: 'PAID', amount_halalas: 5_000 })
      expect(await bookingOf(orderId)).toMatchObject({ state: 'issued', awb: '290000000001' })
    })
  })

  describe('concurrency', () => {
    it('pays an order by one of twenty payments', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const id = await add()
        const paid = await Promise.all(
          Array.from({ length: 20 }, (_, index) => store.markPaid(id, `T${index}`, noon)),
        )
        expect(paid.filter(Boolean)).toHaveLength(1)
        expect(await store.findOrder(id)).toMatchObject({ transaction_id: `T${paid.indexOf(true)}` })
      }
    })

    it('takes a payment back once out of twenty times', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const id = await addPaid()
        const taken = await Promise.all(Array.from({ length: 20 }, () => store.markRefunded(id, `T${id}`)))
        expect(taken.filter(Boolean)).toHaveLength(1)
      }
    })

    it('lets an order be paid or expire, and when both come at once it ends paid', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const id = await add()
        await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            index % 2 === 0 ? store.markExpired(id) : store.markPaid(id, `T${index}`, noon),
          ),
        )
        expect(await store.findOrder(id)).toMatchObject({ status: 'PAID' })
        expect((await bookingOf(id)).state).toBe('waiting')
      }
    })

    it('leases one booking to one of twenty workers', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        await addPaid()
        const leases = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            store.leaseBooking(`lease-${round}-${index}`, noon, noon + minute),
          ),
        )
        expect(leases.filter(Boolean)).toHaveLength(1)
      }
    })

    it('gives twenty workers twenty different bookings', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        for (let count = 0; count < 20; count += 1) await addPaid()
        const leases = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            store.leaseBooking(`lease-${round}-${index}`, noon, noon + minute),
          ),
        )
        expect(new Set(leases.map((row) => row?.id)).size).toBe(20)
        expect(leases).not.toContain(undefined)
      }
    })

    it('ties a key to one of twenty orders, and tells all the others which', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const ids = []
        for (let count = 0; count < 20; count += 1) ids.push(await add())
        const earlier = await Promise.all(
          ids.map((id) => store.tieKey(userId, `key-${round}`, 'hash', id, noon)),
        )
        const winners = ids.filter((_, index) => earlier[index] === undefined)
        expect(winners).toHaveLength(1)
        expect(new Set(earlier.flatMap((row) => (row ? [row.orderId] : [])))).toEqual(new Set(winners))
      }
    })

    it('gives twenty orders placed at once twenty numbers', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, () => add()))
      expect(new Set(ids).size).toBe(20)
    })
  })

  describe('isolation between owners', () => {
    it('lists to a user the own orders only', async () => {
      const mine = await add()
      const theirs = await add({ userId: otherUserId })
      expect((await store.listOfUser(userId, { limit: 5 })).map(({ id }) => id)).toEqual([mine])
      expect((await store.listOfUser(otherUserId, { limit: 5 })).map(({ id }) => id)).toEqual([theirs])
    })

    it('lists to an agent the own orders that were paid, also after a refund', async () => {
      await add()
      await addPaid({ agentCode: 'A02' })
      const paid = await addPaid()
      const refunded = await addPaid()
      await store.markRefunded(refunded, `T${refunded}`)
      expect((await store.listOfAgent('A01', { limit: 5 })).map(({ id }) => id)).toEqual([refunded, paid])
    })

    it('keeps equal keys of two users apart', async () => {
      const [mine, theirs] = [await add(), await add({ userId: otherUserId })]
      expect(await store.tieKey(userId, 'key-1', 'hash', mine, noon)).toBeUndefined()
      expect(await store.tieKey(otherUserId, 'key-1', 'hash', theirs, noon)).toBeUndefined()
      expect(await store.findKey(otherUserId, 'key-1')).toMatchObject({ orderId: theirs })
    })

    it('pays and takes back one order only', async () => {
      const [paid, other] = [await addPaid(), await add()]
      expect(await store.findOrder(other)).toMatchObject({ status: 'PENDING_PAYMENT' })
      expect((await bookingOf(other)).state).toBe('none')
      const untouched = await addPaid()
      await store.markRefunded(paid, `T${paid}`)
      expect((await bookingOf(untouched)).state).toBe('waiting')
    })
  })

  describe('clock', () => {
    it('leases a booking again from the very end of a lease, and not a millisecond before', async () => {
      await addPaid()
      await store.leaseBooking('lease-1', noon, noon + minute)
      expect(await store.leaseBooking('lease-2', noon + minute - 1, noon + 2 * minute)).toBeUndefined()
      expect(await store.leaseBooking('lease-2', noon + minute, noon + 2 * minute)).toMatchObject({
        lease: 'lease-2',
        lease_until: noon + 2 * minute,
        tries: 2,
      })
    })

    it('lets unpaid orders expire that were placed before a time, and tells how many', async () => {
      const old = await add({ createdAt: noon - 2 })
      const paid = await addPaid({ createdAt: noon - 2 })
      const young = await add({ createdAt: noon })
      expect(await store.expirePlacedBefore(noon)).toBe(1)
      expect(await store.expirePlacedBefore(noon)).toBe(0)
      const statuses = await Promise.all([old, paid, young].map((id) => store.findOrder(id)))
      expect(statuses.map((row) => row?.status)).toEqual(['EXPIRED', 'PAID', 'PENDING_PAYMENT'])
    })

    it('knows when the oldest booking that still waits was paid', async () => {
      const oldest = await addPaid({}, noon + 1)
      await addPaid({}, noon + 2)
      await add()
      expect(await store.findOldestUnissued()).toBe(noon + 1)
      await store.markRefunded(oldest, `T${oldest}`)
      expect(await store.findOldestUnissued()).toBe(noon + 2)
    })

    it(`keeps times on ${engine} beyond 32 bits`, async () => {
      const far = 4_102_444_800_123
      const id = await addPaid({ createdAt: far }, far + 1)
      expect(await store.findOrder(id)).toMatchObject({ created_at: far, paid_at: far + 1 })
    })
  })

  describe('transactions', () => {
    it('undoes an order together with the transaction it was placed in', async () => {
      const change = database.transaction(async () => {
        const id = await add()
        expect(await store.findOrder(id)).toBeDefined()
        throw new Error('changed my mind')
      })
      await expect(change).rejects.toThrow('changed my mind')
      expect(await store.listOfUser(userId, { limit: 5 })).toEqual([])
    })
  })
}
