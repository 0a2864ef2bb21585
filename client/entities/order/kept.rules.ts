import type { Order } from '#shared/orders/orders.schemas.ts'
import type { KnownOrder } from './kept.ts'

/** An answer of the server. Times are epoch milliseconds. */
export interface OrdersAnswer {
  readonly orders: readonly Order[]
  readonly askedAt: number
  readonly now: number
}

interface Keeping<K extends KnownOrder> {
  /** The entry that is kept for an order of the answer; undefined if it is not kept. */
  readonly entryOf: (order: Order, before: K | undefined) => K | undefined
  /** The most orders that are kept: the newest. */
  readonly most: number
  /** The answer names all orders: the others are dropped. */
  readonly isWhole?: boolean
  /** When an order was last dropped: an older answer does not bring it back. */
  readonly droppedAt?: number
}

/**
 * Takes up an answer, oldest order first. What was asked for after the answer stays as it is, because an older answer may
 * come later. A time after `now` is from a clock that has been set back since: it decides nothing.
 */
export function withAnswer<K extends KnownOrder>(
  known: readonly K[],
  { orders, askedAt, now }: OrdersAnswer,
  { entryOf, most, isWhole = false, droppedAt = 0 }: Keeping<K>,
): K[] {
  const isNewer = (at: number) => askedAt < at && at <= now
  const byId = new Map(
    known
      .filter(({ knownAt }) => !isWhole || isNewer(knownAt))
      .map((entry) => [entry.order.orderId, entry] as const),
  )
  for (const order of orders) {
    const before = byId.get(order.orderId)
    if (isNewer(before?.knownAt ?? droppedAt)) continue
    const entry = entryOf(order, before)
    if (entry === undefined) byId.delete(order.orderId)
    else byId.set(order.orderId, entry)
  }
  return [...byId.values()].toSorted((a, b) => a.order.orderId - b.order.orderId).slice(-most)
}
