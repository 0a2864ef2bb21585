import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Photo } from '#client/entities/claim/photo.ts'
import { call } from '#client/platform/call.ts'
import { isTransient, operationKey } from '#client/platform/query-client.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import {
  listClaims,
  openClaim,
  storePhoto,
  withdrawClaim,
  writeToClaim,
} from '#shared/claims/claims.operations.ts'
import type { Claim, ClaimRequest } from '#shared/claims/claims.schemas.ts'

/** The time between two readings of the claims while one of them is not closed. */
const newsEveryMs = 60_000

/** The claims of an order, newest first, and what can be reported now. */
export function claimsQuery(orderId: string) {
  const params = { id: orderId }
  return queryOptions({
    queryKey: operationKey(listClaims, params),
    queryFn: ({ signal }) => call(listClaims, { params, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.claims.some(({ state }) => state !== 'CLOSED') ? newsEveryMs : false,
  })
}

/** Replaces a claim in the cached list with the server's new state, without another request. */
function useTakeClaim(orderId: string) {
  const client = useQueryClient()
  const { queryKey } = claimsQuery(orderId)
  return async (claim: Claim) => {
    // The answer of an older request must not overwrite the claim.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, (known) => {
      if (known === undefined) return known
      const others = known.claims.filter(({ claimId }) => claimId !== claim.claimId)
      return { ...known, claims: [claim, ...others].sort((a, b) => b.claimId - a.claimId) }
    })
  }
}

export interface OpenedClaim {
  readonly claim: Claim
  readonly isPhotoLost: boolean
}

/** Opens a claim, then sends its photographs. The claim stays open when a photograph fails. */
export function useOpenClaim(orderId: string) {
  const client = useQueryClient()
  const take = useTakeClaim(orderId)
  return async (request: ClaimRequest, key: string, photos: readonly Photo[]): Promise<OpenedClaim> => {
    const opened = call(openClaim, {
      params: { id: orderId },
      headers: { 'idempotency-key': key },
      body: request,
    })
    let { claim } = await opened.catch(async (error: unknown) => {
      // The server may know a claim that this page does not, because the answer of an earlier request was lost.
      if (!isTransient(error)) await client.invalidateQueries({ queryKey: claimsQuery(orderId).queryKey })
      throw error
    })
    let isPhotoLost = false
    for (const [index, { bytes }] of photos.entries()) {
      try {
        claim = await sendPhoto(claim.claimId, index + 1, bytes)
      } catch {
        isPhotoLost = true
      }
    }
    await take(claim)
    return { claim, isPhotoLost }
  }
}

async function sendPhoto(claimId: number, number: number, body: Photo['bytes']): Promise<Claim> {
  const params = { claimId: String(claimId), number: String(number) }
  const headers = { 'content-type': 'image/jpeg' }
  return (await call(storePhoto, { params, body, headers })).claim
}

/** The owner's actions on a claim. */
export function useClaimActions(orderId: string, claimId: number) {
  const take = useTakeClaim(orderId)
  const params = { claimId: String(claimId) }
  return {
    write: async (text: string) => take((await call(writeToClaim, { params, body: { text } })).claim),
    withdraw: useSingleMutation({
      mutationFn: async () => take((await call(withdrawClaim, { params })).claim),
    }),
    addPhoto: useSingleMutation({
      mutationFn: async ({ number, bytes }: { number: number; bytes: Photo['bytes'] }) =>
        take(await sendPhoto(claimId, number, bytes)),
    }),
  }
}
