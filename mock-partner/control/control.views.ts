import type { MailRecord } from '../mail/mail.state.ts'
import type { SmsRecord } from '../messaging/messaging.state.ts'
import type { InboxMessage } from '../otp/otp.state.ts'
import type { IntentionRecord, TransactionRecord } from '../payment/payment.records.ts'
import { summaryOf } from '../payment/payment.references.ts'
import type { PaymentState } from '../payment/payment.state.ts'
import type { Delivery } from '../platform/deliveries.ts'

/** Testers read times as ISO 8601 and money in halalas. */
const iso = (epochMs: number): string => new Date(epochMs).toISOString()
const isoOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : iso(epochMs))

export const messageView = ({ id, sentAt, isLost: _, ...message }: InboxMessage) => ({
  id: String(id),
  ...message,
  sentAt: iso(sentAt),
})

export const mailView = ({ id, sentAt, ...mail }: MailRecord) => ({
  id: String(id),
  ...mail,
  sentAt: iso(sentAt),
})

export function callbackView(delivery: Delivery) {
  const last = delivery.attempts.at(-1)
  return {
    id: delivery.id,
    ...delivery.about,
    url: delivery.url,
    state: delivery.state,
    /** The time of the last attempt; null before the first. */
    sentAt: isoOrNull(last?.at ?? null),
    status: last?.status ?? null,
    error: last?.error ?? null,
    attempts: delivery.attempts.map(({ at, status, error }) => ({ at: iso(at), status, error })),
    nextAttemptAt: isoOrNull(delivery.nextAttemptAt),
  }
}

export const smsView = (message: SmsRecord, callbacks: Delivery[]) => ({
  id: message.sid,
  phone: message.to,
  text: message.body,
  status: message.status,
  errorCode: message.errorCode,
  sentAt: iso(message.createdAt),
  callbacks: callbacks.map(callbackView),
})

const transactionView = (transaction: TransactionRecord) => ({
  id: transaction.id,
  kind: transaction.kind,
  parentId: transaction.parentId,
  pending: transaction.settlesAt !== null,
  success: transaction.answer.isApproved && transaction.settlesAt === null,
  amount: transaction.amountHalalas,
  message: transaction.answer.message,
  card: `${transaction.card.brand} ${transaction.card.last4}`,
  isVoided: transaction.isVoided,
  refundedAmount: transaction.refundedHalalas,
  createdAt: iso(transaction.createdAt),
})

/** A payment that charged another amount than was asked is not `paid`. */
function statusView(state: PaymentState, intention: IntentionRecord) {
  const { status, charged, differs } = summaryOf(state, intention)
  return { status, charged, differs }
}

export const paymentView = (state: PaymentState, callbacks: Delivery[], intention: IntentionRecord) => ({
  id: intention.id,
  intentionOrderId: intention.orderId,
  orderNumber: intention.extras.order_number ?? null,
  reference: intention.reference,
  clientSecret: intention.clientSecret,
  amount: intention.amountHalalas,
  currency: intention.currency,
  ...statusView(state, intention),
  createdAt: iso(intention.createdAt),
  expiresAt: iso(intention.expiresAt),
  notificationUrl: intention.notificationUrl,
  redirectionUrl: intention.redirectionUrl,
  transactions: state.transactionsOf(intention).map(transactionView),
  callbacks: callbacks.map(callbackView),
})
