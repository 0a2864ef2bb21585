import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { listApprovals } from '#shared/desk/actions/actions.operations.ts'

const pollMs = 60_000

/** The waiting approval requests, the oldest first. The operator's own requests are included; no work list has them. */
export function useWaitingApprovals() {
  const language = useLanguage()
  return useInfiniteQuery({
    // The server's texts in a request are in the language on screen.
    queryKey: [...operationKey(listApprovals), language],
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) =>
      call(listApprovals, { signal, ...(cursor !== undefined && { query: { cursor } }) }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ approvals }) => approvals),
    refetchInterval: pollMs,
  })
}
