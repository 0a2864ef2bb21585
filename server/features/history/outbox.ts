import { type RawBuilder, sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import { released } from '#server/platform/database/leases.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import type { EventData, EventKind } from './history.kinds.ts'

export type CarriageNews = 'handed-over' | 'given-back' | 'at-branch' | 'collected' | 'exception'

/** The facts that decide which messages an event causes. */
export interface Effects {
  readonly carriage?: CarriageNews | undefined
  /** The agent can undo the hand-over until this time, so its messages wait. */
  readonly finalAt?: number | undefined
  readonly isFinal?: boolean
  readonly hasReceiver?: boolean
  readonly completesOrder?: boolean
  readonly returned?: 'order' | 'wrong-amount' | undefined
  readonly notifiesOwner?: boolean
  readonly phone?: string | null
  readonly email?: string | null
}

export type OutboxEvent = {
  [K in EventKind]: { readonly kind: K; readonly data: EventData[K] }
}[EventKind] & {
  readonly id: number | RawBuilder<number>
  readonly orderId?: number | undefined
  readonly bookingId?: number | undefined
  readonly userId?: number | undefined
}

export type OutboxMessage = Pick<Row<'messages'>, 'kind' | 'recipient' | 'channel'> & {
  readonly afterMs?: number
  readonly heldUntil?: number | undefined
  readonly to?: string
  /** The message is about the whole order, even if the event is about one bag. */
  readonly isOfOrder?: true
}

export const outboxRules = {
  /** The message about a payment waits this long for the order's airway bills. */
  awbPatienceMs: 10 * 60_000,
  /** A courier can report a step repeatedly: a bag gets at most this many messages of a kind in 24 hours. */
  mostOfBag: 3,
} as const

const dayMs = 24 * 60 * 60_000

const sms = (kind: MessageKind): OutboxMessage => ({ kind, recipient: 'owner', channel: 'sms' })
const letter = (kind: MessageKind): OutboxMessage => ({ kind, recipient: 'owner', channel: 'mail' })
const toReceiver = (kind: MessageKind): OutboxMessage => ({ kind, recipient: 'receiver', channel: 'sms' })

type Messages<K extends EventKind> = (data: EventData[K], effects: Effects) => readonly OutboxMessage[]

function ofCarriage(_: unknown, { carriage, finalAt, hasReceiver }: Effects): readonly OutboxMessage[] {
  if (carriage === undefined || carriage === 'given-back') return []
  const owner = { ...sms(carriage), heldUntil: finalAt }
  return carriage === 'at-branch' && hasReceiver ? [owner, toReceiver('receiver-at-branch')] : [owner]
}

const ofClaim = (kind: MessageKind) => (): readonly OutboxMessage[] => [{ ...sms(kind), isOfOrder: true }]

const ifNotified = (messages: readonly OutboxMessage[]) => (_: unknown, effects: Effects) =>
  effects.notifiesOwner ? messages : []

function ofAccount(
  { change }: EventData['account-changed'],
  { phone, email }: Effects,
): readonly OutboxMessage[] {
  const [kind, mail] = accountMessages[change]
  return [
    ...(kind && phone ? [{ ...sms(kind), to: phone }] : []),
    ...(mail && email ? [{ ...letter(mail), to: email }] : []),
  ]
}

const accountMessages: Readonly<
  Record<EventData['account-changed']['change'], readonly [MessageKind, MessageKind] | readonly []>
> = {
  name: [],
  phone: ['number-changed', 'number-changed-letter'],
  'phone-waits': ['number-waits', 'number-waits-letter'],
  'email-added': ['email-changed', 'email-added-letter'],
  'email-changed': ['email-changed', 'email-changed-letter'],
  'email-removed': ['email-changed', 'email-changed-letter'],
}

const table: { readonly [K in EventKind]?: Messages<K> } = {
  paid: ifNotified([{ ...sms('paid'), afterMs: outboxRules.awbPatienceMs }, letter('documents')]),
  'label-issued': (_, { hasReceiver }) => (hasReceiver ? [toReceiver('receiver-named')] : []),
  received: ofCarriage,
  undone: ofCarriage,
  'not-accepted': ofCarriage,
  scan: ofCarriage,
  'bag-valid': ofCarriage,
  'arrival-expected': ({ lateFrom }) => [{ ...sms('late'), heldUntil: lateFrom }],
  'receiver-changed': ifNotified([sms('receiver-changed'), letter('receiver-changed-letter')]),
  'order-cancelled': ifNotified([sms('cancelled')]),
  refunded: (_, { returned }) =>
    returned === undefined ? [] : [sms(returned === 'order' ? 'refunded' : 'wrong-amount')],
  'refund-written-off': ifNotified([sms('refund-failed')]),
  'claim-opened': ofClaim('claim-opened'),
  'claim-question': ofClaim('claim-question'),
  'claim-answered': ofClaim('claim-answered'),
  'claim-late': ofClaim('claim-late'),
  'claim-closed': ofClaim('claim-closed'),
  'account-changed': ofAccount,
}

export function messagesOf<K extends EventKind>(
  { kind, data }: { readonly kind: K; readonly data: EventData[K] },
  effects: Effects = {},
): readonly OutboxMessage[] {
  return table[kind]?.(data, effects) ?? []
}

/**
 * Needs the event's transaction. Message texts are written at sending, so that a faulty text cannot roll back the
 * event.
 */
export async function writeMessages(core: QueryCore, event: OutboxEvent, effects: Effects): Promise<void> {
  core.database.assertTransaction()
  if (effects.carriage === 'given-back') await dropHeld(core, event)
  // Held messages are about earlier events, so they must be sent first.
  if (effects.isFinal) await releaseHeld(core, event)
  const messages = [
    ...messagesOf(event, effects),
    ...(effects.completesOrder && event.orderId !== undefined ? await billsOf(core, event.orderId) : []),
  ]
  await insertMessages(core, event, effects.carriage ? await withinLimit(core, event, messages) : messages)
}

async function insertMessages(
  { database }: QueryCore,
  event: OutboxEvent,
  messages: readonly OutboxMessage[],
) {
  if (messages.length === 0) return
  const { id, orderId = 0, bookingId = 0, userId } = event
  await database.send(
    database.tables
      .insertInto('messages')
      .values(
        messages.map(({ kind, recipient, channel, afterMs = 0, heldUntil, to = '', isOfOrder }) => ({
          user_id: userId ?? sql<number>`(SELECT user_id FROM orders WHERE id = ${orderId})`,
          order_id: orderId,
          booking_id: isOfOrder ? 0 : bookingId,
          event_id: id,
          reported_event_id: id,
          kind,
          recipient,
          channel,
          phone: to,
          body: '',
          state: 'waiting' as const,
          held_until: heldUntil ?? (afterMs === 0 ? null : database.now(afterMs)),
          due_at: heldUntil ?? database.now(afterMs),
          created_at: database.now(),
        })),
      )
      .onConflict((conflict) => conflict.columns(['event_id', 'recipient', 'channel']).doNothing()),
  )
}

/**
 * Needs a transaction that has locked the order. Writes the messages of the newest event of this kind, if possible of
 * one without messages.
 */
export async function writeMessagesLater(
  core: QueryCore,
  kind: EventKind,
  subject: { readonly orderId: number } | { readonly bookingId: number },
  effects: Effects,
): Promise<void> {
  const [column, value] =
    'bookingId' in subject
      ? (['booking_id', subject.bookingId] as const)
      : (['order_id', subject.orderId] as const)
  const row = await core.database.tables
    .selectFrom('events')
    .select(['id', 'kind', 'data', 'order_id', 'booking_id', 'user_id'])
    .where(column, '=', value)
    .where('kind', '=', kind)
    .orderBy(sql`CASE WHEN EXISTS (SELECT 1 FROM messages WHERE event_id = events.id) THEN 1 ELSE 0 END`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return
  const { id, data, order_id, booking_id, user_id } = row
  const event = {
    ...({ kind: row.kind, data: JSON.parse(data) } as OutboxEvent),
    id,
    orderId: order_id ?? undefined,
    bookingId: booking_id ?? undefined,
    userId: user_id ?? undefined,
  }
  await writeMessages(core, event, effects)
}

const isAbout = (orderId: number, bookingId: number) =>
  sql<boolean>`order_id = ${orderId} AND booking_id = ${bookingId}`

async function dropHeld({ database }: QueryCore, { orderId = 0, bookingId = 0 }: OutboxEvent) {
  await database.send(
    database.tables
      .deleteFrom('messages')
      .where(isAbout(orderId, bookingId))
      .where('held_until', 'is not', null)
      .where('state', '=', 'waiting')
      .where('push', 'is', null),
  )
}

/** The message that a bag is late must wait for its day. */
async function releaseHeld({ database }: QueryCore, { orderId = 0, bookingId = 0 }: OutboxEvent) {
  await database.send(
    database.tables
      .updateTable('messages')
      .set({ due_at: database.now(), held_until: null })
      .where(isAbout(orderId, bookingId))
      .where('held_until', '>', database.now())
      .where('kind', '!=', 'late')
      .where('state', '=', 'waiting'),
  )
}

/**
 * All airway bills exist now. A message about the payment that has no text yet becomes due and will contain them;
 * otherwise they get a message of their own. The message loses its lease, because its worker has possibly read the
 * order before.
 */
async function billsOf({ database }: QueryCore, orderId: number): Promise<readonly OutboxMessage[]> {
  const isReleased = await database.wins(
    database.tables
      .updateTable('messages')
      .set({ ...released(database.now()), held_until: null })
      .where(isAbout(orderId, 0))
      .where('kind', '=', 'paid')
      .where('state', '=', 'waiting')
      .where('body', '=', ''),
  )
  if (isReleased) return []
  const rows = await database.tables
    .selectFrom('messages')
    .select('kind')
    .where(isAbout(orderId, 0))
    .where('kind', 'in', ['paid', 'label-issued'])
    .execute()
  const kinds = rows.map(({ kind }) => kind)
  return kinds.includes('paid') && !kinds.includes('label-issued')
    ? [{ ...sms('label-issued'), isOfOrder: true }]
    : []
}

async function withinLimit(
  { database }: QueryCore,
  { orderId = 0, bookingId = 0 }: OutboxEvent,
  messages: readonly OutboxMessage[],
): Promise<readonly OutboxMessage[]> {
  if (messages.length === 0) return messages
  const rows = await database.tables
    .selectFrom('messages')
    .select('kind')
    .where(isAbout(orderId, bookingId))
    .where('created_at', '>', database.now(-dayMs))
    .execute()
  const countOf = (kind: MessageKind) => rows.filter((row) => row.kind === kind).length
  return messages.filter(({ kind }) => countOf(kind) < outboxRules.mostOfBag)
}
