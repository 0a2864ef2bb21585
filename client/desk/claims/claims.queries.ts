import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { readDeskClaim } from '#shared/desk/claims/desk-claims.operations.ts'
import type { OperationOf } from '#shared/operations.ts'
import type { ResponseOf } from '#shared/platform/operation.ts'
import { useRefresh } from '../actions/actions.queries.ts'
import { keyed } from '../sending.ts'

export type DeskClaim = ResponseOf<OperationOf<typeof readDeskClaim>>['claim']

/** Reads a claim again at every return to its page. @param claimId `undefined` sends no request */
export function useDeskClaim(claimId = '') {
  return useQuery({
    queryKey: operationKey(readDeskClaim, { claimId }),
    enabled: claimId !== '',
    staleTime: 0,
    queryFn: async ({ client, queryKey, signal }) => {
      // A repeated reading after an event does not extend the session.
      const again = client.getQueryData(queryKey) === undefined ? {} : { query: { again: '1' as const } }
      return (await call(readDeskClaim, { params: { claimId }, ...again, signal })).claim
    },
  })
}

/** The last step that the page shows. The server refuses an answer when the owner has written after that step. */
export const seenOf = ({ events }: Pick<DeskClaim, 'events'>) => ({ step: events.at(-1)?.step ?? 1 })

/** An act on a claim. The server's answer contains the new claim; after a refusal the claim is read again. */
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

export const ofClaim = (claimId: number, key: string) => ({
  params: { claimId: String(claimId) },
  headers: keyed(key),
})
