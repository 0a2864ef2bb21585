import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { readOrder, renewPayment } from '#shared/orders/orders.operations.ts'
import type { OpenedPayment } from '#shared/orders/orders.schemas.ts'
import { type Credentials, isOrderNumber } from './payment.rules.ts'

/**
 * The credentials that open the widget, as the server confirms them. The request fails unless the order belongs to the user, is
 * payable, and the secret in the address was issued for it. The page requests them once per visit.
 */
export function openingQuery({ orderId, clientSecret }: Credentials) {
  return queryOptions({
    queryKey: ['payment', 'opening', orderId, clientSecret],
    queryFn: async (): Promise<OpenedPayment> => {
      const id = isOrderNumber(orderId)
        ? orderId
        : String((await call(readOrder, { params: { id: orderId } })).order.orderId)
      return call(renewPayment, { params: { id }, body: { clientSecret } })
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
}
