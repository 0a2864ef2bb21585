import { readStoredJson, removeStored, useStored } from '#client/platform/browser-storage.ts'
import { fieldOf } from '#client/platform/field-of.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { readKept, storeKept } from './kept.ts'
import {
  emptyKeptOrders,
  isAskedBy,
  type KeptOrders,
  keptOrdersVersion,
  withOrders,
  withoutOldOrders,
} from './kept-orders.rules.ts'

/*
 * The paid orders that stay on the phone, so that the barcode can be shown without a network: queries of orders begin with
 * them (kept-orders.queries.ts). They belong to the user whose session the server confirmed last, and are wiped when it
 * ends or another person signs in.
 */

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

/**
 * Keeps the paid orders of an answer. Not when the user changed while it was on its way: it is another one's answer.
 * @returns `answer` itself.
 */
export async function keepingOrders<T>(
  answer: Promise<T>,
  ordersOf: (answer: T) => readonly Order[],
  reference?: string,
): Promise<T> {
  const userId = readKeptOrders()?.userId
  const askedAt = Date.now()
  const result = await answer
  const kept = readKeptOrders()
  if (kept !== undefined && kept.userId === userId)
    storeKept(
      'keptOrders',
      withOrders(kept, { orders: ordersOf(result), reference, askedAt, now: Date.now() }),
    )
  return result
}

/** Drops the order that the server has just refused. @param key its number or a merchant reference */
export function dropKeptOrder(key: string): void {
  const kept = readKeptOrders()
  const orders = kept?.orders.filter((known) => !isAskedBy(known, key))
  if (kept !== undefined && orders?.length !== kept.orders.length)
    storeKept('keptOrders', { ...kept, droppedAt: Date.now(), orders: orders ?? [] })
}

/** The user of the kept orders, and whether there are any. The component renders again when they change, also in another tab. */
export function useKeptOwner(): { readonly userId: number | undefined; readonly hasOrders: boolean } {
  const kept = useStored('keptOrders') === undefined ? undefined : readKeptOrders()
  return { userId: kept?.userId, hasOrders: (kept?.orders.length ?? 0) > 0 }
}
