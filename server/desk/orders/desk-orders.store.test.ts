import { beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { findOrdersByReference } from '#server/features/account/stored-order.queries.ts'
import { findBookings, leaseDueBooking, setAwb } from '#server/features/orders/bookings.queries.ts'
import { markExpired, markPaid } from '#server/features/orders/orders.queries.ts'
import { addPaymentEvent } from '#server/features/payments/payment-events.queries.ts'
import { refundPayment } from '#server/features/payments/refunds.queries.ts'
import { ensureUser, markUserDeleted } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { newLeg, newOrder, storeOrder } from '#test/kit/orders/stored-orders.ts'
import {
  findOrders,
  findOrdersOfReceiver,
  findPeople,
  listBags,
  listOrders,
  listOrdersOfOwners,
  type OrderFilter,
  readOrderState,
  sumReturned,
} from './desk-orders.queries.ts'
import { readTimeline } from './timeline.queries.ts'

const end = { createdAt: Number.MAX_SAFE_INTEGER, id: 0 }

forEachEngine((_engine, open) => {
  let database: Database
  let core: Core
  let maryam: number
  let yusuf: number
  let references = 0

  beforeEach(async () => {
    database = await open()
    core = await openCore({ database, clock: manualClock(noon) })
    maryam = (await ensureUser({ database }, '+966512344678', 'مريم أحمد', noon)).id
    yusuf = (await ensureUser({ database }, '+966587654678', 'Yusuf Ali', noon)).id
  })

  function addOrder(userId: number, change: Partial<Parameters<typeof newOrder>[1]> = {}, receiver = {}) {
    references += 1
    return storeOrder({ database }, newOrder(userId, change), [
      { ...newLeg(`AM-${references}`), ...receiver },
    ])
  }
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id)

  describe('finds', () => {
    it('owners by their phone, its last four digits and their name, the newest first and no deleted one', async () => {
      expect(idsOf(await findPeople(core, { phone: '+966512344678' }, 20))).toEqual([maryam])
      expect(idsOf(await findPeople(core, { phoneEnd: '4678' }, 20))).toEqual([yusuf, maryam])
      expect(idsOf(await findPeople(core, { phoneEnd: '4678' }, 1))).toEqual([yusuf])
      expect(idsOf(await findPeople(core, { name: [['احمد'], ['مري']] }, 20))).toEqual([maryam])
      expect(await findPeople(core, {}, 20)).toEqual([])
      await markUserDeleted({ database }, yusuf, '+966587654678', noon)
      const [deletedEnd = ''] = /\d{1,4}$/.exec(`0000${yusuf}`) ?? []
      expect(idsOf(await findPeople(core, { phoneEnd: '4678' }, 20))).toEqual([maryam])
      expect(await findPeople(core, { phoneEnd: deletedEnd }, 20)).toEqual([])
      expect(await findPeople(core, { name: [['yusuf']] }, 20)).toEqual([])
    })

    it('orders by who collects the bag and by the number for calls', async () => {
      const named = await addOrder(
        maryam,
        {},
        { receiver_name: 'Khalid Omar', receiver_phone: '+966511111234' },
      )
      const called = await addOrder(maryam, {}, { second_phone: '+966522221234' })
      await addOrder(yusuf)
      expect(await findOrdersOfReceiver(core, { name: [['khalid']] }, 20)).toEqual([named])
      expect(await findOrdersOfReceiver(core, { phoneEnd: '1234' }, 20)).toEqual([called, named])
      expect(await findOrdersOfReceiver(core, { phone: '+966511111234' }, 20)).toEqual([named])
      expect(await findOrdersOfReceiver(core, { phone: '+966533331234' }, 20)).toEqual([])
      expect(await findOrdersOfReceiver(core, { phoneEnd: '1234' }, 1)).toEqual([called])
    })

    it('orders by an airway bill, a reference or a transaction', async () => {
      const id = await addOrder(maryam)
      const [booking] = await findBookings({ database }, [id])
      const attempt = { reference: 'OD1-X', amount_halalas: 5_000, currency: 'SAR', created_at: noon }
      const { id: attemptId } = await database.tables
        .insertInto('payment_attempts')
        .values({ ...attempt, order_id: id, state: 'open', secret_until: noon, inquired_at: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
      await addPaymentEvent(
        { database },
        {
          transaction_id: '9001',
          kind: 'succeeded',
          attempt_id: attemptId,
          source: 'callback',
          outcome: 'applied',
          amount_halalas: 5_000,
          currency: 'SAR',
          body: '{}',
          received_at: noon,
        },
      )
      await database.transaction(() => markPaid({ database }, id, '9001', noon))
      const leased = await leaseDueBooking({ database }, 'lease', noon, noon + minute)
      await setAwb({ database }, leased?.id ?? 0, 'lease', '231200021879')
      for (const reference of ['231200021879', booking?.reference ?? '', 'OD1-X', '9001'])
        expect(await findOrdersByReference(core, reference)).toEqual([id])
      expect(await findOrdersByReference(core, '9002')).toEqual([])
      expect(idsOf(await findOrders(core, [id, id + 1]))).toEqual([id])
      expect(await findOrders(core, [])).toEqual([])
      await database.transaction(() =>
        refundPayment({ database }, '9001', { reason: 'operator', by: { kind: 'system' } }, noon),
      )
      expect(await sumReturned(core, [id])).toEqual(new Map())
      await database.tables.updateTable('refunds').set({ state: 'done' }).execute()
      expect(await sumReturned(core, [id])).toEqual(new Map([[id, 5_000]]))
      expect(await sumReturned(core, [])).toEqual(new Map())
      expect(await listBags(core, [])).toEqual(new Map())
      expect((await listBags(core, [id])).get(id)).toMatchObject([{ awb: '231200021879' }])
    })

    it('the newest orders of owners', async () => {
      const [first, second, third] = [await addOrder(maryam), await addOrder(yusuf), await addOrder(maryam)]
      expect(idsOf(await listOrdersOfOwners(core, [maryam], 9))).toEqual([third, first])
      expect(idsOf(await listOrdersOfOwners(core, [maryam, yusuf], 2))).toEqual([third, second])
      expect(await listOrdersOfOwners(core, [], 9)).toEqual([])
    })

    it('the state of an order and its timeline', async () => {
      const id = await addOrder(maryam)
      expect(await readOrderState(core, id)).toMatchObject({ bookings: [{ leg: 0 }] })
      expect(await readOrderState(core, id + 1)).toBeUndefined()
      expect(await readTimeline(core, id)).toMatchObject([{ kind: 'order-created' }])
    })
  })

  describe('lists', () => {
    it('by status, agent, branch and time, the newest first, page by page', async () => {
      const at = (offset: number) => noon + offset * minute
      const a = await addOrder(maryam, { createdAt: at(0), agentCode: 'A01', centerCode: '1' })
      const b = await addOrder(maryam, { createdAt: at(2), agentCode: 'A02', centerCode: '2' })
      const c = await addOrder(yusuf, { createdAt: at(1), agentCode: 'A01', centerCode: '3' })
      const d = await addOrder(yusuf, { createdAt: at(2), agentCode: 'A02', centerCode: '1' })
      await database.transaction(() => markPaid({ database }, c, 'T', at(3)))
      const list = async (change: Partial<OrderFilter> = {}) =>
        idsOf(await listOrders(core, { since: 0, before: end, limit: 10, ...change }))
      expect(await list()).toEqual([d, b, c, a])
      expect(await list({ limit: 2 })).toEqual([d, b])
      expect(await list({ before: { createdAt: at(2), id: d } })).toEqual([b, c, a])
      expect(await list({ before: { createdAt: at(2), id: b } })).toEqual([c, a])
      expect(await list({ since: at(1) })).toEqual([d, b, c])
      expect(await list({ agent: 'A01' })).toEqual([c, a])
      expect(await list({ centers: ['1', '3'] })).toEqual([d, c, a])
      expect(await list({ centers: ['1'], agent: 'A02' })).toEqual([d])
      expect(await list({ centers: [] })).toEqual([])
      expect(await list({ status: 'PAID' })).toEqual([c])
      expect(await list({ status: 'PENDING_PAYMENT' })).toEqual([d, b, a])
      for (const status of ['EXPIRED', 'CANCELLED', 'REFUNDED'] as const)
        expect(await list({ status })).toEqual([])
      await markExpired({ database }, a)
      expect(await list({ status: 'EXPIRED' })).toEqual([a])
    })
  })
})
