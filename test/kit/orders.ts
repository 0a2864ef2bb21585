import { createOrders, type OrdersDeps, type OrdersService } from '#server/features/orders/orders.service.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
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

/**
 * The orders of a database, without refunds, receipts and announcements unless `change` brings them. Methods that need the
 * transaction of a caller begin one where none is open.
 */
export function openOrders(
  database: Database,
  clock: Clock,
  change: Partial<OrdersDeps> = {},
): OrdersService {
  const sessions = createSessionsStore(database)
  const orders = createOrders({
    database,
    store: createOrdersStore(database),
    findUsers: async (ids) =>
      new Map((await sessions.findUsers([...new Set(ids)])).map((row) => [row.id, row])),
    findUserIdByPhone: async (phone) => (await sessions.findUserByPhone(phone))?.id,
    lockUser: sessions.lockUser,
    findRefunds: async () => new Map(),
    findReceipts: async () => new Set(),
    announce: async () => {},
    openOrdersPerUser: Number.MAX_SAFE_INTEGER,
    cancellation: { isOffered: true, hours: 0 },
    clock,
    ...change,
  })
  return transacting(database, orders, ['createOrder', 'markPaid', 'markRefunded', 'recordEvents'])
}
