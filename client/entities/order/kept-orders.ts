import { readStoredJson, removeStored, useStored } from '#client/platform/browser-storage.ts'
import { fieldOf } from '#client/platform/field-of.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'
import { type KnownOrder, readKept, storeKept } from './kept.ts'

/*
 * The paid orders that stay on the phone, so that the barcode can be shown without a network: queries of orders begin with
 * them (kept-orders.queries.ts). They belong to the user whose session the server confirmed last, and are wiped when it
 * ends or another person signs in.
 */

/** Raise the number when the shape of `Order` changes: orders stored under an earlier number are dropped. */
export const keptOrdersVersion = 7

/** A paid order. */
export interface KeptOrder extends KnownOrder {
  /** The merchant references in addresses of the result page that name this order. */
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

export function emptyKeptOrders(userId: number): KeptOrders {
  return { version: keptOrdersVersion, userId, listedAt: 0, droppedAt: 0, orders: [] }
}

/** Names the signed-in user. Orders of another one are wiped. */
export function ownKeptOrders(userId: number): void {
  if (readKeptOrders()?.userId !== userId) storeKept('keptOrders', emptyKeptOrders(userId))
}

/** The id of the named user, also where a tab of another release has stored another version. */
export const keptOwner = (): unknown => fieldOf(readStoredJson('keptOrders'), 'userId')

export function wipeKeptOrders(): void {
  removeStored('keptOrders')
}

export function readKeptOrders(): KeptOrders | undefined {
  const kept = readKept<KeptOrders>('keptOrders', keptOrdersVersion)
  return kept && withoutOldOrders(kept, Date.now())
}

/** Without orders older than a session can be: no answer of the server has confirmed the session since. */
export function withoutOldOrders(kept: KeptOrders, now: number): KeptOrders {
  const oldest = now - sessionLife.user.absoluteMs
  return { ...kept, orders: kept.orders.filter(({ knownAt }) => knownAt > oldest) }
}

/** The user of the kept orders, and whether there are any. The component renders again when they change, also in another tab. */
export function useKeptOwner(): { readonly userId: number | undefined; readonly hasOrders: boolean } {
  const kept = useStored('keptOrders') === undefined ? undefined : readKeptOrders()
  return { userId: kept?.userId, hasOrders: (kept?.orders.length ?? 0) > 0 }
}
