import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationKey } from '#client/platform/query-client.ts'
import {
  approveAtDesk,
  confirmAtDesk,
  listApprovals,
  refuseAtDesk,
} from '#shared/desk/actions/actions.operations.ts'
import { keyed } from '../sending.ts'
import type { Over } from '../work/work.rules.ts'

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

/** @param over since when the colleague named on the page has the request in the work list */
export const approve = (approvalId: number, over: Over, key: string) =>
  call(approveAtDesk, { params: { id: String(approvalId) }, headers: keyed(key), body: over })

/** Confirms a request that a terminal made in the operator's name. */
export const confirmOwn = (approvalId: number, key: string) =>
  call(confirmAtDesk, { params: { id: String(approvalId) }, headers: keyed(key), body: {} })

export const refuse = (approvalId: number, reason: string, over: Over, key: string) =>
  call(refuseAtDesk, { params: { id: String(approvalId) }, headers: keyed(key), body: { reason, ...over } })
