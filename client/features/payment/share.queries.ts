import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { createShare, endShare, readOwnShare } from '#shared/shares/shares.operations.ts'

/** Requested whenever the sheet opens: the link may have been ended on another device. */
export function ownShareQuery(orderId: number) {
  const params = { id: String(orderId) }
  return queryOptions({
    queryKey: operationKey(readOwnShare, params),
    queryFn: ({ signal }) => call(readOwnShare, { params, signal }),
    staleTime: 0,
  })
}

export const createOwnShare = (orderId: number) => call(createShare, { params: { id: String(orderId) } })

export const endOwnShare = (orderId: number) => call(endShare, { params: { id: String(orderId) } })
