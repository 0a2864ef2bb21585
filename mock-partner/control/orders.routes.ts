import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pages } from '#shared/platform/pages.ts'
import type { Journal } from '../platform/journal.ts'
import { orderNumberIn, readOrderNumber } from '../platform/references.ts'
import { originOf } from './control.curl.ts'
import { limitOf, unknownRef } from './control.schemas.ts'
import {
  findOrder,
  listOrders,
  money,
  nameOf,
  type OrderRecord,
  paymentActions,
  searchOrders,
  shipmentActions,
  standingOf,
} from './orders.records.ts'
import { listTexts } from './orders.texts.ts'
import { type OrderSources, timelineOf } from './orders.timeline.ts'

export interface OrdersRoutesOptions extends OrderSources {
  journal: Journal
}

/** Requests of one order that are shown; a bag asked about every half minute has more. */
const entriesPerOrder = 500

const queryOf = (request: FastifyRequest): string => {
  const { q } = request.query as { q?: unknown }
  return typeof q === 'string' ? q.trim() : ''
}

/** The page of an order in the app: the browser returns there after paying. */
function pageOf({ order, intentions: [newest] }: OrderRecord): string | null {
  const number = readOrderNumber(order)
  const returnUrl = newest?.redirectionUrl ?? null
  if (number === undefined || returnUrl === null) return null
  return new URL(pages.order.replace(':id', String(number)), returnUrl).href
}

const rowOf = (order: OrderRecord, sources: OrderSources) => ({
  order: order.order,
  name: nameOf(order),
  city: order.shipments.at(-1)?.request.ConsigneeAddress.City ?? null,
  phone: order.phone,
  createdAt: new Date(order.createdAt).toISOString(),
  amount: order.intentions[0] === undefined ? null : money(order.intentions[0].amountHalalas),
  standing: standingOf(order, sources.payment),
  bags: order.shipments.map((shipment) => ({
    awb: shipment.awb,
    lastScan: sources.journeys.scansOf(shipment).at(-1)?.ScanType ?? null,
  })),
})

/** Orders across the simulated services, for the panel. */
export async function registerOrdersRoutes(
  app: FastifyInstance,
  options: OrdersRoutesOptions,
): Promise<void> {
  const { payment, journeys, journal } = options

  function orderAt(ref: string): OrderRecord {
    const order = findOrder(options, ref)
    if (order === undefined) throw unknownRef('order', ref)
    return order
  }

  function entriesOf({ order }: OrderRecord) {
    const number = orderNumberIn(order)
    return number === undefined ? [] : journal.list({ order: number }, entriesPerOrder)
  }

  app.get('/orders', async (request) => {
    const limit = limitOf(request.query)
    const found = searchOrders(listOrders(options), queryOf(request), options)
    return { total: found.length, orders: found.slice(0, limit).map((order) => rowOf(order, options)) }
  })

  app.get<{ Params: { ref: string } }>('/orders/:ref', async (request) => {
    const order = orderAt(request.params.ref)
    return {
      ...rowOf(order, options),
      page: pageOf(order),
      payments: order.intentions.map((intention) => ({
        id: intention.id,
        reference: intention.reference,
        status: payment.statusOf(intention),
      })),
      actions: paymentActions(order, payment),
      shipments: order.shipments.map((shipment) => ({
        awb: shipment.awb,
        reference: shipment.reference,
        lastScan: journeys.scansOf(shipment).at(-1)?.ScanType ?? null,
        actions: shipmentActions(shipment, journeys),
      })),
      story: timelineOf(order, {
        sources: options,
        entries: entriesOf(order),
        origin: originOf(request),
      }),
    }
  })

  /** Every SMS and e-mail: one-time codes, messages about bags and letters, newest first. */
  app.get('/texts', async (request) => {
    const found = listTexts(options, queryOf(request))
    return { total: found.length, texts: found.slice(0, limitOf(request.query)) }
  })
}
