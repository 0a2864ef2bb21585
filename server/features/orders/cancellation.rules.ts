import type { CancellationTerms } from '#shared/orders/cancellation.schemas.ts'
import type { ordersErrors } from '#shared/orders/orders.errors.ts'
import type { OrderStatus } from '#shared/orders/orders.schemas.ts'
import type { HandOverCount } from '#shared/orders/travel.rules.ts'

const hourMs = 60 * 60_000

/** What decides whether an order can be cancelled. */
export interface CancellationFacts {
  readonly status: OrderStatus
  readonly paid_at: number | null
  readonly handed_over: HandOverCount
  readonly cancelled_at: number | null
}

/** `done`: it is cancelled already. `now`: it can be cancelled. Otherwise the error of the refusal. */
export type Cancellability = 'now' | 'done' | keyof typeof ordersErrors

/** The time of the earliest payment whose order can still be cancelled; null: no paid order can. */
export function cancellablePaidSince({ isOffered, hours }: CancellationTerms, now: number): number | null {
  if (!isOffered) return null
  return hours === 0 ? 0 : now - hours * hourMs
}

/** Whether an order can be cancelled, and why not. The guarded statement of the store decides; this explains it. */
export function cancellabilityOf(
  { status, paid_at, handed_over, cancelled_at }: CancellationFacts,
  terms: CancellationTerms,
  now: number,
): Cancellability {
  if (cancelled_at !== null) return 'done'
  if (status === 'PENDING_PAYMENT') return 'now'
  if (status !== 'PAID') return 'ORDER_NOT_CANCELLABLE'
  if (handed_over !== 'none') return 'ALREADY_HANDED_OVER'
  const since = cancellablePaidSince(terms, now)
  return since !== null && (paid_at ?? 0) >= since ? 'now' : 'CANCELLATION_NOT_OFFERED'
}
