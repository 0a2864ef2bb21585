import { queryOptions } from '@tanstack/react-query'
import { call, isCallProblem } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { readShare } from '#shared/shares/shares.operations.ts'

/** @param everyMs how often it is read again */
export function shareQuery(token: string, everyMs: number) {
  return queryOptions({
    queryKey: operationKey(readShare, { token }),
    queryFn: ({ signal }) => call(readShare, { params: { token }, signal }),
    staleTime: 0,
    // A link that has ended does not come back.
    refetchInterval: ({ state }) =>
      isCallProblem(state.error) && state.error.status === 404 ? false : everyMs,
  })
}
