import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { type Claimed, createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import { momentOf } from '#server/platform/database/moments.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Backlog } from '#server/platform/metrics.ts'
import {
  isForReceiver,
  type MessageKind,
  mailKinds,
  receiverKinds,
} from '#shared/messages/messages.schemas.ts'
import { finalRank, type MessageState, messageRules, statusRanks } from './messages.rules.ts'

export type MessageRow = Row<'messages'>
export type NewMessage = Pick<
  MessageRow,
  'user_id' | 'order_id' | 'booking_id' | 'refund_id' | 'kind' | 'held_until' | 'created_at'
> &
  Partial<Pick<MessageRow, 'phone' | 'claim_id' | 'event_id'>>

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
    /** Adds a message without a text, once per event; false when it was there. */
    async addMessage(message: NewMessage): Promise<boolean> {
      const due_at = database.now((message.held_until ?? message.created_at) - message.created_at)
      return database.wins(
        database.tables
          .insertInto('messages')
          .values({ phone: '', ...message, body: '', state: 'waiting', due_at })
          .onConflict((conflict) =>
            conflict
              .columns(['order_id', 'booking_id', 'kind', 'refund_id', 'claim_id', 'event_id', 'round'])
              .doNothing(),
          ),
      )
    },

    /** Under the lock of the owner: the number of the next change of an order's receiver. Its message carries it as `refund_id`. */
    async nextReceiverChange(orderId: number): Promise<number> {
      const { last } = await database.tables
        .selectFrom('messages')
        .select((rows) => rows.fn.max('refund_id').as('last'))
        .where('order_id', '=', orderId)
        .where('booking_id', '=', 0)
        .where('kind', 'in', ['receiver-changed', 'receiver-changed-letter'])
        .executeTakeFirstOrThrow()
      return Number(last ?? 0) + 1
    },

    /** Deletes what is held about a bag: its news was undone. */
    async deleteHeld(orderId: number, bookingId: number): Promise<void> {
      await database.tables
        .deleteFrom('messages')
        .where(isAbout(orderId, bookingId))
        .where('held_until', 'is not', null)
        .where('state', '=', 'waiting')
        .where('push', 'is', null)
        .execute()
    },

    /** Makes what is held about a bag due now. A message that it is late waits for its day all the same. */
    async releaseHeld(orderId: number, bookingId: number, now: number): Promise<void> {
      await database.tables
        .updateTable('messages')
        .set({ due_at: database.now(), held_until: null })
        .where(isAbout(orderId, bookingId))
        .where('held_until', '>', now)
        .where('kind', '!=', 'late')
        .where('state', '=', 'waiting')
        .execute()
    },

    /**
     * Makes the message about the payment of an order due now, if its text is not written; `written` if it is, `none` if there
     * is no such message. The lease is taken away, because its holder may have read the order before.
     */
    async releasePaid(orderId: number): Promise<'released' | 'written' | 'none'> {
      const isReleased = await database.wins(
        database.tables
          .updateTable('messages')
          .set({ ...released(database.now()), held_until: null })
          .where(isAbout(orderId, 0))
          .where('kind', '=', 'paid')
          .where('state', '=', 'waiting')
          .where('body', '=', ''),
      )
      if (isReleased) return 'released'
      const written = await database.tables
        .selectFrom('messages')
        .select('id')
        .where(isAbout(orderId, 0))
        .where('kind', '=', 'paid')
        .limit(1)
        .executeTakeFirst()
      return written ? 'written' : 'none'
    },

    /**
     * True while an earlier message to the same person about the same bag (or its order) is not known to be sent. One that
     * waits for its day holds up nothing before.
     */
    async followsAnother({ id, order_id, booking_id, kind }: MessageRow, now: number): Promise<boolean> {
      const earlier = await database.tables
        .selectFrom('messages')
        .select('id')
        .where(isAbout(order_id, booking_id))
        .where('id', '<', id)
        .where('kind', 'not in', mailKinds)
        // Trouble with a receiver's number holds up nothing of the owner's.
        .where('kind', isForReceiver(kind) ? 'in' : 'not in', receiverKinds)
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
      Pick<MessageRow, 'event_id' | 'created_at'>[]
    > {
      return database.tables
        .selectFrom('messages')
        .select(['event_id', 'created_at'])
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

    /** A final failure after which the message is sent once more, at `dueAt`; false as above, or when it was already. */
    async markForRetry(
      id: number,
      ref: string,
      { reason, dueAt, now }: { reason: string; dueAt: Moment; now: number },
    ): Promise<boolean> {
      return database.wins(
        reported(id, ref, finalRank)
          .set({
            first_try: sql<string>`${momentOf(sql`coalesce(asked_at, created_at)`)} || '/' || ${momentOf(now)}
              || '/' || CAST(${reason} AS text)`,
            state: 'waiting',
            ref: null,
            former_ref: ref,
            status_rank: 0,
            retried: 1,
            sends: 0,
            asked_at: null,
            last_error: reason,
            ...released(dueAt),
            tries: 0,
          })
          .where('retried', '=', 0),
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
        .where('kind', 'not in', mailKinds)
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
    async listMessagesOfOrder(orderId: number): Promise<MessageRow[]> {
      const rows = await messages().where('order_id', '=', orderId).execute()
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
     * Inside a transaction: messages are sent again, each as a new one, whose text is written then. What became of them stays;
     * a person has seen to it. Returns what they are about.
     */
    async resendMessages(ids: readonly number[], now: number): Promise<MessageKind[]> {
      database.assertTransaction()
      if (ids.length === 0) return []
      const again = messages()
        .clearSelect()
        .select([
          ...(['user_id', 'order_id', 'booking_id', 'kind', 'refund_id', 'claim_id', 'event_id'] as const),
          sql<number>`round + 1`.as('round'),
          // A look-up must not take the send before for this one.
          sql<string | null>`coalesce(ref, former_ref)`.as('former_ref'),
          ...[sql.lit('').as('phone'), sql.lit('').as('body'), sql.lit<MessageState>('waiting').as('state')],
          sql<number>`CAST(${now} AS bigint)`.as('created_at'),
          database.now().as('due_at'),
        ])
        .where('id', 'in', ids)
        .orderBy('id')
      const rows = await database.tables
        .insertInto('messages')
        .columns([
          ...(['user_id', 'order_id', 'booking_id', 'kind', 'refund_id', 'claim_id', 'event_id'] as const),
          ...(['round', 'former_ref', 'phone', 'body', 'state', 'created_at', 'due_at'] as const),
        ])
        .expression(again)
        .returning(['id', 'kind'])
        .execute()
      await updateMessages()
        .set({ seen_at: now })
        .where('id', 'in', ids)
        .where(isGivenUp)
        .where('seen_at', 'is', null)
        .execute()
      return rows.toSorted((a, b) => a.id - b.id).map(({ kind }) => kind)
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
