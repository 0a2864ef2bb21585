import { useState } from 'react'
import { isTransient } from '#client/platform/query-client.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { claimOf, type KeptClaims } from './kept-claims.rules.ts'
import { useKeptClaims } from './kept-claims.ts'

/** Queries that failed for want of an answer are asked again after this time. */
export const unansweredPollMs = 20_000

/** The parts of a query's result that say whether the server answers. */
interface Reading {
  readonly isError: boolean
  readonly error: unknown
  readonly failureReason: unknown
  /** Counts the failures since the query began. */
  readonly errorUpdateCount: number
  readonly dataUpdatedAt: number
}

/** That orders are not the server's present answer. */
export interface Kept {
  /** When the oldest of them was known, in epoch milliseconds. */
  readonly knownAt: number
  /** `waiting`: the first answer is on its way. `unreachable`: the server could not be asked. */
  readonly reason: 'waiting' | 'unreachable'
}

export interface KnownOrders {
  readonly orders: readonly Order[]
  readonly kept?: Kept | undefined
}

/** The orders of a list: as answered, until then and when the server cannot be asked the kept claims. `undefined`: neither. */
export function useKnownOrders(
  reading: Reading,
  answered: readonly Order[] | undefined,
): KnownOrders | undefined {
  const claims = useClaimsFor(reading)?.claims ?? []
  if (answered !== undefined) return { orders: answered, kept: keptAnswer(reading) }
  if (claims.length === 0 || isRefused(reading)) return undefined
  const knownAt = Math.min(...claims.map((claim) => claim.knownAt))
  return { orders: claims.map(({ order }) => order), kept: { knownAt, reason: reasonOf(reading) } }
}

/** The same for one order, by its number or merchant reference. */
export function useKnownOrder(
  reading: Reading,
  answered: Order | undefined,
  key: string,
): { readonly order: Order; readonly kept?: Kept | undefined } | undefined {
  const claims = useClaimsFor(reading)
  if (answered !== undefined) return { order: answered, kept: keptAnswer(reading) }
  const claim = claims && claimOf(claims, key)
  if (claim === undefined || isRefused(reading)) return undefined
  return { order: claim.order, kept: { knownAt: claim.knownAt, reason: reasonOf(reading) } }
}

/** An answer on screen, from the failure to replace it until the next one: another try alone changes nothing. */
function keptAnswer({ isError, error, dataUpdatedAt }: Reading): Kept | undefined {
  return isError && isTransient(error) ? { knownAt: dataUpdatedAt, reason: 'unreachable' } : undefined
}

function isRefused({ isError, error }: Reading): boolean {
  return isError && !isTransient(error)
}

function reasonOf({ isError, failureReason, errorUpdateCount }: Reading): Kept['reason'] {
  return !isError && failureReason === null && errorUpdateCount === 0 ? 'waiting' : 'unreachable'
}

/**
 * While the first answer is on its way, the claims that were kept before: its own orders are kept a moment before they are
 * shown, and would be taken for old.
 */
function useClaimsFor(reading: Reading): KeptClaims | undefined {
  const kept = useKeptClaims()
  const [before] = useState(kept)
  return reasonOf(reading) === 'waiting' && kept?.userId === before?.userId ? before : kept
}
