import {
  type CarriageNews,
  type Effects,
  type OutboxEvent,
  writeMessages,
} from '#server/features/history/outbox.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { isForReceiver } from '#shared/messages/messages.rules.ts'
import type { ClaimMessageKind, MessageKind } from '#shared/messages/messages.schemas.ts'
import { isMail } from '#shared/messages/messages.schemas.ts'

/** Above the ids of events that a test records. */
let lastEvent = 1_000_000

export const nextEventId = (): number => {
  lastEvent += 1
  return lastEvent
}

type NewMessage = Partial<Row<'messages'>> & {
  readonly user_id: number
  readonly order_id: number
  readonly kind: MessageKind
}

/** Adds a message, of an event of its own unless it names one. Returns its number. */
export async function addMessage(database: Database, message: NewMessage): Promise<number> {
  const event_id = message.event_id ?? nextEventId()
  const { id } = await database.tables
    .insertInto('messages')
    .values({
      booking_id: 0,
      reported_event_id: event_id,
      recipient: isForReceiver(message.kind) ? 'receiver' : 'owner',
      channel: isMail(message.kind) ? 'mail' : 'sms',
      phone: '',
      body: '',
      state: 'waiting',
      held_until: null,
      created_at: database.now(),
      due_at: message.held_until ?? database.now(),
      ...message,
      event_id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** All messages, in the order in which they were written. */
export const messagesIn = (database: Database) =>
  database.tables.selectFrom('messages').selectAll().orderBy('id').execute()

export interface Cause {
  readonly kind:
    | CarriageNews
    | ClaimMessageKind
    | 'paid'
    | 'label-issued'
    | 'receiver-named'
    | 'receiver-changed'
    | 'late'
    | 'refunded'
    | 'wrong-amount'
    | 'cancelled'
    | 'hand-over-final'
  readonly orderId: number
  readonly userId: number
  readonly bookingId?: number | undefined
  readonly eventId?: number | undefined
  /** Until when a hand-over may be undone, or from when on a bag is late. */
  readonly heldUntil?: number | undefined
}

const money = { refundId: 1, transaction: 'T1', halalas: 4_900, currency: 'SAR' }
const scan = { kind: 'scan', data: { scan: 'in-transit', place: null, code: null, personal: null } } as const
const claim = { kind: 'other', personal: null } as const

function causeOf({ kind, heldUntil }: Cause): readonly [Omit<OutboxEvent, 'id'>, Effects] {
  switch (kind) {
    case 'paid':
      return [{ kind, data: { transaction: 'T1', halalas: 4_900, currency: 'SAR' } }, { notifiesOwner: true }]
    case 'label-issued':
      return [{ kind, data: { awb: '231200021879' } }, { completesOrder: true }]
    case 'receiver-named':
      return [{ kind: 'label-issued', data: { awb: '231200021879' } }, { hasReceiver: true }]
    case 'receiver-changed':
      return [{ kind, data: {} }, { notifiesOwner: true }]
    case 'late':
      return [{ kind: 'arrival-expected', data: { lateFrom: heldUntil ?? 0 } }, {}]
    case 'refunded':
    case 'wrong-amount':
      return [{ kind: 'refunded', data: money }, { returned: kind === 'refunded' ? 'order' : 'wrong-amount' }]
    case 'cancelled':
      return [{ kind: 'order-cancelled', data: { personal: null } }, { notifiesOwner: true }]
    case 'hand-over-final':
      return [scan, { isFinal: true }]
    case 'claim-opened':
    case 'claim-question':
    case 'claim-answered':
    case 'claim-late':
    case 'claim-closed':
      return [{ kind, data: claim } as unknown as Omit<OutboxEvent, 'id'>, {}]
    default:
      return [scan, { carriage: kind, finalAt: heldUntil }]
  }
}

/** Writes the messages of what happened, as its event does. */
export function cause(database: Database, news: Cause): Promise<void> {
  const [event, effects] = causeOf(news)
  const { orderId, bookingId, userId, eventId = nextEventId() } = news
  return database.transaction(() =>
    writeMessages(
      { database },
      { ...event, id: eventId, orderId, bookingId, userId } as OutboxEvent,
      effects,
    ),
  )
}
