import type { Core } from '#server/core.ts'
import type { OrderRow } from './orders.queries.ts'
import { hasReceiver as has, readReceiver as read } from './receivers.rules.ts'
import { checkReceiver as check } from './receivers.ts'
import { presentTerms } from './terms.rules.ts'

// The names that features import which are being rebuilt. Gone with the last of them.

export { findBags, findBagsByNumbers } from './bags.queries.ts'
export {
  awaitsAwb,
  countStopped,
  findBookings,
  hasTravellingBag,
  listBookingIds,
  markUncertain,
  permitCreation,
  readUnissued,
  readUnlabelled,
  undoCreation,
} from './bookings.queries.ts'
export {
  beginCreation,
  escalateBooking,
  leaseBooking,
  listLegs,
  recordAwb,
  releaseBooking,
  writeAwbMessages as renewAwbNews,
} from './bookings.ts'
export { endBooking } from './cancellation.queries.ts'
export {
  assertCancellable,
  cancelUnlocked,
  forfeitBags,
  isCancellable,
  listUnused,
  markPaidLate,
} from './cancellation.ts'
export { recordHandover } from './handovers.ts'
export { recordLabel } from './labels.queries.ts'
export { bindKey, createOrder, findOrderByKey } from './order-creation.ts'
export { readOrderNews } from './order-news.ts'
export { exportOrder, exportOrders, findListingAgent, readLabel, readOrderFor } from './order-views.ts'
export {
  deleteNeverPaid,
  eraseOrdersOfUser,
  expireOlderThan,
  findOrder,
  findOrders,
  listNeverPaid,
  markExpired,
  markPaid,
  markRefunded,
  resumeCarriage,
  stopCarriage,
} from './orders.queries.ts'
export { findPayable } from './orders.ts'
export {
  changePrintedReceiver,
  changeReceiverWithin,
  findReceiverPhone,
  lockOwner,
} from './receivers.ts'
export { lockOrder, lockOrdersOf } from './travel.queries.ts'
export { recordBagEvents } from './travel.ts'

export const checkReceiver = (_core: Core, change: Parameters<typeof check>[0]) => check(change)
export const hasReceiver = (_core: Core, order: Pick<OrderRow, 'payment' | 'ended' | 'handed_over'>) =>
  has(order)
export const readReceiver = (_core: Core, change: Parameters<typeof read>[0]) => read(change)
/** The version of the terms that an order keeps which is made at `now`, in epoch milliseconds. */
export const termsVersionAt = (core: Core, now: number) => presentTerms(core.config, now).version
