import type { DemoOrder } from '#shared/demo/demo.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'

// How an order must end after the provider has decided on its payment.

export const outcomes = ['success', 'decline', 'cancel', 'refund', 'void'] as const
export type Outcome = (typeof outcomes)[number]

export const callbackModes = ['send', 'lose', 'twice', 'late', 'forge', 'mismatch'] as const
export type CallbackMode = (typeof callbackModes)[number]

export interface Transaction {
  readonly id: number
  readonly kind: string
  readonly parentId: number | null
  readonly success: boolean
  readonly pending: boolean
  readonly amount: number
  readonly message: string
}

export interface Callback {
  readonly type: string
  readonly transactionId: number
  readonly state: string
  readonly status: number | null
  readonly error: string | null
  readonly nextAttemptAt: string | null
}

export interface End {
  readonly status: DemoOrder['status']
  /** Transactions that the gateway must have stored. */
  readonly known: readonly string[]
  /** Transactions that must have gone back whole. */
  readonly returned: readonly string[]
}

/**
 * How the order must end. `before`: the order before the decision; `made`: the provider's new transactions. An
 * inquiry replaces a lost callback within minutes if the order is unpaid; the inquiries of a paid order are days
 * apart.
 */
export function expectedEnd(
  outcome: Outcome,
  mode: CallbackMode,
  before: DemoOrder,
  made: readonly Transaction[],
): End {
  const unchanged: End = { status: before.status, known: [], returned: [] }
  if (outcome === 'cancel' || mode === 'forge') return unchanged
  if (outcome === 'refund' || outcome === 'void') {
    const isOwn = made.some(({ parentId }) => String(parentId) === before.transactionId)
    const isWhole = isOwn && mode !== 'mismatch' && mode !== 'lose'
    return isWhole ? { ...unchanged, status: 'REFUNDED' } : unchanged
  }
  const ids = made.filter(({ kind }) => kind === 'payment').map(({ id }) => String(id))
  if (outcome === 'success') return endOfPayment(mode, unchanged, ids)
  return mode === 'lose' ? unchanged : { ...unchanged, known: ids }
}

/** How the order ends after approved payments. */
function endOfPayment(mode: CallbackMode, unchanged: End, ids: readonly string[]): End {
  const { status: before } = unchanged
  const acceptsPayment = before === 'PENDING_PAYMENT' || before === 'EXPIRED'
  // After several lost callbacks the provider's inquiry reports the newest payment only.
  if (mode === 'lose') return acceptsPayment ? { ...unchanged, status: 'PAID' } : unchanged
  if (mode === 'mismatch') return { ...unchanged, known: ids, returned: ids }
  if (acceptsPayment) return { status: 'PAID', known: ids, returned: ids.slice(1) }
  return { status: before === 'CANCELLED' ? 'REFUNDED' : before, known: ids, returned: ids }
}

/** Missing parts of the order's end; empty when the story is complete. */
export function missingOf(end: End, order: DemoOrder): string[] {
  const events = order.payments.flatMap((payment) => payment.events)
  const refunds = order.payments.flatMap((payment) => payment.refunds)
  const isKnown = (id: string) => events.some(({ transactionId }) => transactionId === id)
  const isReturned = (id: string) =>
    refunds.some(({ transactionId, state }) => transactionId === id && state === 'done')
  return [
    ...(order.status === end.status
      ? []
      : [`${orderNumber(order.orderId)} is ${order.status} and not ${end.status}`]),
    ...end.known.filter((id) => !isKnown(id)).map((id) => `the gateway does not know transaction ${id}`),
    ...end.returned.filter((id) => !isReturned(id)).map((id) => `transaction ${id} is not refunded`),
    ...(end.status === 'PAID' && order.status === 'PAID' ? order.bookings.flatMap(missingOfBag) : []),
  ]
}

function missingOfBag({ reference, awb, labelState }: DemoOrder['bookings'][number]): string[] {
  if (awb === null) return [`${reference} has no airway bill`]
  return labelState === 'issued' ? [] : [`the label of ${reference} is not stored`]
}

/** Differences between the provider's side and the request. */
export function providerFaults(
  outcome: Outcome,
  mode: CallbackMode,
  made: readonly Transaction[],
  callbacks: readonly Callback[],
): string[] {
  const isOfProvider = outcome !== 'cancel' && mode !== 'forge'
  return [
    ...(isOfProvider && !isMade(outcome, made) ? [`the provider shows no ${outcome} of this order`] : []),
    ...callbacks.flatMap((callback) => faultOfCallback(mode, callback) ?? []),
  ]
}

function isMade(outcome: Outcome, made: readonly Transaction[]): boolean {
  const kind = outcome === 'refund' || outcome === 'void' ? outcome : 'payment'
  return made.some((each) => each.kind === kind && !each.pending && each.success === (outcome !== 'decline'))
}

function faultOfCallback(
  mode: CallbackMode,
  { transactionId, state, status, error }: Callback,
): string | undefined {
  const isTaken = status !== null && status >= 200 && status < 300
  if (mode === 'forge')
    return isTaken ? `the gateway took the forged callback of ${transactionId}` : undefined
  // A callback without an attempt is lost or waits on purpose.
  const isTried = status !== null || error !== null
  if (isTaken || !isTried) return undefined
  return `the callback of ${transactionId} is ${state}: ${error ?? `HTTP ${status}`}`
}
