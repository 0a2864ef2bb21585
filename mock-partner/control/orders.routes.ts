import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pages } from '#shared/platform/pages.ts'
import type { Clock } from '../platform/clock.ts'
import type { Journal } from '../platform/journal.ts'
import { readOrderNumber } from '../platform/references.ts'
import { findCity } from '../shipping/shipping.directory.ts'
import { ControlError, limitOf, unknownRef } from './control.schemas.ts'
import {
  bagOf,
  findOrder,
  groupOf,
  listOrders,
  money,
  nameOf,
  nextOf,
  type OrderRecord,
  orderGroups,
  type PartnerSources,
  paymentActions,
  searchOrders,
  standingOf,
} from './orders.records.ts'
import { listTexts, type TextSources, textsOf } from './orders.texts.ts'
import { timelineOf } from './orders.timeline.ts'

export interface OrdersRoutesOptions extends PartnerSources, TextSources {
  clock: Clock
  journal: Journal
}

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

/** In which part of the list an order is. */
const groupIn = (order: OrderRecord, { payment, journeys }: OrdersRoutesOptions) =>
  groupOf(
    standingOf(order, payment),
    order.shipments.map((shipment) => journeys.stepsAhead(shipment)),
  )

function rowOf(order: OrderRecord, options: OrdersRoutesOptions) {
  const receiver = order.shipments.at(-1)?.request.ConsigneeAddress
  return {
    order: order.order,
    name: nameOf(order),
    city: receiver?.City ?? null,
    station: (receiver && findCity(receiver.Country, receiver.City)?.cityCode) ?? null,
    phone: order.phone,
    createdAt: new Date(order.createdAt).toISOString(),
    amount: order.intentions[0] === undefined ? null : money(order.intentions[0].amountHalalas),
    standing: standingOf(order, options.payment),
    group: groupIn(order, options),
    next: nextOf(order, options, options.clock.now()),
    actions: paymentActions(order, options.payment),
    bags: order.shipments.map((shipment) => bagOf(shipment, options.journeys)),
  }
}

/** Orders across the simulated services, for the panel. */
export async function registerOrdersRoutes(
  app: FastifyInstance,
  options: OrdersRoutesOptions,
): Promise<void> {
  app.get('/orders', async (request) => {
    const limit = limitOf(request.query)
    const { group } = request.query as { group?: unknown }
    if (group !== undefined && !orderGroups.some((known) => known === group))
      throw new ControlError(400, 'INVALID_REQUEST', `group must be one of ${orderGroups.join(', ')}`)
    const found = searchOrders(listOrders(options), queryOf(request), options).map((order) => ({
      order,
      in: groupIn(order, options),
    }))
    const counts = Object.fromEntries(
      orderGroups.map((name) => [name, found.filter((each) => each.in === name).length]),
    )
    const chosen = found.filter((each) => group === undefined || each.in === group).slice(0, limit)
    return { total: found.length, counts, orders: chosen.map(({ order }) => rowOf(order, options)) }
  })

  app.get<{ Params: { ref: string } }>('/orders/:ref', async (request) => {
    const { ref } = request.params
    const order = findOrder(options, ref)
    if (order === undefined) throw unknownRef('order', ref)
    return {
      ...rowOf(order, options),
      page: pageOf(order),
      references: order.intentions.map(({ reference }) => reference),
      messages: textsOf(order, options),
      story: timelineOf(order, options.journal),
    }
  })

  /** Every SMS and e-mail: one-time codes, messages about bags and letters, newest first. */
  app.get('/texts', async (request) => {
    const found = listTexts(options, queryOf(request))
    return { total: found.length, texts: found.slice(0, limitOf(request.query)) }
  })
}
