import type { Core } from '#server/core.ts'
import { ordersRoutes } from '#server/features/order-views/order-views.routes.ts'
import type { Config } from '#server/platform/config.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { patientLimits } from '../basics/patience.ts'
import { openFeatureApp, routesFor } from '../gateway/feature-app.ts'

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

/** The routes of the orders. */
export const openOrdersApp = (core: Core) => openFeatureApp((app) => ordersRoutes(core, routesFor(core, app)))
