import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type CallProblem, call, callAgain, isCallProblem } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { listUserOrders, readOrder } from '#shared/orders/orders.operations.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { storeKept } from './kept.ts'
import { isAskedBy, isOutdated, withOrders } from './kept-orders.rules.ts'
import { type KeptOrder, readKeptOrders } from './kept-orders.ts'

/** Queries that failed for want of an answer are asked again after this time. */
export const unansweredPollMs = 20_000

/** When the server was asked. A query that starts with kept orders has it, an answer of the server does not. */
interface MaybeKept {
  readonly knownAt?: number | undefined
}
interface OneOrder extends MaybeKept {
  readonly order: Order
  readonly etag?: string
}
interface OrderList extends MaybeKept {
  readonly orders: readonly Order[]
  readonly nextCursor: string | null
}

/** `id`: an order number or any merchant reference issued for the order. */
export function orderQuery(id: string) {
  const queryKey = operationKey(readOrder, { id })
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<OneOrder> => {
      try {
        const known = client.getQueryData<OneOrder>(queryKey)
        const answer = callAgain(readOrder, known, { params: { id }, signal })
        return await keepingOrders(answer, ({ order }) => [order], id)
      } catch (error) {
        // A 401 does not drop the order: the sign-out or the sign-in of another person wipes it.
        if (isRefusal(error) && error.status !== 401) dropKeptOrder(id)
        throw error
      }
    },
    initialData: (): OneOrder | undefined => keptOrder(id),
    initialDataUpdatedAt: () => keptOrder(id)?.knownAt,
    staleTime: 0,
  })
}

/** Newest first, page by page. Read again on every visit: a payment may just have ended. */
export function userOrdersQuery(userId: number) {
  const params = { userId: String(userId) }
  return infiniteQueryOptions({
    queryKey: operationKey(listUserOrders, params),
    queryFn: ({ pageParam, signal }): Promise<OrderList> =>
      keepingOrders(
        call(listUserOrders, { params, query: pageParam === null ? {} : { cursor: pageParam }, signal }),
        ({ orders }) => orders,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    initialData: () => {
      const kept = readKeptOrders()
      if (kept === undefined || kept.userId !== userId || kept.orders.length === 0) return undefined
      const knownAt = Math.min(Date.now(), ...kept.orders.map((known) => known.knownAt))
      return {
        pages: [{ orders: kept.orders.map(({ order }) => order), nextCursor: null, knownAt }],
        pageParams: [null],
      }
    },
    staleTime: 0,
  })
}

/** The kept order with this number or merchant reference. If the clock was set back, `knownAt` is never later than now. */
function keptOrder(key: string): KeptOrder | undefined {
  const kept = readKeptOrders()?.orders.find((known) => isAskedBy(known, key))
  return kept && { ...kept, knownAt: Math.min(kept.knownAt, Date.now()) }
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

/** Keeps all paid orders, also those that no page of this phone has shown. */
export async function keepAllOrders(userId: number): Promise<void> {
  const kept = readKeptOrders()
  if (kept === undefined || kept.userId !== userId || !isOutdated(kept, Date.now())) return
  try {
    const answer = call(listUserOrders, { params: { userId: String(userId) }, query: { limit: '100' } })
    await keepingOrders(answer, ({ orders }) => orders)
  } catch {
    // The kept orders stay as they are.
  }
}

/** Marks orders that come from the phone and not from the server. */
export interface Kept {
  /** When the oldest of them was known, in epoch milliseconds. */
  readonly knownAt: number
  /** `waiting`: the first answer is on its way. `unreachable`: the server could not be asked. */
  readonly reason: 'waiting' | 'unreachable'
}

/** The parts of a query's result that say whether the server answers. */
interface Reading {
  /** False when only a further page failed: the orders on screen are not refused then. */
  readonly isRefetchError: boolean
  readonly error: unknown
  readonly failureReason: unknown
  readonly dataUpdatedAt: number
}

/** The gateway itself says that the order is not theirs. A limit, an overload or the page of a captive portal does not. */
export const isRefusal = (error: unknown): error is CallProblem =>
  isCallProblem(error) && [401, 403, 404].includes(error.status) && error.code !== 'UNEXPECTED'

/** Whether `data` is kept; an answer is from the failure to replace it on. `refused`: the server refuses the orders. */
export function keptBy(
  { isRefetchError, error, failureReason, dataUpdatedAt }: Reading,
  data: MaybeKept | undefined,
): Kept | 'refused' | undefined {
  if (data === undefined) return undefined
  if (isRefetchError && isRefusal(error)) return 'refused'
  const isFirst = !isRefetchError && failureReason === null
  if (data.knownAt !== undefined)
    return { knownAt: data.knownAt, reason: isFirst ? 'waiting' : 'unreachable' }
  return isRefetchError ? { knownAt: dataUpdatedAt, reason: 'unreachable' } : undefined
}
