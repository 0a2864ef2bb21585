import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { readPush, subscribePush, unsubscribePush } from '#shared/push/push.operations.ts'
import type { PushSubscriptionBody } from '#shared/push/push.schemas.ts'

/** Whether this browser gets push messages, and the key to subscribe with; without a key the server sends no push messages. */
export const pushQuery = queryOptions({
  queryKey: operationKey(readPush),
  queryFn: ({ signal }) => call(readPush, { signal }),
  staleTime: 0,
})

/** Undefined when the server sends no push messages, and until its answer is here. */
export function usePush(isEnabled: boolean) {
  const { data } = useQuery({ ...pushQuery, enabled: isEnabled })
  return data?.publicKey ? { publicKey: data.publicKey, isOn: data.isOn } : undefined
}

export const registerPush = (subscription: PushSubscriptionBody) =>
  call(subscribePush, { body: subscription })

export const endPush = () => call(unsubscribePush)
