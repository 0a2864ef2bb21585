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
