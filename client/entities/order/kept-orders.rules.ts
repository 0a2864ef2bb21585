import { hasPass, isValidBag } from '#client/entities/order/order-card.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { type OrdersAnswer, withAnswer } from './kept.rules.ts'
import type { KeptOrder, KeptOrders } from './kept-orders.ts'

/** The privacy page names this number. */
export const maxKeptOrders = 20

/** A list that was answered within this time is not asked for again. */
const listedForMs = 10 * 60_000

/** @param key an order's number, or a merchant reference of the result page */
export const isAskedBy = ({ order, references }: KeptOrder, key: string): boolean =>
  String(order.orderId) === key || references.includes(key)

/** True when the list should be asked for again: it is old, a clock set back leaves its age open, or an order has no barcode yet. */
export function isOutdated({ listedAt, orders }: KeptOrders, now: number): boolean {
  const lacksBarcode = ({ order }: KeptOrder) =>
    order.bookings.filter(isValidBag).some(({ awb }) => awb === null)
  return listedAt > now || now - listedAt > listedForMs || orders.some(lacksBarcode)
}

interface Answer extends OrdersAnswer {
  /** The number or reference in the request for a single order; undefined for a list. */
  readonly reference?: string | undefined
}

/** Takes up the paid orders of an answer, and drops those that are no longer paid. */
export function withOrders(kept: KeptOrders, answer: Answer): KeptOrders {
  const { reference, askedAt, now } = answer
  let { droppedAt } = kept
  function entryOf(order: Order, before: KeptOrder | undefined): KeptOrder | undefined {
    if (!hasPass(order)) {
      if (before !== undefined || reference !== undefined) droppedAt = now
      return undefined
    }
    const references = new Set(before?.references)
    if (reference !== undefined && reference !== String(order.orderId)) references.add(reference)
    return { order: withoutNumbers(order), knownAt: askedAt, references: [...references] }
  }
  const orders = withAnswer(kept.orders, answer, { entryOf, most: maxKeptOrders, droppedAt })
  return {
    ...kept,
    listedAt: reference === undefined ? askedAt : kept.listedAt,
    droppedAt,
    orders: orders.toReversed(),
  }
}

/** The numbers of other persons do not stay on the phone: the barcode needs the receiver's name alone. */
function withoutNumbers({ receiver, secondPhone: _, ...order }: Order): Order {
  return { ...order, ...(receiver ? { receiver: { name: receiver.name } } : {}) }
}
