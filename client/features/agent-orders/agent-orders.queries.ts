import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/operation-key.ts'
import { listAgentOrders } from '#shared/orders/orders.operations.ts'

/** Few round trips for a search through everything, still a light first page. */
const pageSize = '50'

/** Newest first, a page at a time, with the names and phones of the customers. */
export function agentOrdersQuery(agentId: number) {
  const params = { agentId: String(agentId) }
  return infiniteQueryOptions({
    queryKey: operationKey(listAgentOrders, params),
    queryFn: ({ pageParam, signal }) =>
      call(listAgentOrders, {
        params,
        query: pageParam === null ? { limit: pageSize } : { limit: pageSize, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })
}
