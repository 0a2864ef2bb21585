import type { OrderMessage } from '#server/features/messages/messages.queries.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import { isCarried } from '#shared/orders/travel.rules.ts'

const minute = 60_000

export const operatorRules = {
  resendings: 3,
  resendMs: 24 * 60 * minute,
  /** A message that was sent within this time can still arrive, so it is not sent again. */
  sentLatelyMs: 10 * minute,
} as const

const isEnded = ({ state }: OrderMessage) => state === 'failed' || state === 'dropped'
const isOvertaken = ({ state, last_error }: OrderMessage) => state === 'dropped' && last_error === 'overtaken'
const isSent = ({ state }: OrderMessage) => state === 'accepted' || state === 'delivered'

/**
 * With `id`, returns only this message, even if it was sent. Takes the newest of several sends, and leaves out messages
 * that a later event has overtaken.
 */
export function toSendAgain(
  messages: readonly OrderMessage[],
  id: number | undefined,
): readonly OrderMessage[] {
  const newest = messages.filter(
    (row) =>
      !messages.some(
        (later) =>
          later.id > row.id &&
          later.reported_event_id === row.reported_event_id &&
          later.recipient === row.recipient &&
          later.channel === row.channel,
      ),
  )
  return newest.filter(
    (row) =>
      !isOvertaken(row) && (id === undefined ? isEnded(row) : row.id === id && (isEnded(row) || isSent(row))),
  )
}

export const isSentLately = (row: OrderMessage, now: number): boolean =>
  isSent(row) && (row.asked_at ?? row.ended_at ?? now) > now - operatorRules.sentLatelyMs

interface MessageFacts {
  readonly messages: readonly Pick<OrderMessage, 'claim_id' | 'reported_event_id'>[]
  readonly order: Pick<Row<'orders'>, 'payment' | 'ended'>
  readonly bookings: readonly Pick<Row<'bookings'>, 'id' | 'carriage' | 'receiver_phone'>[]
  readonly claims: readonly Pick<Row<'claims'>, 'id' | 'state' | 'late_since'>[]
}

/** A message about the account counts as no longer true. */
export function isStillTrue(
  message: Pick<OrderMessage, 'kind' | 'booking_id' | 'claim_id' | 'reported_event_id'>,
  { order, bookings, claims, messages }: MessageFacts,
): boolean {
  const { kind, booking_id, claim_id } = message
  const isPaid = statusOf(order) === 'PAID'
  const bag = bookings.find(({ id }) => id === booking_id)
  const at = bag?.carriage ?? 'none'
  const isLast = !messages.some(
    (other) => other.claim_id === claim_id && other.reported_event_id > message.reported_event_id,
  )
  const claim = isLast ? claims.find(({ id }) => id === claim_id) : undefined
  const named = at !== 'none' && at !== 'void' && bag?.receiver_phone != null
  const truth: Readonly<Partial<Record<MessageKind, boolean>>> = {
    paid: isPaid,
    'label-issued': isPaid,
    documents: isPaid,
    refunded: order.payment === 'returned',
    'refund-failed': order.payment === 'paid' && order.ended === 'cancelled',
    cancelled: order.ended === 'cancelled',
    'wrong-amount': true,
    'handed-over': isCarried(at),
    'at-branch': at === 'at-branch',
    collected: at === 'collected',
    exception: at === 'exception',
    late: isPaid && (at === 'received' || at === 'moving' || at === 'exception'),
    'receiver-named': named && !(at === 'at-branch' || at === 'collected'),
    'receiver-at-branch': named && at === 'at-branch',
    'claim-opened': claim?.state === 'OPEN' && claim.late_since === null,
    'claim-late': claim?.state === 'OPEN' && claim.late_since !== null,
    'claim-question': claim?.state === 'ANSWERED',
    'claim-answered': claim?.state === 'ANSWERED',
    'claim-closed': claim?.state === 'CLOSED',
  }
  return truth[kind] ?? false
}
