import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { approveAtDesk, listApprovals, refuseAtDesk } from '#shared/desk-actions/desk-actions.operations.ts'
import { keyed } from '../sending.ts'
import { stampOf, useWork } from '../work/work.queries.ts'

const pollMs = 60_000

/** What waits for a second person, the oldest first; also what one asked oneself, which is in no work list. */
export function useWaitingApprovals() {
  const language = useLanguage()
  const { data, error } = useWork()
  return useQuery({
    // What has changed is said in the language on screen.
    queryKey: [...operationKey(listApprovals), language, stampOf(data, 'approvals')],
    enabled: data !== undefined || error !== null,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await call(listApprovals, { signal })).approvals,
    refetchInterval: pollMs,
  })
}

export const approve = (approvalId: number, key: string) =>
  call(approveAtDesk, { params: { id: String(approvalId) }, headers: keyed(key), body: {} })

export const refuse = (approvalId: number, reason: string, key: string) =>
  call(refuseAtDesk, { params: { id: String(approvalId) }, headers: keyed(key), body: { reason } })
