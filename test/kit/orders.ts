import type { Following } from '#server/features/orders/following.ts'
import type { OrderPayments } from '#server/features/orders/order-views.service.ts'
import { ordersRoutes } from '#server/features/orders/orders.routes.ts'
import { createOrders, type OrdersDeps, type OrdersService } from '#server/features/orders/orders.service.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { presentTerms } from '#server/features/orders/terms.rules.ts'
import { createUsers } from '#server/features/sessions/sessions.service.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { createReadings } from '#server/platform/readings.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { minute } from './clock.ts'
import { headerScope, openFeatureApp } from './feature-app.ts'
import { openStops } from './stops.ts'
import { noStreams } from './streams.ts'
import { transacting } from './transacting.ts'

/** An agent of the partner, and a branch. */
export const agent: PartnerAgent = {
  id: 'A01',
  name: 'وكيل',
  address: 'منى',
  city: 'Mina',
  phone: '+966500000101',
  coordinates: null,
}
export const center: Center = {
  code: '1',
  addressAR: 'حي السويدي',
  addressEN: 'Al Suwaidi',
  city: 'Riyadh',
  coordinates: null,
}

export const noFollowing: Following = {
  follow: async () => {},
  followClosely: async () => {},
}

/**
 * The orders of a database, without refunds and receipts, and with no bag followed, unless `change` brings them. Methods that need the
 * transaction of a caller begin one where none is open.
 */
export function openOrders(
  database: Database,
  clock: Clock,
  change: Partial<OrdersDeps> = {},
): OrdersService {
  const orders = createOrders({
    database,
    store: createOrdersStore(database),
    users: createUsers({ database, store: createSessionsStore(database) }),
    refunds: { findRefunds: async () => new Map() },
    receipts: { findReceipts: async () => new Set() },
    following: noFollowing,
    stops: openStops(database),
    readings: createReadings({ database, clock }),
    openOrdersPerUser: Number.MAX_SAFE_INTEGER,
    cancellation: { isOffered: true, hours: 0 },
    terms: (now) => presentTerms({ CANCELLATION: { isOffered: true, hours: 0 } }, now),
    clock,
    ...change,
  })
  return transacting(database, orders, ['createOrder', 'markPaid', 'markRefunded', 'recordEvents'])
}

const noPayments: OrderPayments = {
  findOrderId: async () => undefined,
  refresh: async () => undefined,
  renew: () => Promise.reject(new Error('no payment is opened here')),
  cancel: () => Promise.reject(new Error('no order is cancelled here')),
}

/** The routes of the orders, without a payment provider. */
export const openOrdersApp = (orders: OrdersService, metrics = createMetrics()) =>
  openFeatureApp((app) =>
    ordersRoutes(app, headerScope, { orders, payments: noPayments, metrics, streams: noStreams }),
  )

/** A paid order of one bag with its airway bill and, by default, its label. */
export async function issueOrder(
  orders: OrdersService,
  userId: number,
  awb: string,
  {
    from = agent,
    to = center,
    label = new Uint8Array([1]),
  }: { from?: PartnerAgent; to?: Center; label?: Uint8Array | null } = {},
) {
  const { orderId } = await orders.createOrder(
    { userId, type: 'FROM_MINA', agent: from, center: to, amountHalalas: 5_000 },
    undefined,
  )
  await orders.markPaid(orderId, `T${orderId}`)
  const booking = await orders.leaseBooking('lease', minute)
  if (!booking) throw new Error('nothing to lease')
  await orders.recordAwb(booking, 'lease', awb)
  if (label) await orders.recordLabel(booking.id, label)
  return { orderId, booking }
}
