import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, isCallProblem } from '#client/platform/call.ts'
import { isTransient, operationKey } from '#client/platform/query-client.ts'
import { listAgentOrders, readOrder } from '#shared/orders/orders.operations.ts'
import type { ListRequest } from './agent-orders.rules.ts'

/**
 * The agent's orders that match search and filters, page by page, with customers' names and phones. A changed search is
 * another query and aborts the previous request; the counts beside the filters stay as placeholder data.
 */
export function agentOrdersQuery(agentId: number, request: ListRequest) {
  const params = { agentId: String(agentId) }
  return infiniteQueryOptions({
    queryKey: [...operationKey(listAgentOrders, params), request],
    queryFn: ({ pageParam, signal }) =>
      call(listAgentOrders, {
        params,
        query: pageParam === null ? { ...request } : { ...request, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // After the wait that the answer names, for as long as this search is on screen.
    retry: (failures, error) => isTooOften(error) || (failures < 2 && isTransient(error)),
  })
}

/** Whether a search waits because the agent has searched often. */
export const isTooOften = (error: unknown): boolean => isCallProblem(error) && error.code === 'TOO_MANY_CALLS'

/**
 * One order of the agent, when it has left the list. Not the key of `orderQuery`, which stores the orders of a user on the
 * phone; what begins with the operation invalidates both.
 */
export function agentOrderQuery(orderId: number) {
  const params = { id: String(orderId) }
  return queryOptions({
    queryKey: [...operationKey(readOrder, params), 'agent'],
    queryFn: ({ signal }) => call(readOrder, { params, signal }),
    staleTime: 0,
  })
}
