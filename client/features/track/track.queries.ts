import { queryOptions } from '@tanstack/react-query'
import { call, isCallProblem } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { readShare } from '#shared/shares/shares.operations.ts'

/** Scans come a few times a day. */
const pollEveryMs = 60_000

export function shareQuery(token: string) {
  return queryOptions({
    queryKey: operationKey(readShare, { token }),
    queryFn: ({ signal }) => call(readShare, { params: { token }, signal }),
    staleTime: 0,
    // A link that has ended does not come back.
    refetchInterval: ({ state }) =>
      isCallProblem(state.error) && state.error.status === 404 ? false : pollEveryMs,
  })
}
