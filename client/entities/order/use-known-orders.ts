import { useEffect, useState } from 'react'
import { isTransient } from '#client/platform/query-client.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { claimOf } from './kept-claims.rules.ts'
import { useKeptClaims } from './kept-claims.ts'

/** A first answer that takes longer is replaced by the kept claims until it arrives. */
const slowAfterMs = 4_000

/** Queries that failed for want of an answer are asked again after this time. */
export const unansweredPollMs = 20_000

/** The parts of a query's result that say whether the server answers. */
interface Reading {
  readonly isPending: boolean
  readonly isSuccess: boolean
  readonly failureReason: unknown
  readonly dataUpdatedAt: number
}

export interface KnownOrders {
  readonly orders: readonly Order[]
  /** Epoch milliseconds of the oldest of them, when the server cannot be asked now. */
  readonly knownAt: number | undefined
}

/**
 * The orders of a list: as answered, else the kept claims when the server cannot be asked. `undefined`: neither.
 */
export function useKnownOrders(
  reading: Reading,
  answered: readonly Order[] | undefined,
): KnownOrders | undefined {
  const isCutOff = useIsCutOff(reading)
  const kept = useKeptClaims()
  if (answered !== undefined)
    return { orders: answered, knownAt: isCutOff ? reading.dataUpdatedAt : undefined }
  if (!isCutOff || kept === undefined || kept.claims.length === 0) return undefined
  return {
    orders: kept.claims.map(({ order }) => order),
    knownAt: Math.min(...kept.claims.map(({ knownAt }) => knownAt)),
  }
}

/** The same for one order, by its number or merchant reference. */
export function useKnownOrder(
  reading: Reading,
  answered: Order | undefined,
  key: string,
): { readonly order: Order; readonly knownAt: number | undefined } | undefined {
  const isCutOff = useIsCutOff(reading)
  const kept = useKeptClaims()
  if (answered !== undefined)
    return { order: answered, knownAt: isCutOff ? reading.dataUpdatedAt : undefined }
  return isCutOff && kept !== undefined ? claimOf(kept, key) : undefined
}

/** True from a failure, or a long wait, until the next answer, also a refusal: another try alone changes nothing. */
function useIsCutOff({ isPending, isSuccess, failureReason }: Reading): boolean {
  const [isCutOff, setIsCutOff] = useState(false)
  const isNow = !isSuccess && (failureReason === null ? isCutOff : isTransient(failureReason))
  if (isNow !== isCutOff) setIsCutOff(isNow)

  useEffect(() => {
    if (!isPending) return
    const timer = setTimeout(() => setIsCutOff(true), slowAfterMs)
    return () => clearTimeout(timer)
  }, [isPending])
  return isNow
}
