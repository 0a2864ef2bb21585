import { isEnded, knownStatus } from '#client/entities/order/order-card.rules.ts'
import type { Order, OrderStatus } from '#shared/orders/orders.schemas.ts'

/** The outcome of a payment in the address of the result page. The order's own status takes precedence. */
export type ReportedPayment = 'succeeded' | 'failed'

/** The state of an order whose page has no pass; order-without-pass.tsx has a row for each state. */
export type OrderState =
  /** The reference in the address has no valid form. */
  | 'missing'
  | 'declined'
  | 'unpaid'
  /** The user has just paid, and the confirmation is awaited. */
  | 'checked'
  | 'unconfirmed'
  | 'refunding'
  | 'payableAgain'
  /** The order was paid, and its refund was requested before a bag was handed over. */
  | 'notCarried'
  | Exclude<OrderStatus, 'PAID' | 'PENDING_PAYMENT'>
  /** A status that only a newer server knows. */
  | 'other'

interface Circumstances {
  readonly payment?: ReportedPayment | undefined
  /** The confirmation is so late that it may never come. */
  readonly isLate?: boolean
}

/** The state of an order without a pass; `undefined` when the order could not be read. */
export function stateOf(
  order: Order | undefined,
  { payment, isLate = false }: Circumstances,
): OrderState | undefined {
  if (payment === 'failed' && (order === undefined || !hasMoneyMoved(order))) return 'declined'
  if (order === undefined) return undefined
  const { status, refund, payable } = order
  if (refund !== undefined && payable) return 'payableAgain'
  const known = knownStatus(status)
  if (known === undefined) return 'other'
  if (known === 'PAID') return 'notCarried'
  if (known !== 'PENDING_PAYMENT') return known
  if (refund !== undefined) return 'refunding'
  if (payment === undefined) return 'unpaid'
  return isLate && payable ? 'unconfirmed' : 'checked'
}

/** A cancelled card form is no proof: an earlier payment of the same order may have succeeded or been refunded. */
function hasMoneyMoved({ status, refund }: Order): boolean {
  return status === 'PAID' || isEnded(status) || refund !== undefined
}
