import { queryOptions } from '@tanstack/react-query'
import { callAgain, isCallProblem, type Tagged } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import type { OperationOf } from '#shared/operations.ts'
import type { ResponseOf } from '#shared/platform/operation.ts'
import { readShare } from '#shared/shares/shares.operations.ts'

type Shared = Tagged<ResponseOf<OperationOf<typeof readShare>>>

/** @param everyMs time between two readings, in milliseconds */
export function shareQuery(token: string, everyMs: number) {
  const queryKey = operationKey(readShare, { token })
  return queryOptions({
    queryKey,
    queryFn: ({ signal, client }) =>
      callAgain(readShare, client.getQueryData<Shared>(queryKey), { params: { token }, signal }),
    staleTime: 0,
    // A link that has ended does not come back.
    refetchInterval: ({ state }) =>
      isCallProblem(state.error) && state.error.status === 404 ? false : everyMs,
  })
}
