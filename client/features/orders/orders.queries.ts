import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/operation-key.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { renewPayment } from '#shared/payments/payments.operations.ts'

/** Newest first, a page at a time. Never older than the visit: a payment may just have ended. */
export function userOrdersQuery(userId: number) {
  const params = { userId: String(userId) }
  return infiniteQueryOptions({
    queryKey: operationKey(listUserOrders, params),
    queryFn: ({ pageParam, signal }) =>
      call(listUserOrders, { params, query: pageParam === null ? {} : { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })
}

export function reopenPayment(orderId: number) {
  return call(renewPayment, { params: { id: String(orderId) } })
}
