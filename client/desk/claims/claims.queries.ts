import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import {
  answerDeskClaim,
  closeDeskClaim,
  noteDeskClaim,
  readDeskClaim,
} from '#shared/desk/claims/desk-claims.operations.ts'
import type { OperationOf } from '#shared/operations.ts'
import type { BodyOf, ResponseOf } from '#shared/platform/operation.ts'
import { useRefresh } from '../actions/actions.queries.ts'
import { keyed } from '../sending.ts'

export type DeskClaim = ResponseOf<OperationOf<typeof readDeskClaim>>['claim']

/** @param claimId undefined asks for nothing. Coming back to one shows what has become of it. */
export function useDeskClaim(claimId = '') {
  return useQuery({
    queryKey: operationKey(readDeskClaim, { claimId }),
    enabled: claimId !== '',
    staleTime: 0,
    queryFn: async ({ client, queryKey, signal }) => {
      // What news of it make the page read once more is no use of the session.
      const again = client.getQueryData(queryKey) === undefined ? {} : { query: { again: '1' as const } }
      return (await call(readDeskClaim, { params: { claimId }, ...again, signal })).claim
    },
  })
}

/** The last step that the page shows: a later message of the owner is not answered unseen. */
export const seenOf = ({ events }: Pick<DeskClaim, 'events'>) => ({ step: events.at(-1)?.step ?? 1 })

/** Waits for an act on a claim: its answer is the claim as it is then. After a refusal the claim is read again. */
export function useClaimAct(claimId: number) {
  const queries = useQueryClient()
  const refresh = useRefresh()
  const queryKey = operationKey(readDeskClaim, { claimId: String(claimId) })
  return async <A extends { claim: DeskClaim }>(request: Promise<A>): Promise<A> => {
    try {
      const answer = await request
      queries.setQueryData(queryKey, answer.claim)
      return answer
    } catch (error) {
      void queries.invalidateQueries({ queryKey })
      throw error
    } finally {
      refresh()
    }
  }
}

const ofClaim = (claimId: number, key: string) => ({
  params: { claimId: String(claimId) },
  headers: keyed(key),
})

export const answerClaim = (
  claimId: number,
  body: BodyOf<OperationOf<typeof answerDeskClaim>>,
  key: string,
) => call(answerDeskClaim, { ...ofClaim(claimId, key), body })

export const notePartner = (claimId: number, body: BodyOf<OperationOf<typeof noteDeskClaim>>, key: string) =>
  call(noteDeskClaim, { ...ofClaim(claimId, key), body })

export const closeClaim = (claimId: number, body: BodyOf<OperationOf<typeof closeDeskClaim>>, key: string) =>
  call(closeDeskClaim, { ...ofClaim(claimId, key), body })
