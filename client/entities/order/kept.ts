import { readStoredJson, removeStored, storeJson } from '#client/platform/browser-storage.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'

/*
 * Orders that stay on the device and can be shown without a network: paid orders of a user (kept-orders.ts), and the bags of
 * an agent (handover/kept-bags.ts). Both are wiped with the session (session.wipe.ts).
 */

/** An order as the server last described it. */
export interface KnownOrder {
  readonly order: Order
  /** When the server was asked for it, in epoch milliseconds. */
  readonly knownAt: number
}

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

type KeptKey = 'keptOrders' | 'keptBags'

/** The stored orders under `key`; undefined if it has another version, and so perhaps another shape. */
export function readKept<K extends { readonly version: number }>(
  key: KeptKey,
  version: K['version'],
): K | undefined {
  const kept = readStoredJson(key) as K | null | undefined
  return kept?.version === version ? kept : undefined
}

/** A full storage refuses the new orders: then the stored orders, which are older or of another person, must go. */
export function storeKept<K extends { readonly version: number }>(key: KeptKey, kept: K): void {
  if (!storeJson(key, kept)) removeStored(key)
}
