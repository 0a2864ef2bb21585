import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import {
  answerDeskClaim,
  closeDeskClaim,
  noteDeskClaim,
  readDeskClaim,
} from '#shared/claims/claims.desk.operations.ts'
import type { BodyOf, ResponseOf } from '#shared/platform/operation.ts'
import { useRefresh } from '../actions/actions.queries.ts'

export type DeskClaim = ResponseOf<typeof readDeskClaim>['claim']

/** @param claimId undefined asks for nothing. Coming back to one shows what has become of it. */
export function useDeskClaim(claimId = '') {
  return useQuery({
    queryKey: operationKey(readDeskClaim, { claimId }),
    enabled: claimId !== '',
    staleTime: 0,
    queryFn: async ({ signal }) => (await call(readDeskClaim, { params: { claimId }, signal })).claim,
  })
}

/** The claim as it is after an act; list and order are read again. */
function useClaimChange<V, A extends { claim: DeskClaim }>(claimId: number, act: (value: V) => Promise<A>) {
  const queries = useQueryClient()
  const refresh = useRefresh()
  return useSingleMutation({
    mutationFn: act,
    onSuccess: ({ claim }) =>
      queries.setQueryData(operationKey(readDeskClaim, { claimId: String(claimId) }), claim),
    onSettled: refresh,
  })
}

export const useAnswer = (claimId: number) =>
  useClaimChange(claimId, (body: BodyOf<typeof answerDeskClaim>) =>
    call(answerDeskClaim, { params: { claimId: String(claimId) }, body }),
  )

export const useClosing = (claimId: number) =>
  useClaimChange(claimId, (body: BodyOf<typeof closeDeskClaim>) =>
    call(closeDeskClaim, { params: { claimId: String(claimId) }, body }),
  )

export const usePartnerNote = (claimId: number) =>
  useClaimChange(claimId, (body: BodyOf<typeof noteDeskClaim>) =>
    call(noteDeskClaim, { params: { claimId: String(claimId) }, body }),
  )
