import type { CancellationTerms } from '#shared/orders/cancellation.schemas.ts'
import type { WhyNotCancellable } from '#shared/orders/not-cancellable.ts'
import type { ordersErrors } from '#shared/orders/orders.errors.ts'
import type { OrderEnd, OrderPayment } from '#shared/orders/orders.schemas.ts'
import type { HandOverCount } from '#shared/orders/travel.rules.ts'

const hourMs = 60 * 60_000

export interface CancellationFacts {
  readonly payment: OrderPayment
  readonly ended: OrderEnd | null
  readonly paid_at: number | null
  readonly handed_over: HandOverCount
}

/** `promised`: a compensation was recorded for the order. */
export type Cancellability =
  | 'now'
  | 'done'
  | Extract<WhyNotCancellable, 'ended' | 'promised'>
  | Extract<keyof typeof ordersErrors, 'ALREADY_HANDED_OVER' | 'CANCELLATION_NOT_OFFERED'>

/** @returns null when no paid order can be cancelled */
export function cancellablePaidSince({ isOffered, hours }: CancellationTerms, now: number): number | null {
  if (!isOffered) return null
  return hours === 0 ? 0 : now - hours * hourMs
}

export function cancellabilityOf(
  { payment, ended, paid_at, handed_over }: CancellationFacts,
  terms: CancellationTerms,
  now: number,
  /** The sum of compensations in halalas. */
  compensated = 0,
): Cancellability {
  if (ended === 'cancelled') return 'done'
  if (payment === 'returned' || ended !== null || handed_over === 'void') return 'ended'
  if (payment === 'unpaid') return 'now'
  if (handed_over !== 'none') return 'ALREADY_HANDED_OVER'
  const since = cancellablePaidSince(terms, now)
  if (since === null || (paid_at ?? 0) < since) return 'CANCELLATION_NOT_OFFERED'
  return compensated > 0 ? 'promised' : 'now'
}
