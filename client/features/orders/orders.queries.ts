import { infiniteQueryOptions } from '@tanstack/react-query'
import { keepingClaims } from '#client/entities/order/kept-claims.ts'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'

/** Newest first, page by page. Read again on every visit: a payment may just have ended. */
export function userOrdersQuery(userId: number) {
  const params = { userId: String(userId) }
  return infiniteQueryOptions({
    queryKey: operationKey(listUserOrders, params),
    queryFn: ({ pageParam, signal }) =>
      keepingClaims(
        call(listUserOrders, { params, query: pageParam === null ? {} : { cursor: pageParam }, signal }),
        ({ orders }) => orders,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })
}
