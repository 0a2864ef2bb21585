import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { readDelivery, showPairing } from '#shared/sessions/sessions.operations.ts'

/** Whether the last SMS arrived; the page asks once. */
export const deliveryQuery = (sentAt: number) =>
  queryOptions({
    queryKey: [...operationKey(readDelivery), sentAt],
    queryFn: ({ signal }) => call(readDelivery, { signal }),
    select: ({ state }) => state,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** The pairing number that this browser shows for an agent's number. The query runs again when the number has expired. */
export const pairingQuery = (phone: string) =>
  queryOptions({
    queryKey: [...operationKey(showPairing), phone],
    queryFn: ({ signal }) => call(showPairing, { body: { phone }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.pairing == null ? false : data.expiresInSeconds * 1000),
    // The answer is valid only for the limit that was just met: do not cache it.
    gcTime: 0,
    retry: false,
  })
