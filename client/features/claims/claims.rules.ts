import { claimKinds, claimTextLength } from '#shared/claims/claims.operations.ts'
import type { Claim, ClaimKind, ClaimOffer } from '#shared/claims/claims.schemas.ts'

/** What is typed into the form. */
export interface TypedClaim {
  readonly kind: ClaimKind | undefined
  /** Index of the bag, where there are two. */
  readonly bag: number
  readonly text: string
}

/** A link to the form asks for this problem. */
export interface AskedClaim {
  readonly kind: ClaimKind | undefined
  /** Index of the bag. */
  readonly bag: number
}

/** Reads the address of the form. A kind that is not known is no kind. */
export function readAskedClaim(query: URLSearchParams): AskedClaim {
  const bag = Number(query.get('bag'))
  return {
    kind: claimKinds.find((kind) => kind === query.get('kind')),
    bag: Number.isInteger(bag) && bag >= 0 ? bag : 0,
  }
}

/** Whether what is asked for was reported, and the claim is open. */
export function isReported(claims: readonly Claim[], asked: AskedClaim, { bags }: ClaimOffer): boolean {
  const awb = bags[asked.bag]?.awb
  return claims.some((claim) => claim.kind === asked.kind && claim.awb === awb && claim.state !== 'CLOSED')
}

/** Kinds that this build has words for. */
export function offeredKinds({ bags }: ClaimOffer, bag: number): ClaimKind[] {
  const offered = bags[bag]?.kinds ?? []
  return claimKinds.filter((kind) => offered.includes(kind))
}

export type ClaimFault = 'kind' | 'text'

/** What is missing, in the order of the form. */
export function faultsOf({ kind, text }: TypedClaim, offered: readonly ClaimKind[]): ClaimFault[] {
  const faults: ClaimFault[] = []
  if (kind === undefined || !offered.includes(kind)) faults.push('kind')
  if (text.trim().length < claimTextLength.least) faults.push('text')
  return faults
}

/** The text key of a kind; `other` for one of a newer server. */
export const knownKind = (kind: string): ClaimKind => claimKinds.find((known) => known === kind) ?? 'other'

/** What the owner is told of a claim now: the text key below `status`. */
export function statusOf(claim: Claim): 'open' | 'late' | 'question' | 'answered' | 'closed' {
  if (claim.state === 'CLOSED') return 'closed'
  if (claim.state === 'OPEN') return claim.isLate ? 'late' : 'open'
  return claim.messages.findLast(({ from }) => from === 'us')?.isQuestion ? 'question' : 'answered'
}

/** Whether its owner can still write: a closed claim is opened again for a time. */
export function mayWrite({ state, reopensUntil }: Claim, now: number): boolean {
  return state !== 'CLOSED' || (reopensUntil !== undefined && now < Date.parse(reopensUntil))
}
