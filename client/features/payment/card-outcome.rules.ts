import { fieldOf } from '#client/platform/field-of.ts'
import { isOrderKey } from './payment.rules.ts'

/** Reasons for which the widget accepts no further card with a secret. */
export const refusals = ['retries-used', 'form-expired', 'already-handled'] as const
export type Refusal = (typeof refusals)[number]

/** Reasons why a card was declined, as far as we know the provider's words for them. */
export const declineReasons = ['no-funds', 'expired-card', 'not-authenticated'] as const
export type DeclineReason = (typeof declineReasons)[number]

export type Outcome =
  /** The provider took the payment or is still processing it; the server knows which. */
  | { readonly kind: 'taken'; readonly merchantOrderId?: string }
  /** Another card may be tried in the widget. */
  | { readonly kind: 'declined'; readonly reason?: DeclineReason; readonly message?: string }
  /** The secret accepts no further card: a fresh secret is needed. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The response has no known form: the app asks the server. */
  | { readonly kind: 'unknown' }

/**
 * Reads the response passed to `afterPaymentComplete`. A charge or a decline by the bank is a flat record of strings in
 * `data`, or in `res.data`. Refusals are `{ status, data }`, told apart by status and text as the provider's bundle does
 * when no callback is set (paymob-pixel-alpha 1.2.14, `handlePaymentResponse`).
 */
export function readOutcome(response: unknown): Outcome {
  const answer = fieldOf(response, 'data') === undefined ? fieldOf(response, 'res') : response
  const data = fieldOf(answer, 'data')
  const status = fieldOf(answer, 'status')
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
  if (success === 'false') return declinedWith(message)
  if (status === 400) return readBadRequest(data, message)
  if (status === 401) return { kind: 'refused', refusal: 'form-expired' }
  if (status === 403) return { kind: 'refused', refusal: 'retries-used' }
  if (status === 406 || status === 422) return { kind: 'refused', refusal: 'already-handled' }
  return textOf(fieldOf(data, 'error')) ? declinedWith(message) : { kind: 'unknown' }
}

function readBadRequest(data: unknown, message: string | undefined): Outcome {
  const said = (Array.isArray(data) ? textOf(data[0]) : undefined) ?? textOf(fieldOf(data, 'msg')) ?? message
  if (said === undefined) return { kind: 'declined' }
  if (/^retry limit reached/i.test(said)) return { kind: 'refused', refusal: 'retries-used' }
  if (/^order has already (been )?paid/i.test(said)) return { kind: 'taken' }
  if (/^(session error|order already being processed)/i.test(said))
    return { kind: 'refused', refusal: 'already-handled' }
  return declinedWith(said)
}

/** Drops a message that only repeats that the card was declined. */
function declinedWith(message: string | undefined): Outcome {
  if (!message || /^(payment is )?declined\.?$/i.test(message)) return { kind: 'declined' }
  const reason = declineReasons.find((each) => wordings[each].test(message))
  return reason === undefined ? { kind: 'declined', message } : { kind: 'declined', reason }
}

/** Reads the reason from the provider's text: the codes next to it have no documented meaning. */
const wordings = {
  'no-funds': /insufficient (funds|balance)/i,
  'expired-card': /(expired card|card (has |is )?expired)/i,
  'not-authenticated': /(3-?d[\s-]?s(ecure)?\b.*fail|authentication fail|not authenticated)/i,
} as const satisfies Record<DeclineReason, RegExp>

function textOf(value: unknown): string | undefined {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
