import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Photo } from '#client/entities/claim/photo.ts'
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
import { keyed, useSending } from '../sending.ts'
import { sendPhoto } from './send-photo.ts'

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

/** The last step that the page shows: what its owner has written after it is not answered unseen. */
export const seenOf = ({ events }: Pick<DeskClaim, 'events'>) => ({ step: events.at(-1)?.step ?? 1 })

/** The claim as it is after an act, or one that was refused; list and order are read again. */
function useClaimChange(claimId: number) {
  const queries = useQueryClient()
  const refresh = useRefresh()
  const queryKey = operationKey(readDeskClaim, { claimId: String(claimId) })
  return {
    onSuccess: ({ claim }: { claim: DeskClaim }) => queries.setQueryData(queryKey, claim),
    onError: () => void queries.invalidateQueries({ queryKey }),
    onSettled: refresh,
  }
}

const ofClaim = (claimId: number, key: string) => ({
  params: { claimId: String(claimId) },
  headers: keyed(key),
})

export const useAnswer = (claimId: number) =>
  useSending(
    (body: BodyOf<OperationOf<typeof answerDeskClaim>>, key) =>
      call(answerDeskClaim, { ...ofClaim(claimId, key), body }),
    useClaimChange(claimId),
  )

export const useAddPhoto = (claimId: number) =>
  useSending(
    ({ number, bytes }: Pick<Photo, 'bytes'> & { readonly number: number }, key) =>
      sendPhoto(claimId, number, bytes, key),
    useClaimChange(claimId),
  )

export const usePartnerNote = (claimId: number) =>
  useSending(
    (body: BodyOf<OperationOf<typeof noteDeskClaim>>, key) =>
      call(noteDeskClaim, { ...ofClaim(claimId, key), body }),
    useClaimChange(claimId),
  )

/** Under the key of its dialog. */
export const useClosing = (claimId: number) =>
  useMutation({
    mutationFn: ({ body, key }: { body: BodyOf<OperationOf<typeof closeDeskClaim>>; key: string }) =>
      call(closeDeskClaim, { ...ofClaim(claimId, key), body }),
    ...useClaimChange(claimId),
  })
