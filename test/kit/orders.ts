import type { Core } from '#server/core.ts'
import { recordHandover } from '#server/features/order-views/handovers.ts'
import { ordersRoutes } from '#server/features/order-views/order-views.routes.ts'
import {
  exportOrder,
  listForUser,
  readLabel,
  readOrderFor,
} from '#server/features/order-views/order-views.ts'
import { beginCreation, leaseBooking, recordAwb } from '#server/features/orders/bookings.ts'
import {
  assertCancellable,
  cancelUnlocked,
  isCancellable,
  listUnused,
  markPaidLate,
} from '#server/features/orders/cancellation.ts'
import { recordLabel } from '#server/features/orders/labels.queries.ts'
import { bindKey, createOrder, findOrderByKey } from '#server/features/orders/order-creation.ts'
import {
  deleteNeverPaid,
  expireOlderThan,
  listNeverPaid,
  markExpired,
  markPaid,
  markRefunded,
} from '#server/features/orders/orders.queries.ts'
import { findPayable } from '#server/features/orders/orders.ts'
import { hasReceiver } from '#server/features/orders/receivers.rules.ts'
import {
  changePrintedReceiver,
  changeReceiverWithin,
  checkReceiver,
  lockOwner,
} from '#server/features/orders/receivers.ts'
import { recordBagEvents } from '#server/features/orders/travel.ts'
import type { Config } from '#server/platform/config.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { bindTo } from './bind-to.ts'
import { headerScope, openFeatureApp } from './feature-app.ts'
import { patientLimits } from './patience.ts'
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

const noPromises = {
  TRANSIT_DAYS: {},
  STORAGE_DAYS: undefined,
  LATE_AFTER_DAYS: undefined,
  LIABILITY_LOST_SAR: undefined,
} as Pick<Config, 'TRANSIT_DAYS'>

/** A user may have any number of open orders, and no days are promised. */
export const manyOrders = {
  ...noPromises,
  limits: {
    ...patientLimits,
    openOrdersPerUser: Number.MAX_SAFE_INTEGER,
  },
}

/** Verbs and steps of orders as methods. Those that need the transaction of a caller begin one where none is open. */
export const ordersOf = (core: Core) =>
  transacting(
    core.database,
    {
      checkReceiver,
      hasReceiver,
      ...bindTo(core, {
        assertCancellable,
        bindKey,
        cancel: cancelUnlocked,
        changePrintedReceiver,
        changeReceiverWithin,
        deleteNeverPaid,
        expireOlderThan,
        exportOrder,
        findByKey: findOrderByKey,
        findPayable,
        isCancellable,
        listNeverPaid,
        lockOwner,
        markExpired,
        markPaid,
        markPaidLate,
        markRefunded,
        beginCreation,
        createOrder,
        leaseBooking,
        listForUser,
        listUnused,
        readFor: readOrderFor,
        readLabel,
        recordAwb,
        recordEvents: recordBagEvents,
        recordHandover,
        recordLabel,
      }),
    },
    ['createOrder', 'markPaid', 'markRefunded', 'recordEvents'],
  )

export type TestOrders = ReturnType<typeof ordersOf>

/** The routes of the orders. */
export const openOrdersApp = (core: Core) => openFeatureApp((app) => ordersRoutes(core, app, headerScope))
