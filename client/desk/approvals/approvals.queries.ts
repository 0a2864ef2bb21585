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

/** What waits for a second person, the oldest first; also what one asked oneself, which is in no work list. */
export function useWaitingApprovals() {
  const language = useLanguage()
  return useInfiniteQuery({
    // What has changed is said in the language on screen.
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

/** @param over who has it in the work list, and is named on the page */
export const approve = (approvalId: number, over: Over, key: string) =>
  call(approveAtDesk, { params: { id: String(approvalId) }, headers: keyed(key), body: over })

/** What a terminal asked for in the person's name. */
export const confirmOwn = (approvalId: number, key: string) =>
  call(confirmAtDesk, { params: { id: String(approvalId) }, headers: keyed(key), body: {} })

export const refuse = (approvalId: number, reason: string, over: Over, key: string) =>
  call(refuseAtDesk, { params: { id: String(approvalId) }, headers: keyed(key), body: { reason, ...over } })
