export interface Credentials {
  readonly publicKey: string
  readonly clientSecret: string
  readonly orderId: string
}

/** What the payment page needs from its address (spec §5); `undefined` when anything is missing. */
export function readCredentials(query: URLSearchParams): Credentials | undefined {
  const publicKey = query.get('publicKey')
  const clientSecret = query.get('clientSecret')
  const orderId = query.get('orderId')
  return publicKey && clientSecret && orderId ? { publicKey, clientSecret, orderId } : undefined
}

export type Outcome =
  /** The provider took the payment, or is still thinking about it: the server tells which. */
  | { readonly kind: 'taken'; readonly merchantOrderId?: string }
  /** Another card may be tried in the widget. */
  | { readonly kind: 'declined'; readonly message?: string }
  /** The answer says neither: only the server knows. */
  | { readonly kind: 'unknown' }

/**
 * Reads the answer of `afterPaymentComplete`. Its shape is known from the provider's own consumers only: a flat
 * record of strings in `data`, or the same in `res.data` (facts of the widget, 1.2.x).
 */
export function readOutcome(response: unknown): Outcome {
  const data = fieldOf(response, 'data') ?? fieldOf(fieldOf(response, 'res'), 'data')
  const success = textOf(fieldOf(data, 'success'))
  const pending = textOf(fieldOf(data, 'pending'))
  if (success === 'true' || pending === 'true') {
    const merchantOrderId = textOf(fieldOf(data, 'merchant_order_id'))
    return isOrderKey(merchantOrderId) ? { kind: 'taken', merchantOrderId } : { kind: 'taken' }
  }
  const message =
    textOf(fieldOf(data, 'data.message')) ??
    textOf(fieldOf(data, 'error')) ??
    textOf(fieldOf(data, 'message'))
  if (success === 'false') return message ? { kind: 'declined', message } : { kind: 'declined' }
  return textOf(fieldOf(data, 'error')) && message ? { kind: 'declined', message } : { kind: 'unknown' }
}

function isOrderKey(key: string | undefined): key is string {
  return key !== undefined && /^[A-Za-z0-9-]{1,64}$/.test(key)
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** What the thank-you page was opened with (spec §5): anything but a clear success with a reference is a failure. */
export function readReturn(query: URLSearchParams): {
  readonly succeeded: boolean
  readonly merchantOrderId: string | null
} {
  const merchantOrderId = query.get('merchant_order_id') || null
  return { succeeded: query.get('success') === 'true' && merchantOrderId !== null, merchantOrderId }
}

interface Watched {
  readonly status: string
  readonly bookings: readonly { readonly awb: string | null }[]
}

/** True while the server may still have news: the payment is open, or an airway bill is being issued. */
export function isAwaitingNews(order: Watched): boolean {
  if (order.status === 'PENDING_PAYMENT') return true
  return order.status === 'PAID' && order.bookings.some((booking) => booking.awb === null)
}

const pauses = [1, 2, 3, 5, 8, 13, 21, 34, 60] as const

/** Milliseconds until the next look, after `looks` looks: quick at first, then once a minute. */
export function pauseAfter(looks: number): number {
  return (pauses[Math.max(0, looks - 1)] ?? 60) * 1000
}
