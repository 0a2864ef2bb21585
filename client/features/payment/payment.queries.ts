import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/operation-key.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import { renewPayment } from '#shared/payments/payments.operations.ts'

/** `id` is an order number or any merchant reference issued for the order. Never older than the last look. */
export function orderQuery(id: string) {
  return queryOptions({
    queryKey: operationKey(readOrder, { id }),
    queryFn: ({ signal }) => call(readOrder, { params: { id }, signal }),
    staleTime: 0,
  })
}

export function reopenPayment(orderId: number | string) {
  return call(renewPayment, { params: { id: String(orderId) } })
}
