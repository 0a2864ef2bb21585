import { hasPass, isValidBag } from '#client/entities/order/order-card.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'

/** Another shape of `Order` needs another number: what is stored under an earlier one is dropped. */
export const keptOrdersVersion = 6

/** A paid order as the server last described it. */
export interface KeptOrder {
  readonly order: Order
  /** When the server was asked for it, in epoch milliseconds. */
  readonly knownAt: number
  /** What it was asked by besides its number: merchant references in addresses of the result page. */
  readonly references: readonly string[]
}

/** The paid orders of one user, newest first. Times are epoch milliseconds, 0 for never. */
export interface KeptOrders {
  readonly version: typeof keptOrdersVersion
  readonly userId: number
  /** When the list was asked for last. */
  readonly listedAt: number
  /** When an order was last found not to be paid. */
  readonly droppedAt: number
  readonly orders: readonly KeptOrder[]
}

/** The privacy page names this number. */
export const maxKeptOrders = 20

/** A list that was answered within this time is not asked for again. */
const listedForMs = 10 * 60_000

export function emptyKeptOrders(userId: number): KeptOrders {
  return { version: keptOrdersVersion, userId, listedAt: 0, droppedAt: 0, orders: [] }
}

/** @param key an order's number, or a merchant reference of the result page */
export const isAskedBy = ({ order, references }: KeptOrder, key: string): boolean =>
  String(order.orderId) === key || references.includes(key)

/** True when the list should be asked for again: it is old, a clock set back leaves its age open, or an order has no barcode yet. */
export function isOutdated({ listedAt, orders }: KeptOrders, now: number): boolean {
  const lacksBarcode = ({ order }: KeptOrder) =>
    order.bookings.filter(isValidBag).some(({ awb }) => awb === null)
  return listedAt > now || now - listedAt > listedForMs || orders.some(lacksBarcode)
}

interface Answer {
  readonly orders: readonly Order[]
  /** What a single order was asked by; undefined for a list. */
  readonly reference?: string | undefined
  readonly askedAt: number
  readonly now: number
}

/**
 * Takes up the paid orders of an answer, and drops those that are paid no more. What was asked for after this answer
 * stays as it is: an older answer that comes later must not bring back a cancelled order. A time after `now` is of a clock
 * that has been set back since, and says nothing.
 */
export function withAnswer(kept: KeptOrders, { orders, reference, askedAt, now }: Answer): KeptOrders {
  const byId = new Map(kept.orders.map((known) => [known.order.orderId, known]))
  let { droppedAt } = kept
  for (const order of orders) {
    const before = byId.get(order.orderId)
    const decidedAt = before?.knownAt ?? droppedAt
    if (askedAt < decidedAt && decidedAt <= now) continue
    if (!hasPass(order)) {
      if (byId.delete(order.orderId) || reference !== undefined) droppedAt = now
      continue
    }
    const references = new Set(before?.references)
    if (reference !== undefined && reference !== String(order.orderId)) references.add(reference)
    byId.set(order.orderId, { order: withoutNumbers(order), knownAt: askedAt, references: [...references] })
  }
  const newestFirst = [...byId.values()].sort((a, b) => b.order.orderId - a.order.orderId)
  return {
    ...kept,
    listedAt: reference === undefined ? askedAt : kept.listedAt,
    droppedAt,
    orders: newestFirst.slice(0, maxKeptOrders),
  }
}

/** The numbers of other persons do not stay on the phone: the barcode needs the receiver's name alone. */
function withoutNumbers({ receiver, secondPhone: _, ...order }: Order): Order {
  return { ...order, ...(receiver ? { receiver: { name: receiver.name } } : {}) }
}

/**
 * Reads what is stored; `undefined` when it has another version. Orders older than a session can be are left
 * out: no answer of the server has confirmed the session since.
 */
export function readKept(stored: unknown, now: number): KeptOrders | undefined {
  const kept = stored as KeptOrders | null | undefined
  if (kept?.version !== keptOrdersVersion) return undefined
  const oldest = now - sessionLife.user.absoluteMs
  return { ...kept, orders: kept.orders.filter(({ knownAt }) => knownAt > oldest) }
}
