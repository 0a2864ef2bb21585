import { listBagEvents, type NewBagEvent } from '#server/features/history/bag-events.ts'
import { recordEvent } from '#server/features/history/history.ts'
import {
  countCreation,
  countStopped,
  endLease,
  findBookings,
  leaseDueBooking,
  markEscalated,
  type NewBooking,
  permitCreation,
  setAwb,
  setLastError,
} from '#server/features/orders/bookings.queries.ts'
import { findKey, type NewOrder } from '#server/features/orders/order-creation.queries.ts'
import {
  findOrder,
  listOrdersOfUser,
  markExpired,
  markPaid,
  resumeCarriage,
  stopCarriage,
} from '#server/features/orders/orders.queries.ts'
import { setReceiver } from '#server/features/orders/receivers.queries.ts'
import { lockOrder, setCarriage } from '#server/features/orders/travel.queries.ts'
import type { QueryCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { storeOrder } from './stored-orders.ts'

export type OrdersStore = ReturnType<typeof createOrdersStore>

/** Queries of orders on a database, for tests of features that are not functions of core yet. */
export function createOrdersStore(database: Database) {
  const core: QueryCore = { database }
  const on =
    <Rest extends unknown[], Result>(query: (core: QueryCore, ...given: Rest) => Result) =>
    (...given: Rest): Result =>
      query(core, ...given)
  return {
    addOrder: (order: NewOrder, legs: readonly NewBooking[]) => storeOrder(core, order, legs),
    beginCreation: on(countCreation),
    countStopped: on(countStopped),
    findBookings: on(findBookings),
    findEvents: (bookingIds: readonly number[]) => listBagEvents(core, bookingIds),
    findKey: on(findKey),
    findOrder: on(findOrder),
    insertEvent: (bag: { orderId: number; bookingId: number }, event: NewBagEvent) =>
      recordEvent(core, { ...event, ...bag }),
    leaseBooking: on(leaseDueBooking),
    listOfUser: on(listOrdersOfUser),
    lockOrder: on(lockOrder),
    markExpired: on(markExpired),
    markPaid: on(markPaid),
    permitCreation: on(permitCreation),
    releaseBooking: on(endLease),
    resumeCarriage: on(resumeCarriage),
    setAwb: on(setAwb),
    setCarriage: on(setCarriage),
    setLastError: on(setLastError),
    setReceiver: on(setReceiver),
    stopBooking: on(markEscalated),
    stopCarriage: on(stopCarriage),
  }
}
