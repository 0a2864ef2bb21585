import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { listAgentOrders } from '#shared/orders/orders.operations.ts'
import type { Filters } from './agent-orders.rules.ts'

interface OrderSearch extends Filters {
  readonly q: string
}

/**
 * The agent's orders that match search and filters, page by page, with customers' names and phones. A changed search is
 * another query and aborts the previous request; the counts beside the filters stay as placeholder data.
 */
export function agentOrdersQuery(agentId: number, { q, state, city, order }: OrderSearch) {
  const params = { agentId: String(agentId) }
  const query = {
    ...(q !== '' && { q }),
    ...(state && { state }),
    ...(city !== null && { city }),
    ...(order && { order }),
  }
  return infiniteQueryOptions({
    queryKey: [...operationKey(listAgentOrders, params), query],
    queryFn: ({ pageParam, signal }) =>
      call(listAgentOrders, {
        params,
        query: pageParam === null ? query : { ...query, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
