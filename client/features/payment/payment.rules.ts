import { hasPass, isChanging, isEnded, isValidBag } from '#client/entities/order/order-card.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { paymentReturn } from '#shared/payments/payment-return.ts'

export interface Credentials {
  readonly publicKey: string
  readonly clientSecret: string
  readonly orderId: string
}

/** The credentials in the address of the payment page (spec §5); `undefined` when one is missing. */
export function readCredentials(query: URLSearchParams): Credentials | undefined {
  const publicKey = query.get('publicKey')
  const clientSecret = query.get('clientSecret')
  const orderId = query.get('orderId')
  return publicKey && clientSecret && orderId ? { publicKey, clientSecret, orderId } : undefined
}

const orderNumberPattern = /^[1-9]\d{0,14}$/

/** True for an order number or a merchant reference. Anything else is not sent to the server. */
export function isOrderKey(key: string | null | undefined): key is string {
  return typeof key === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(key)
}

export function isOrderNumber(key: string): boolean {
  return orderNumberPattern.test(key)
}

/** The address of the thank-you page (spec §5): a success needs `success=true` and a reference. */
export function readReturn(query: URLSearchParams): {
  readonly succeeded: boolean
  readonly merchantOrderId: string | null
} {
  const merchantOrderId = query.get(paymentReturn.merchantOrderId) || null
  return {
    succeeded: query.get(paymentReturn.success) === 'true' && merchantOrderId !== null,
    merchantOrderId,
  }
}

/**
 * True when the result page takes over: the order is paid, or a refund is under way or done. After a wrong amount was
 * refunded the order is payable again and keeps the note of that refund.
 */
export function isSettled({ status, refund, payable }: Order): boolean {
  return status === 'PAID' || isEnded(status) || (refund !== undefined && !payable)
}

/** True while the order may change: payment pending, airway bill being issued, or refund pending. */
export function isAwaitingNews(order: Order): boolean {
  return order.status === 'PENDING_PAYMENT' || isChanging(order)
}

/** False when the owners have their bags, or when the order has ended. */
export function mayChange(order: Order): boolean {
  const isOnItsWay =
    hasPass(order) && order.bookings.some((booking) => isValidBag(booking) && booking.state !== 'COLLECTED')
  return isOnItsWay || isAwaitingNews(order)
}

const pauses = [1, 2, 3, 5, 8, 13, 21, 34, 60] as const

/** Milliseconds until the next poll: 1 s after the first poll, then longer, at most a minute. */
export function pauseAfter(pollCount: number): number {
  return (pauses[Math.max(0, pollCount - 1)] ?? 60) * 1000
}
