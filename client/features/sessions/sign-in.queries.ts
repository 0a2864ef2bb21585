import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { readDelivery } from '#shared/sessions/sessions.operations.ts'

/** Whether the SMS that was sent then arrived: asked for once. */
export const deliveryQuery = (sentAt: number) =>
  queryOptions({
    queryKey: [...operationKey(readDelivery), sentAt],
    queryFn: ({ signal }) => call(readDelivery, { signal }),
    select: ({ state }) => state,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
