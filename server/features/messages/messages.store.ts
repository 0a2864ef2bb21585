import { sql } from 'kysely'
import { recordEvent } from '#server/features/history/history.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Claimed, createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Backlog } from '#server/platform/metrics.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import { finalRank, messageRules, statusRanks } from './messages.rules.ts'

export type MessageRow = Row<'messages'>
/** A message of an order, and the claim that it is about. */
export type OrderMessage = MessageRow & { readonly claim_id: number | null }

/** A leased message. */
export interface Held {
  readonly id: number
  readonly lease: string
}

/** A leased message at work. */
export interface Job {
  readonly message: MessageRow
  readonly lease: string
  /** The database's time: gateways may differ. */
  readonly now: () => number
}

export type MessagesStore = ReturnType<typeof createMessagesStore>

// Literals, so that the database sees that a partial index covers the query.
const isGivenUp = sql<boolean>`(state = 'failed' OR state = 'dropped')`
const isOfReceiver = sql<boolean>`(kind = 'receiver-named' OR kind = 'receiver-at-branch')`
const hasText = sql<boolean>`(phone <> '' OR body <> '')`
const isUnsent = sql<boolean>`(state = 'waiting' OR state = 'uncertain')`
/** Not held at this time. */
const isDueBy = (time: Moment) => sql<boolean>`(held_until IS NULL OR held_until <= ${time})`
/** Since when a message may be sent: `toldFrom`. */
const sendableSince = sql<number>`CASE WHEN held_until > created_at THEN held_until ELSE created_at END`

/** The outbox. Times are epoch milliseconds. Every change of a leased message is guarded by its lease. */
export function createMessagesStore(database: Database) {
  return {
    ...createOutbox(database),
    ...createReports(database),
    ...createUpkeep(database),
    ...createOperatorVerbs(database),
  }
}

function createOutbox(database: Database) {
  const leases = createLeases(database, 'messages')
  const held = ({ id, lease }: Held) => leases.held(id, lease)
  const isAbout = (orderId: number, bookingId: number) =>
    sql<boolean>`order_id = ${orderId} AND booking_id = ${bookingId}`

  return {
    /**
     * True while an earlier message to the same person about the same bag (or its order) is not known to be sent. One that
     * waits for its day holds up nothing before.
     */
    async followsAnother({ id, order_id, booking_id, recipient }: MessageRow, now: number): Promise<boolean> {
      const earlier = await database.tables
        .selectFrom('messages')
        .select('id')
        .where(isAbout(order_id, booking_id))
        .where('id', '<', id)
        .where('channel', '=', 'sms')
        // Trouble with a receiver's number holds up nothing of the owner's.
        .where('recipient', '=', recipient)
        .where(isUnsent)
        .where(isDueBy(now))
        .limit(1)
        .executeTakeFirst()
      return earlier !== undefined
    },

    /** The messages of this kind about the same bag. */
    listOfBag({
      order_id,
      booking_id,
      kind,
    }: Pick<MessageRow, 'order_id' | 'booking_id' | 'kind'>): Promise<
      Pick<MessageRow, 'reported_event_id'>[]
    > {
      return database.tables
        .selectFrom('messages')
        .select('reported_event_id')
        .where(isAbout(order_id, booking_id))
        .where('kind', '=', kind)
        .execute()
    },

    /** Stores the text and where it goes, once, or in place of `former`; undefined when the lease was lost. */
    writeMessage(
      message: Held,
      text: { phone: string; body: string },
      former = '',
    ): Promise<MessageRow | undefined> {
      return held(message).set(text).where('body', '=', former).returningAll().executeTakeFirst()
    },

    /**
     * What receivers were told: how many were named since, under the number and by the user, and whether the number refuses
     * SMS, or cannot get any.
     */
    async readReceiverTexts(phone: string, userId: number, since: number) {
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
      return { toPhone, byUser, isRefused: refusals > 0 }
    },

    /** Deletes a message whose text was never written. */
    async deleteUnwritten({ id, lease }: Held): Promise<void> {
      await database.tables
        .deleteFrom('messages')
        .where('id', '=', id)
        .where('lease', '=', lease)
        .where('body', '=', '')
        .execute()
    },

    /** Leases the message that has been due longest; undefined when none is due. */
    async leaseMessage(
      lease: string,
      now: Moment = database.now(),
      until: Moment = database.now(messageRules.leaseMs),
    ): Promise<Claimed<'messages'> | undefined> {
      return (await leases.claim({ lease, now, until, most: messageRules.atOnce }))[0]
    },

    /** Records a send before the provider is asked; false when the lease was lost or has run out. */
    async beginSend(message: Held, now: Moment = database.now()): Promise<boolean> {
      return database.wins(
        held(message)
          .set((row) => ({ state: 'uncertain', asked_at: now, sends: row('sends', '+', 1) }))
          // The machine may have been suspended since the message was leased.
          .where('leased_until', '>', now)
          .where('state', 'in', ['waiting', 'uncertain']),
      )
    },

    /** Records a push before the services are asked; false when the lease was lost, or one was recorded before. */
    async beginPush(message: Held): Promise<boolean> {
      return database.wins(
        held(message).set({ push: 'asked' }).where('state', '=', 'waiting').where('push', 'is', null),
      )
    },

    /** What became of a push that reached no browser; null when another may follow. */
    async endPush(message: Held, push: 'failed' | null): Promise<void> {
      await held(message).set({ push }).where('push', '=', 'asked').execute()
    },

    /** A push service has the message: nothing more is heard of it. */
    async markPushed(message: Held, now: number): Promise<boolean> {
      return database.wins(
        held(message)
          .set({ state: 'accepted', push: 'accepted', ...released(null), ended_at: now, last_error: null })
          .where('push', '=', 'asked'),
      )
    },

    /** The mail server has taken it: nothing more is heard of it. */
    async markMailed(message: Held, now: number): Promise<boolean> {
      return database.wins(
        held(message)
          .set({ state: 'accepted', ...released(null), ended_at: now, last_error: null })
          .where('state', '=', 'uncertain'),
      )
    },

    /** A send that certainly had no effect: the message waits again until `dueAt`. */
    async undoSend(message: Held, dueAt: Moment, reason: string | null): Promise<void> {
      await held(message)
        .set((row) => ({
          state: 'waiting',
          asked_at: null,
          sends: row('sends', '-', 1),
          ...released(dueAt),
          last_error: reason,
        }))
        // A status callback may have arrived since.
        .where('state', '=', 'uncertain')
        .execute()
    },

    /** Ends the lease; the message is due again at `dueAt`. `progress` starts the count of tries again. */
    async releaseMessage(message: Held, dueAt: Moment, { progress = false } = {}): Promise<void> {
      await held(message)
        .set({ ...released(dueAt), ...(progress ? { tries: 0 } : {}) })
        .execute()
    },

    /** Counts an inquiry for the status of an accepted message; with null as the time of the next it was the last. */
    async releaseChecked(message: Held, dueAt: Moment | null): Promise<void> {
      await held(message)
        .set((row) => ({ ...released(dueAt), tries: 0, checks: row('checks', '+', 1) }))
        .where('state', '=', 'accepted')
        .execute()
    },

    /** Ends a message that is not sent; false when a report was faster. */
    async endMessage(
      message: Held,
      state: 'failed' | 'dropped',
      reason: string | null,
      now: number,
    ): Promise<boolean> {
      return database.wins(
        held(message)
          .set({ state, last_error: reason, ...released(null), ended_at: now })
          .where('state', 'in', ['waiting', 'uncertain']),
      )
    },
  }
}

/** What the provider says of messages. */
function createReports(database: Database) {
  /** The message, if `ref` is its present id or it has none yet, and nothing of this rank was reported before. */
  const reported = (id: number, ref: string, rank: number) =>
    database.tables
      .updateTable('messages')
      .where('id', '=', id)
      .where((row) => row.or([row('ref', '=', ref), row('ref', 'is', null)]))
      .where((row) => row.or([row('former_ref', 'is', null), row('former_ref', '!=', ref)]))
      .where('status_rank', '<', rank)
      .where('state', 'in', ['waiting', 'uncertain', 'accepted'])

  return {
    findMessage: (id: number): Promise<MessageRow | undefined> =>
      database.tables.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst(),

    /** The provider has it; its status is asked for at `checkAt`. False when this was known, or it is another message. */
    async markAccepted(
      id: number,
      ref: string,
      status: 'queued' | 'sent',
      checkAt: Moment,
    ): Promise<boolean> {
      return database.wins(
        reported(id, ref, statusRanks[status]).set({
          state: 'accepted',
          ref,
          status_rank: statusRanks[status],
          ...released(checkAt),
          tries: 0,
        }),
      )
    },

    /** A final status; false as above. */
    async markFinal(
      id: number,
      ref: string,
      { state, reason }: { state: 'delivered' | 'failed'; reason: string | null },
      now: number,
    ): Promise<boolean> {
      return database.wins(
        reported(id, ref, finalRank).set({
          state,
          ref,
          status_rank: finalRank,
          last_error: reason,
          ...released(null),
          ended_at: now,
        }),
      )
    },
  }
}

function createUpkeep(database: Database) {
  const messages = () => database.tables.selectFrom('messages').selectAll()
  return {
    /** SMS since `since`: what the budget counts. */
    async countSends(since: number): Promise<number> {
      const { sends } = await database.tables
        .selectFrom('messages')
        .select((row) => row.fn.countAll().as('sends'))
        .where('asked_at', '>', since)
        .where('channel', '=', 'sms')
        .executeTakeFirstOrThrow()
      return Number(sends)
    },

    /** How many messages are not known to have been sent, and since when the oldest of them waits; without held ones. */
    async readBacklog(now: number): Promise<Backlog> {
      const row = await database.tables
        .selectFrom('messages')
        .select((rows) => [rows.fn.countAll().as('count'), rows.fn.min(sendableSince).as('oldest')])
        .where(isUnsent)
        .where(isDueBy(now))
        .executeTakeFirstOrThrow()
      return { count: Number(row.count), oldest: row.oldest === null ? null : Number(row.oldest) }
    },

    /** The newest messages of a user. */
    listMessages: (userId: number, limit: number): Promise<MessageRow[]> =>
      messages().where('user_id', '=', userId).orderBy('id', 'desc').limit(limit).execute(),

    /** The messages about an order, in the order they were written. */
    async listMessagesOfOrder(orderId: number): Promise<OrderMessage[]> {
      const rows = await database.tables
        .selectFrom('messages')
        .leftJoin('events', 'events.id', 'messages.reported_event_id')
        .selectAll('messages')
        .select('events.claim_id')
        .where('messages.order_id', '=', orderId)
        .execute()
      // Sorted here: the index holds the messages of an order by what they are about.
      return rows.toSorted((a, b) => a.id - b.id)
    },

    async eraseMessages(userId: number): Promise<void> {
      database.assertTransaction()
      await database.tables.deleteFrom('messages').where('user_id', '=', userId).execute()
    },

    /** Where some messages from before `before` went, and what they said, the oldest first; returns how many. */
    eraseTexts: (before: number, limit: number): Promise<number> =>
      database.changes(
        database.tables
          .updateTable('messages')
          .set({ phone: '', body: '', ref: null, former_ref: null })
          .where('id', 'in', (query) =>
            query
              .selectFrom('messages')
              .select('id')
              .where(hasText)
              .where('created_at', '<', before)
              .orderBy('created_at')
              .limit(limit),
          ),
      ),

    /** The newest restore; undefined when there was none. */
    findRestore: (): Promise<Row<'message_restores'> | undefined> =>
      database.tables
        .selectFrom('message_restores')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
  }
}

/** For `npm run ops`. */
function createOperatorVerbs(database: Database) {
  const messages = () => database.tables.selectFrom('messages').selectAll()
  const updateMessages = () => database.tables.updateTable('messages')
  return {
    /** The newest messages that failed or were dropped, and that no person has seen to; without what was overtaken. */
    listGivenUp: (limit: number): Promise<MessageRow[]> =>
      messages()
        .where(isGivenUp)
        .where((row) => row.or([row('last_error', 'is', null), row('last_error', '!=', 'overtaken')]))
        .where('seen_at', 'is', null)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute(),

    /** Messages announced before `before` that are not known to have been sent, the oldest first; without held ones. */
    listOverdue: (before: number, limit: number): Promise<MessageRow[]> =>
      messages()
        .where(isUnsent)
        .where('created_at', '<=', before)
        .where(isDueBy(before))
        .orderBy('created_at')
        .limit(limit)
        .execute(),

    /**
     * Inside a transaction: messages are sent again, each as a new one. Returns what they are about.
     * @param eventId the event by which a person asked for them
     */
    async resendMessages(eventId: number, ids: readonly number[]): Promise<MessageKind[]> {
      const sent: MessageRow[] = []
      for (const id of ids.toSorted((a, b) => a - b)) {
        const row = await readAgain(database, id)
        const isTaken = sent.some(
          ({ recipient, channel }) => recipient === row.recipient && channel === row.channel,
        )
        await addAgain(database, row, { eventId: isTaken ? await recordAsked(database, row) : eventId })
        sent.push(row)
      }
      return sent.map(({ kind }) => kind)
    },

    /** The messages of an order that wait for their next try are due now; returns what they are about. */
    async hastenMessages(orderId: number): Promise<MessageKind[]> {
      const rows = await updateMessages()
        .set({ due_at: database.now() })
        .where('order_id', '=', orderId)
        .where('state', '=', 'waiting')
        .where('lease', 'is', null)
        .where(isDueBy(database.now()))
        .where('due_at', '>', database.now())
        .returning(['id', 'kind'])
        .execute()
      return rows.toSorted((a, b) => a.id - b.id).map(({ kind }) => kind)
    },
  }
}

/** The message that is sent again. What became of it stays, and it leaves the list of messages that did not arrive. */
const readAgain = (database: Database, id: number): Promise<MessageRow> =>
  database.tables
    .updateTable('messages')
    .set({
      seen_at: sql<number>`CASE WHEN ${isGivenUp} AND seen_at IS NULL THEN ${database.now()} ELSE seen_at END`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Records that the system sends a message again, because it failed or because a person asked for several at once. */
async function recordAsked(database: Database, { user_id, order_id, booking_id, kind }: MessageRow) {
  const eventId = await recordEvent(
    { database },
    {
      kind: 'message-asked',
      data: { about: kind, changed: {}, personal: null },
      by: { kind: 'system' },
      userId: user_id,
      ...(order_id > 0 && { orderId: order_id }),
      ...(booking_id > 0 && { bookingId: booking_id }),
    },
  )
  if (eventId === undefined) throw new Error('an event without a key is always recorded')
  return eventId
}

interface Again {
  readonly eventId: number
  /** Default: now. */
  readonly dueAt?: Moment
  /** The system sends it again once only. */
  readonly retried?: 0 | 1
}

/** Adds the new message, whose text is written when it is sent. */
async function addAgain(
  database: Database,
  { ref, former_ref, ...first }: MessageRow,
  { eventId, dueAt = database.now(), retried = 0 }: Again,
): Promise<void> {
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
      phone: '',
      body: '',
      state: 'waiting',
      // A look-up must not take the send before for this one.
      former_ref: ref ?? former_ref,
      retried,
      created_at: database.now(),
      due_at: dueAt,
    })
    .execute()
}

/** Inside the transaction in which a send has failed: the system sends the message again at `dueAt`, once, as a new one. */
export async function retryMessage(database: Database, id: number, dueAt: Moment): Promise<void> {
  database.assertTransaction()
  const failed = await readAgain(database, id)
  await addAgain(database, failed, { eventId: await recordAsked(database, failed), dueAt, retried: 1 })
}
