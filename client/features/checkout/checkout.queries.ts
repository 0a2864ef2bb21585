import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/operation-key.ts'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'

const staleTime = 5 * 60_000

/** The same answers, under the same keys, as the route form has just read. */
export const centersQuery = queryOptions({
  queryKey: operationKey(listCenters),
  queryFn: ({ signal }) => call(listCenters, { signal }),
  staleTime,
})

export const agentsQuery = queryOptions({
  queryKey: operationKey(listAgents),
  queryFn: ({ signal }) => call(listAgents, { signal }),
  staleTime,
})

export function startCheckout(body: CheckoutRequest, idempotencyKey: string) {
  return call(checkout, { body, headers: { 'idempotency-key': idempotencyKey } })
}
