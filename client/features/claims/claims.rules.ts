import { claimKinds, claimTextLength } from '#shared/claims/claims.operations.ts'
import type { Claim, ClaimKind, ClaimOffer } from '#shared/claims/claims.schemas.ts'

/** The values of the claim form. */
export interface TypedClaim {
  readonly kind: ClaimKind | undefined
  /** Index of the bag in the order. */
  readonly bag: number
  readonly text: string
}

/** The problem that a link to the form names. */
export interface AskedClaim {
  readonly kind: ClaimKind | undefined
  /** Index of the bag. */
  readonly bag: number
}

/** Reads the problem from the address of the form. An unknown kind is ignored. */
export function readAskedClaim(query: URLSearchParams): AskedClaim {
  const bag = Number(query.get('bag'))
  return {
    kind: claimKinds.find((kind) => kind === query.get('kind')),
    bag: Number.isInteger(bag) && bag >= 0 ? bag : 0,
  }
}

/** True when the named problem was reported already and its claim is open. */
export function isReported(claims: readonly Claim[], asked: AskedClaim, { bags }: ClaimOffer): boolean {
  const awb = bags[asked.bag]?.awb
  return claims.some((claim) => claim.kind === asked.kind && claim.awb === awb && claim.state !== 'CLOSED')
}

/** The offered kinds that this build has texts for. */
export function offeredKinds({ bags }: ClaimOffer, bag: number): ClaimKind[] {
  const offered = bags[bag]?.kinds ?? []
  return claimKinds.filter((kind) => offered.includes(kind))
}

export type ClaimFault = 'kind' | 'text'

/** The missing fields, in the order of the form. */
export function faultsOf({ kind, text }: TypedClaim, offered: readonly ClaimKind[]): ClaimFault[] {
  const faults: ClaimFault[] = []
  if (kind === undefined || !offered.includes(kind)) faults.push('kind')
  if (text.trim().length < claimTextLength.least) faults.push('text')
  return faults
}

/** The text key of a kind; `other` for an unknown kind of a newer server. */
export const knownKind = (kind: string): ClaimKind => claimKinds.find((known) => known === kind) ?? 'other'

/** The text key, below `status`, of the status that the owner sees. */
export function statusOf(claim: Claim): 'open' | 'late' | 'question' | 'answered' | 'closed' {
  if (claim.state === 'CLOSED') return 'closed'
  if (claim.state === 'OPEN') return claim.isLate ? 'late' : 'open'
  return claim.messages.findLast(({ from }) => from === 'us')?.isQuestion ? 'question' : 'answered'
}

/** True when the owner can still write. A closed claim can be reopened for a limited time. */
export function mayWrite({ state, reopensUntil }: Claim, now: number): boolean {
  return state !== 'CLOSED' || (reopensUntil !== undefined && now < Date.parse(reopensUntil))
}
