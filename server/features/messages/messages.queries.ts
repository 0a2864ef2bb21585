import { sql } from 'kysely'
import { recordEvent } from '#server/features/history/history.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { type Claimed, createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Backlog } from '#server/platform/metrics.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import { finalRank, isLetterOfAccount, isOfAccount, messageRules, statusRanks } from './messages.rules.ts'

// Only the worker that holds the lease changes a message.

export type MessageRow = Row<'messages'>
export type OrderMessage = MessageRow & { readonly claim_id: number | null }

export interface Lease {
  readonly id: number
  readonly lease: string
}

// SQL that uses a partial index must contain literals, not parameters.
const isGivenUp = sql<boolean>`(state = 'failed' OR state = 'dropped')`
const isOfReceiver = sql<boolean>`(kind = 'receiver-named' OR kind = 'receiver-at-branch')`
const hasText = sql<boolean>`(phone <> '' OR body <> '')`
const isUnsent = sql<boolean>`(state = 'waiting' OR state = 'uncertain')`
const isDueBy = (time: Moment) => sql<boolean>`(held_until IS NULL OR held_until <= ${time})`
/** This SQL must give the same time as `sendableFrom`. */
const sendableSince = sql<number>`CASE WHEN held_until > created_at THEN held_until ELSE created_at END`

const isAbout = (orderId: number, bookingId: number) =>
  sql<boolean>`order_id = ${orderId} AND booking_id = ${bookingId}`

const messages = ({ database }: QueryCore) => database.tables.selectFrom('messages').selectAll()
const leases = ({ database }: QueryCore) => createLeases(database, 'messages')
const updateLeased = (core: QueryCore, { id, lease }: Lease) => leases(core).held(id, lease)

export async function leaseMessage(
  core: QueryCore,
  lease: string,
  now: Moment = core.database.now(),
  until: Moment = core.database.now(messageRules.leaseMs),
): Promise<Claimed<'messages'> | undefined> {
  const [message] = await leases(core).claim({ lease, now, until, most: messageRules.atOnce })
  return message
}

/** True when an earlier SMS to the same person about the same bag or order is possibly unsent. */
export const followsAnother = (
  { database }: QueryCore,
  { id, order_id, booking_id, recipient }: MessageRow,
  now: number,
): Promise<boolean> =>
  database.has(
    database.tables
      .selectFrom('messages')
      .select('id')
      .where(isAbout(order_id, booking_id))
      .where('id', '<', id)
      .where('channel', '=', 'sms')
      // Messages to a receiver must not delay the owner's messages.
      .where('recipient', '=', recipient)
      .where(isUnsent)
      .where(isDueBy(now))
      .limit(1),
  )

export const listMessagesOfBag = (
  { database }: QueryCore,
  { order_id, booking_id, kind }: Pick<MessageRow, 'order_id' | 'booking_id' | 'kind'>,
): Promise<Pick<MessageRow, 'reported_event_id'>[]> =>
  database.tables
    .selectFrom('messages')
    .select('reported_event_id')
    .where(isAbout(order_id, booking_id))
    .where('kind', '=', kind)
    .execute()

/** @returns undefined when the stored message text is not `former`, or the worker lost its lease */
export const writeMessage = (
  core: QueryCore,
  lease: Lease,
  text: { readonly phone: string; readonly body: string },
  former = '',
): Promise<MessageRow | undefined> =>
  updateLeased(core, lease).set(text).where('body', '=', former).returningAll().executeTakeFirst()

export async function readReceiverTexts(
  { database }: QueryCore,
  phone: string,
  userId: number,
  since: number,
) {
  const named = sql<boolean>`kind = 'receiver-named' AND created_at > ${since}`
  const refusal = sql<boolean>`state = 'failed' AND (last_error LIKE 'phone%' OR last_error LIKE 'opted-out%')`
  const { toPhone, refusals } = await database.tables
    .selectFrom('messages')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere(named).as('toPhone'),
      fn.countAll<number>().filterWhere(refusal).as('refusals'),
    ])
    .where('phone', '=', phone)
    .where(isOfReceiver)
    .executeTakeFirstOrThrow()
  const { byUser } = await database.tables
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<number>().as('byUser'))
    .where('user_id', '=', userId)
    .where(named)
    .where('body', '!=', '')
    .executeTakeFirstOrThrow()
  return {
    toPhone,
    byUser,
    isRefused: refusals > 0,
  }
}

export async function deleteUnwritten({ database }: QueryCore, { id, lease }: Lease): Promise<void> {
  await database.tables
    .deleteFrom('messages')
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('body', '=', '')
    .execute()
}

/**
 * The worker must call this function before it calls the provider. @returns false when the lease was lost or has
 * expired
 */
export async function beginSend(
  core: QueryCore,
  lease: Lease,
  now: Moment = core.database.now(),
): Promise<boolean> {
  return core.database.wins(
    updateLeased(core, lease)
      .set((row) => ({
        state: 'uncertain',
        asked_at: now,
        sends: row('sends', '+', 1),
      }))
      // The lease can have expired while the machine was suspended.
      .where('leased_until', '>', now)
      .where('state', 'in', ['waiting', 'uncertain']),
  )
}

/**
 * The worker must call this function before it calls the push services. @returns false when the lease was lost, or a
 * push was stored before
 */
export async function beginPush(core: QueryCore, lease: Lease): Promise<boolean> {
  return core.database.wins(
    updateLeased(core, lease).set({ push: 'asked' }).where('state', '=', 'waiting').where('push', 'is', null),
  )
}

export async function endPush(core: QueryCore, lease: Lease, push: 'failed' | null): Promise<void> {
  await updateLeased(core, lease).set({ push }).where('push', '=', 'asked').execute()
}

export async function markPushed(core: QueryCore, lease: Lease, now: number): Promise<boolean> {
  return core.database.wins(
    updateLeased(core, lease)
      .set({
        ...released(null),
        state: 'accepted',
        push: 'accepted',
        ended_at: now,
        last_error: null,
      })
      .where('push', '=', 'asked'),
  )
}

export async function markMailed(core: QueryCore, lease: Lease, now: number): Promise<boolean> {
  return core.database.wins(
    updateLeased(core, lease)
      .set({
        ...released(null),
        state: 'accepted',
        ended_at: now,
        last_error: null,
      })
      .where('state', '=', 'uncertain'),
  )
}

export async function undoSend(
  core: QueryCore,
  lease: Lease,
  dueAt: Moment,
  reason: string | null,
): Promise<void> {
  await updateLeased(core, lease)
    .set((row) => ({
      ...released(dueAt),
      state: 'waiting',
      asked_at: null,
      sends: row('sends', '-', 1),
      last_error: reason,
    }))
    // A report of the provider can have changed the message's state meanwhile.
    .where('state', '=', 'uncertain')
    .execute()
}

export async function releaseMessage(
  core: QueryCore,
  lease: Lease,
  dueAt: Moment,
  { progress = false } = {},
): Promise<void> {
  await updateLeased(core, lease)
    .set({ ...released(dueAt), ...(progress && { tries: 0 }) })
    .execute()
}

export async function releaseChecked(core: QueryCore, lease: Lease, dueAt: Moment | null): Promise<void> {
  await updateLeased(core, lease)
    .set((row) => ({
      ...released(dueAt),
      tries: 0,
      checks: row('checks', '+', 1),
    }))
    .where('state', '=', 'accepted')
    .execute()
}

export async function endMessage(
  core: QueryCore,
  lease: Lease,
  state: 'failed' | 'dropped',
  reason: string | null,
  now: number,
): Promise<boolean> {
  return core.database.wins(
    updateLeased(core, lease)
      .set({
        ...released(null),
        state,
        last_error: reason,
        ended_at: now,
      })
      .where('state', 'in', ['waiting', 'uncertain']),
  )
}

const updateReported = ({ database }: QueryCore, id: number, ref: string, rank: number) =>
  database.tables
    .updateTable('messages')
    .where('id', '=', id)
    .where((row) => row.or([row('ref', '=', ref), row('ref', 'is', null)]))
    .where((row) => row.or([row('former_ref', 'is', null), row('former_ref', '!=', ref)]))
    .where('status_rank', '<', rank)
    .where('state', 'in', ['waiting', 'uncertain', 'accepted'])

export const findMessage = (core: QueryCore, id: number): Promise<MessageRow | undefined> =>
  messages(core).where('id', '=', id).executeTakeFirst()

export async function markAccepted(
  core: QueryCore,
  id: number,
  ref: string,
  status: 'queued' | 'sent',
  checkAt: Moment,
): Promise<boolean> {
  return core.database.wins(
    updateReported(core, id, ref, statusRanks[status]).set({
      ...released(checkAt),
      state: 'accepted',
      ref,
      status_rank: statusRanks[status],
      tries: 0,
    }),
  )
}

export async function markFinal(
  core: QueryCore,
  id: number,
  ref: string,
  { state, reason }: { readonly state: 'delivered' | 'failed'; readonly reason: string | null },
  now: number,
): Promise<boolean> {
  return core.database.wins(
    updateReported(core, id, ref, finalRank).set({
      ...released(null),
      state,
      ref,
      status_rank: finalRank,
      last_error: reason,
      ended_at: now,
    }),
  )
}

export const countSends = ({ database }: QueryCore, since: number): Promise<number> =>
  database.count(
    database.tables.selectFrom('messages').where('asked_at', '>', since).where('channel', '=', 'sms'),
  )

export async function readBacklog({ database }: QueryCore, now: number): Promise<Backlog> {
  const row = await database.tables
    .selectFrom('messages')
    .select((rows) => [rows.fn.countAll().as('count'), rows.fn.min(sendableSince).as('oldest')])
    .where(isUnsent)
    .where(isDueBy(now))
    .executeTakeFirstOrThrow()
  return {
    count: Number(row.count),
    oldest: row.oldest === null ? null : Number(row.oldest),
  }
}

export const listMessages = (core: QueryCore, userId: number, limit: number): Promise<MessageRow[]> =>
  messages(core).where('user_id', '=', userId).orderBy('id', 'desc').limit(limit).execute()

export async function listMessagesOfOrder({ database }: QueryCore, orderId: number): Promise<OrderMessage[]> {
  const rows = await database.tables
    .selectFrom('messages')
    .leftJoin('events', 'events.id', 'messages.reported_event_id')
    .selectAll('messages')
    .select('events.claim_id')
    .where('messages.order_id', '=', orderId)
    .execute()
  return rows.toSorted((a, b) => a.id - b.id)
}

export async function eraseMessagesOfUser({ database }: QueryCore, userId: number): Promise<void> {
  database.assertTransaction()
  await database.tables.deleteFrom('messages').where('user_id', '=', userId).execute()
}

export const eraseTexts = ({ database }: QueryCore, before: number, limit: number): Promise<number> =>
  database.changes(
    database.tables
      .updateTable('messages')
      .set({
        phone: '',
        body: '',
        ref: null,
        former_ref: null,
      })
      .where('id', 'in', (query) =>
        query
          .selectFrom('messages')
          .select('id')
          .where(hasText)
          .where('created_at', '<', before)
          .orderBy('created_at')
          .limit(limit),
      ),
  )

export const findRestore = ({ database }: QueryCore): Promise<Row<'message_restores'> | undefined> =>
  database.tables.selectFrom('message_restores').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()

export const listGivenUp = (core: QueryCore, limit: number): Promise<MessageRow[]> =>
  messages(core)
    .where(isGivenUp)
    .where((row) => row.or([row('last_error', 'is', null), row('last_error', '!=', 'overtaken')]))
    .where('seen_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

export const listOverdue = (core: QueryCore, before: number, limit: number): Promise<MessageRow[]> =>
  messages(core)
    .where(isUnsent)
    .where('created_at', '<=', before)
    .where(isDueBy(before))
    .orderBy('created_at')
    .limit(limit)
    .execute()

/** Needs a transaction. Sends a copy of each message. @param eventId the event that records the request */
export async function resendMessages(
  core: QueryCore,
  eventId: number,
  ids: readonly number[],
): Promise<MessageKind[]> {
  const sent: MessageRow[] = []
  for (const id of ids.toSorted((a, b) => a - b)) {
    const row = await markSeen(core, id)
    const isTaken = sent.some(
      ({ recipient, channel }) => recipient === row.recipient && channel === row.channel,
    )
    await addAgain(core, row, { eventId: isTaken ? await recordAsked(core, row) : eventId })
    sent.push(row)
  }
  return sent.map(({ kind }) => kind)
}

/** Needs the transaction that stores a failed send. Sends a copy of the message. */
export async function retryMessage(core: QueryCore, id: number, dueAt: Moment): Promise<void> {
  core.database.assertTransaction()
  const failed = await markSeen(core, id)
  await addAgain(core, failed, { eventId: await recordAsked(core, failed), dueAt, retried: 1 })
}

export async function scheduleMessagesNow({ database }: QueryCore, orderId: number): Promise<MessageKind[]> {
  const rows = await database.tables
    .updateTable('messages')
    .set({ due_at: database.now() })
    .where('order_id', '=', orderId)
    .where('state', '=', 'waiting')
    .where('lease', 'is', null)
    .where(isDueBy(database.now()))
    .where('due_at', '>', database.now())
    .returning(['id', 'kind'])
    .execute()
  return rows.toSorted((a, b) => a.id - b.id).map(({ kind }) => kind)
}

const markSeen = ({ database }: QueryCore, id: number): Promise<MessageRow> =>
  database.tables
    .updateTable('messages')
    .set({
      seen_at: sql<number>`CASE WHEN ${isGivenUp} AND seen_at IS NULL THEN ${database.now()} ELSE seen_at END`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

async function recordAsked(core: QueryCore, { user_id, order_id, booking_id, kind }: MessageRow) {
  const eventId = await recordEvent(core, {
    kind: 'message-asked',
    data: { about: kind, changed: {}, personal: null },
    by: { kind: 'system' },
    userId: user_id,
    ...(order_id > 0 && { orderId: order_id }),
    ...(booking_id > 0 && { bookingId: booking_id }),
  })
  if (eventId === undefined) throw new Error('an event without a key is always recorded')
  return eventId
}

interface Again {
  readonly eventId: number
  readonly dueAt?: Moment
  readonly retried?: 0 | 1
}

async function addAgain(
  { database }: QueryCore,
  { ref, former_ref, ...first }: MessageRow,
  { eventId, dueAt = database.now(), retried = 0 }: Again,
) {
  // A message about the account belongs to one recipient and time, so its copy keeps both.
  const isFixed = isOfAccount(first.kind) || isLetterOfAccount(first.kind)
  await database.tables
    .insertInto('messages')
    .values({
      user_id: first.user_id,
      order_id: first.order_id,
      booking_id: first.booking_id,
      event_id: eventId,
      reported_event_id: first.reported_event_id,
      recipient: first.recipient,
      channel: first.channel,
      kind: first.kind,
      phone: isFixed ? first.phone : '',
      body: isFixed ? first.body : '',
      state: 'waiting',
      // A look-up must not find the earlier send in place of this one.
      former_ref: ref ?? former_ref,
      retried,
      created_at: database.now(),
      due_at: dueAt,
    })
    .execute()
}
