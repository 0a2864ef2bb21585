import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listKept } from '#client/entities/handover/kept-bags.rules.ts'
import { keepBags, readKeptBags } from '#client/entities/handover/kept-bags.ts'
import { call, isCallProblem } from '#client/platform/call.ts'
import { isOnline } from '#client/platform/connection.ts'
import { withDeadline } from '#client/platform/deadline.ts'
import { isTransient, operationKey } from '#client/platform/query-client.ts'
import { waits } from '#client/platform/waits.ts'
import { listAgentOrders, readOrder } from '#shared/orders/orders.operations.ts'
import type { AgentOrderPage } from '#shared/orders/orders.schemas.ts'
import type { ListRequest } from './agent-orders.rules.ts'

/**
 * The agent's orders that match search and filters, page by page, with customers' names and phones. A changed search is
 * another query and aborts the previous request; the counts beside the filters stay as placeholder data.
 */
export function agentOrdersQuery(agentId: number, request: ListRequest) {
  const params = { agentId: String(agentId) }
  const queryKey = [...operationKey(listAgentOrders, params), request]
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal, client }): Promise<ListPage> => {
      const ask = async (patience: AbortSignal): Promise<ListPage> => {
        const askedAt = Date.now()
        const cursor = pageParam === null ? {} : { cursor: pageParam }
        const page = await call(listAgentOrders, {
          params,
          query: { ...request, ...cursor },
          signal: patience,
        })
        keepBags(agentId, page.orders, askedAt)
        return page
      }
      // Use a kept copy only when no answer is on screen: an answer on screen is newer and shows its time.
      const isFirst = client.getQueryData(queryKey) === undefined
      const kept = isFirst ? keptPage(agentId, request) : undefined
      if (kept === undefined) return ask(signal)
      if (!isOnline()) return kept
      try {
        return await withDeadline(waits.bagCheck, signal, ask)
      } catch (error) {
        signal.throwIfAborted()
        const isAnswered = isCallProblem(error) && error.status > 0 && error.status < 500
        if (isAnswered) throw error
        return kept
      }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Tries again after the wait in the server's answer, as long as this search is on screen.
    retry: (failures, error) => isTooOften(error) || (failures < 2 && isTransient(error)),
  })
}

/** `knownAt`: the page is a copy kept on this device at that time (epoch ms), not the server's answer. */
export type ListPage = Omit<AgentOrderPage, 'success'> & { readonly knownAt?: number }

/** The kept orders, in the form of the server's list; `undefined` when no order is kept. */
function keptPage(agentId: number, request: ListRequest): ListPage | undefined {
  const kept = readKeptBags(agentId)
  if (kept === undefined || kept.listedAt === 0) return undefined
  const { counts, listedAt: knownAt } = kept
  return { orders: listKept(kept, request), counts, nextCursor: null, knownAt }
}

/** A search with a longer wait is not repeated automatically: the page shows the wait to the agent. */
const longestSearchWaitSeconds = 60

/** True when a search waits because the agent has searched often. */
export const isTooOften = (error: unknown): boolean =>
  isCallProblem(error) &&
  error.code === 'TOO_MANY_CALLS' &&
  (error.retryAfterSeconds ?? 0) <= longestSearchWaitSeconds

/**
 * One order of the agent, after it has left the list. The key differs from the key of `orderQuery`, which stores a user's orders
 * on the phone. Invalidating the operation's key invalidates both.
 */
export function agentOrderQuery(orderId: number) {
  const params = { id: String(orderId) }
  return queryOptions({
    queryKey: [...operationKey(readOrder, params), 'agent'],
    queryFn: ({ signal }) => call(readOrder, { params, signal }),
    staleTime: 0,
  })
}
