import { randomUUID } from 'node:crypto'
import { type ExpressionBuilder, sql, type UpdateObject } from 'kysely'
import {
  type Actor,
  changedByOffice,
  listEvents,
  personalReason,
  recordEvent,
} from '#server/features/history/history.ts'
import type { Effects } from '#server/features/history/outbox.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Claimed, createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import { preparedFirst, preparedForEach } from '#server/platform/database/prepared.ts'
import { needsPerson } from '#server/platform/database/refunds-for-person.ts'
import type { Row, Schema } from '#server/platform/database/schema.ts'
import type { Backlog } from '#server/platform/metrics.ts'
import type { RefundState } from '#shared/payments/payments.schemas.ts'
import { currency } from '#shared/platform/money.ts'
import { refundRules, requestsAtOnce } from './payments.rules.ts'

export type RefundRow = Row<'refunds'>

/** A leased refund. */
export type HeldRefund = Pick<Claimed<'refunds'>, 'id' | 'lease'>

// A literal, so that the database sees that the partial index over open refunds covers the query.
const isDone = sql.lit<RefundState>('done')

/** Who decides about a refund, and the reason that staff give for it. */
export interface RefundDecision {
  readonly by: Actor
  readonly words?: string | null | undefined
}

/** A refund to order: of a payment of `captured`, or of `amount` of it. */
export type NewRefund = Pick<RefundRow, 'transaction_id' | 'attempt_id' | 'currency' | 'reason'> &
  RefundDecision & {
    readonly captured: number
    readonly amount?: number | undefined
  }

const system: Actor = { kind: 'system' }
const provider: Actor = { kind: 'provider' }

/** The money that these refunds returned, in minor units. */
const sumOf = (refunds: readonly RefundRow[]): number =>
  refunds
    .filter((row) => row.state === 'done' && row.written_off_at === null)
    .reduce((sum, row) => sum + row.amount_halalas, 0)

/** The data of an event about a refund. */
const dataOf = (refund: RefundRow) => ({
  refundId: refund.id,
  transaction: refund.transaction_id,
  halalas: refund.amount_halalas,
  currency: refund.currency,
})

/** True for a refund whose last request was refused, that was not requested for long, or whose request the provider has dropped. */
const isWritable = (transactionId: string, now: number) => (refund: ExpressionBuilder<Schema, 'refunds'>) =>
  refund.and([
    refund('transaction_id', '=', transactionId),
    refund('state', '!=', isDone),
    refund('lease', 'is', null),
    refund.or([
      refund('state', '=', 'due').and(
        refund.or([
          refund('refused_at', 'is not', null),
          refund('created_at', '<=', now - refundRules.helpAfterMs),
        ]),
      ),
      refund('asked_at', '<=', now - refundRules.droppedAfterMs),
    ]),
  ])

async function orderIdOf({ tables }: Database, { attempt_id: attemptId }: RefundRow): Promise<number> {
  const { order_id } = await tables
    .selectFrom('payment_attempts')
    .select('order_id')
    .where('id', '=', attemptId)
    .executeTakeFirstOrThrow()
  return order_id
}

/** Records that a refund came back. @returns the order of the refund */
async function recordRefunded(database: Database, refund: RefundRow): Promise<number> {
  const orderId = await orderIdOf(database, refund)
  await recordEvent(
    { database },
    { kind: 'refunded', data: dataOf(refund), by: provider, orderId },
    { returned: refund.reason === 'wrong-amount' ? 'wrong-amount' : undefined },
  )
  return orderId
}

/** The refund of a wrong amount that a transaction captured. */
const findOfWrongAmount = (database: Database) =>
  preparedFirst<{ transactionId: string }, { id: number }>(database, (given) =>
    database.tables
      .selectFrom('refunds')
      .select('id')
      .where('transaction_id', '=', given('transactionId'))
      .where('reason', '=', 'wrong-amount'),
  )

/** Refunds that the gateway orders at the provider, and those that were made there by hand. */
export function createRefundsStore(database: Database) {
  const refunds = () => database.tables.selectFrom('refunds').selectAll()
  const ofTransaction = (transactionId: string): Promise<RefundRow[]> =>
    refunds().where('transaction_id', '=', transactionId).orderBy('id').execute()
  const ofWrongAmount = findOfWrongAmount(database)
  const leases = createLeases(database, 'refunds')

  function plan(
    { id, lease }: HeldRefund,
    dueAt: Moment,
    change: UpdateObject<Schema, 'refunds', 'refunds'>,
  ): Promise<RefundRow | undefined> {
    return leases
      .held(id, lease)
      .set({ ...released(dueAt), ...change })
      .where('state', '!=', 'done')
      .returningAll()
      .executeTakeFirst()
  }

  async function recordOrdered(
    refund: RefundRow,
    { reason, by, words }: Pick<NewRefund, 'reason' | 'by' | 'words'>,
  ): Promise<void> {
    const data = {
      ...dataOf(refund),
      reason,
      personal: personalReason(words),
      ...changedByOffice(by, { refund: [null, 'open'] }),
    }
    const orderId = await orderIdOf(database, refund)
    await recordEvent({ database }, { kind: 'refund-ordered', data, by, orderId })
  }

  /**
   * Records that the provider is asked for the refund, unless nothing was recorded since it was asked the last time. A refund
   * without an error was asked for with success, and did not come.
   */
  async function recordRequested(refund: RefundRow): Promise<void> {
    const orderId = await orderIdOf(database, refund)
    const last = (await listEvents({ database }, 'order_id', [orderId])).findLast(
      ({ kind, data }) => kind.startsWith('refund-') && 'refundId' in data && data.refundId === refund.id,
    )
    if (last?.kind === 'refund-requested' && refund.last_error !== null) return
    await recordEvent({ database }, { kind: 'refund-requested', data: dataOf(refund), by: system, orderId })
  }

  return {
    /**
     * Inside a transaction that has locked the attempt: orders a refund of `amount`, at most the rest of the captured money that
     * has not gone back (the default), in minor units. A payment that pays for nothing is refunded once; until that refund is
     * requested, a later call corrects its amount. Returns false where no money will go back.
     */
    async addRefund(
      { captured, amount = captured, by, words, ...refund }: NewRefund,
      now: number,
    ): Promise<boolean> {
      database.assertTransaction()
      const decision = { by, words, reason: refund.reason }
      const known = await ofTransaction(refund.transaction_id)
      const open = known.find(({ state }) => state !== 'done')
      const isOfOrder = refund.reason === 'cancelled' || refund.reason === 'operator'
      const left = Math.min(amount, captured - sumOf(known))
      if (open) {
        if (open.state !== 'due') return open.amount_halalas >= left
        const corrected = await database.tables
          .updateTable('refunds')
          .set({
            attempt_id: refund.attempt_id,
            amount_halalas: isOfOrder ? Math.max(left, open.amount_halalas) : Math.max(0, left),
            currency: refund.currency,
          })
          .where('id', '=', open.id)
          .where('state', '=', 'due')
          .returningAll()
          .executeTakeFirst()
        const isSame =
          corrected?.amount_halalas === open.amount_halalas && corrected.currency === open.currency
        if (corrected && !isSame) await recordOrdered(corrected, decision)
        return true
      }
      if (!isOfOrder && known.length > 0) return false
      if (left <= 0) return false
      const ordered = await database.tables
        .insertInto('refunds')
        .values({
          ...refund,
          amount_halalas: left,
          state: 'due',
          due_at: database.now(),
          created_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await recordOrdered(ordered, decision)
      return true
    },

    /**
     * Inside a transaction that has locked the attempt: stores `returned`, the sum that the provider shows as returned of a
     * transaction, in minor units. The part that no refund of ours returned was returned by hand, or by one that was written
     * off: it is stored as a refund that is done and returned here, and an open refund returns the rest.
     */
    async recordReturned(
      refund: Pick<RefundRow, 'transaction_id' | 'attempt_id' | 'currency' | 'reason'>,
      returned: number,
      now: number,
    ): Promise<RefundRow | undefined> {
      database.assertTransaction()
      const known = await ofTransaction(refund.transaction_id)
      const open = known.find(({ state }) => state !== 'done')
      const added = returned - sumOf(known)
      // A refund that was requested is the one that the provider shows.
      const isOurs = open !== undefined && open.state !== 'due' && added >= open.amount_halalas
      const byHand = isOurs ? added - open.amount_halalas : added
      const rest = Math.max(0, (open?.amount_halalas ?? 0) - byHand)
      const change = isOurs
        ? { ...released(null), state: 'done' as const, done_at: now, last_error: null }
        : { amount_halalas: rest }
      if (open && added > 0)
        await database.tables.updateTable('refunds').set(change).where('id', '=', open.id).execute()
      if (isOurs) await recordRefunded(database, open)
      if (byHand <= 0) return undefined
      const made = await database.tables
        .insertInto('refunds')
        .values({
          ...refund,
          reason: known.at(-1)?.reason ?? refund.reason,
          amount_halalas: byHand,
          state: 'done',
          created_at: now,
          done_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await recordRefunded(database, made)
      if (open && !isOurs && rest !== open.amount_halalas)
        await recordOrdered({ ...open, amount_halalas: rest }, { reason: open.reason, by: system })
      return made
    },

    /**
     * The sum that the refunds of a transaction, or of all payments of an attempt, have returned, in minor units. Open and
     * written-off ones do not count.
     */
    async sumReturned<Key extends 'transaction_id' | 'attempt_id'>(
      key: Key,
      value: RefundRow[Key],
    ): Promise<number> {
      return sumOf(await refunds().where(sql.ref(key), '=', value).execute())
    },

    /**
     * Makes a refund that was not requested, or was refused or dropped, due now; false when it is due already, was requested
     * lately or is done. A worker that holds its lease loses it before it requests, and every request is preceded by a read.
     * One that was requested stays so: it is neither withdrawn nor corrected.
     */
    async hastenRefund(id: number, now: Moment = database.now()): Promise<boolean> {
      const at = sql<number>`CAST(${now} AS bigint)`
      return database.wins(
        database.tables
          .updateTable('refunds')
          .set({
            ...released(at),
            state: sql<RefundState>`CASE WHEN state = 'asked' THEN 'uncertain' ELSE state END`,
          })
          .where('id', '=', id)
          .where((refund) =>
            refund.or([
              refund.and({ state: 'due' }).and(sql<boolean>`(due_at > ${at} OR lease IS NOT NULL)`),
              refund
                .and({ state: 'asked' })
                .and('asked_at', '<=', sql<number>`${at} - ${sql.lit(refundRules.droppedAfterMs)}`),
            ]),
          ),
      )
    },

    /** Inside a transaction: withdraws the refund of a wrong amount; false when the provider may have been asked for it already. */
    async withdrawRefund(transactionId: string): Promise<boolean> {
      database.assertTransaction()
      if (!(await ofWrongAmount({ transactionId }))) return true
      const withdrawn = await database.tables
        .deleteFrom('refunds')
        .where('transaction_id', '=', transactionId)
        .where('reason', '=', 'wrong-amount')
        .where('state', '=', 'due')
        .returningAll()
        .executeTakeFirst()
      if (!withdrawn) return false
      const orderId = await orderIdOf(database, withdrawn)
      await recordEvent(
        { database },
        { kind: 'refund-withdrawn', data: dataOf(withdrawn), by: system, orderId },
      )
      return true
    },

    /**
     * Inside a transaction: closes a refund without the provider; false where it is done, or the provider may be returning it.
     */
    async writeOffRefund(
      transactionId: string,
      { by, words }: RefundDecision,
      now: number,
      effects: Pick<Effects, 'notifiesOwner'> = {},
    ): Promise<boolean> {
      database.assertTransaction()
      const closed = await database.tables
        .updateTable('refunds')
        .set({ ...released(null), state: 'done', done_at: now, written_off_at: now })
        .where(isWritable(transactionId, now))
        .returningAll()
        .executeTakeFirst()
      if (!closed) return false
      const data = {
        ...dataOf(closed),
        personal: personalReason(words),
        ...changedByOffice(by, { refund: ['open', 'written off'] }),
      }
      const orderId = await orderIdOf(database, closed)
      await recordEvent({ database }, { kind: 'refund-written-off', data, by, orderId }, effects)
      return true
    },

    /** Whether `writeOffRefund` would close it. */
    async mayWriteOff(transactionId: string, now: number): Promise<boolean> {
      const found = await refunds().where(isWritable(transactionId, now)).executeTakeFirst()
      return found !== undefined
    },

    findRefundById(id: number): Promise<RefundRow | undefined> {
      return refunds().where('id', '=', id).executeTakeFirst()
    },

    /** The refunds of a transaction, oldest first. */
    listRefundsOf: ofTransaction,

    /** Refunds of the orders, oldest first. */
    listRefunds: preparedForEach<number, RefundRow & { order_id: number }>(database, (orderIds) =>
      database.tables
        .selectFrom('refunds')
        .innerJoin('payment_attempts', 'payment_attempts.id', 'refunds.attempt_id')
        .selectAll('refunds')
        .select('payment_attempts.order_id')
        .where('payment_attempts.order_id', 'in', orderIds)
        .orderBy('refunds.id'),
    ),

    /** Refunds that were ordered before `before` and are not done. */
    async countOverdueRefunds(before: number): Promise<number> {
      const { count } = await database.tables
        .selectFrom('refunds')
        .select((expression) => expression.fn.countAll<number>().as('count'))
        .where(needsPerson(before))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** The same refunds with their orders; those that are tried next first. */
    listOverdueRefunds(before: number, limit: number): Promise<(RefundRow & { order_id: number })[]> {
      return database.tables
        .selectFrom('refunds')
        .innerJoin('payment_attempts', 'payment_attempts.id', 'refunds.attempt_id')
        .selectAll('refunds')
        .select('payment_attempts.order_id')
        .where(needsPerson(before))
        .orderBy('refunds.due_at')
        .limit(limit)
        .execute()
    },

    /** Leases the refund that has been due longest; undefined when none is due. One winner. */
    async leaseRefund(
      now: Moment = database.now(),
      until: Moment = database.now(refundRules.leaseMs),
    ): Promise<Claimed<'refunds'> | undefined> {
      return (await leases.claim({ now, until, most: requestsAtOnce }))[0]
    },

    /**
     * Inside a transaction: stores that the provider may have been asked, and holds the refund under a new lease. Whatever ends that lease, the
     * refund is not due before the outcome has had time to become certain. Returns the refund as it is then; undefined when
     * it is done or the lease was lost. One winner per lease.
     */
    async beginRefund(
      { id, lease }: HeldRefund,
      now: Moment = database.now(),
    ): Promise<(RefundRow & HeldRefund) | undefined> {
      database.assertTransaction()
      const next = randomUUID()
      const at = sql<number>`CAST(${now} AS bigint)`
      const until = sql<number>`${at} + ${sql.lit(refundRules.leaseMs)}`
      const begun = await leases
        .held(id, lease)
        .set({
          state: 'uncertain',
          asked_at: at,
          due_at: until,
          lease: next,
          leased_until: until,
          refused_at: null,
        })
        .where('state', '!=', 'done')
        .returningAll()
        .executeTakeFirst()
      if (!begun) return undefined
      await recordRequested(begun)
      return { ...begun, lease: next }
    },

    /** Stores the state of a refund and when to continue. Changes nothing when it is done or the lease was lost. */
    async planRefund(
      refund: HeldRefund,
      state: RefundState,
      dueAt: Moment,
      reason: string | null = null,
    ): Promise<void> {
      await plan(refund, dueAt, { state, last_error: reason })
    },

    /** Inside a transaction: as `planRefund`, after a request that the provider refused; recorded when its reason changes. */
    async refuseRefund(
      refund: HeldRefund & Pick<RefundRow, 'last_error'>,
      dueAt: Moment,
      reason: string,
      now: Moment = database.now(),
    ): Promise<void> {
      database.assertTransaction()
      const refused = await plan(refund, dueAt, { state: 'due', last_error: reason, refused_at: now })
      if (!refused || reason === refund.last_error) return
      const data = { ...dataOf(refused), personal: personalReason(reason) }
      const orderId = await orderIdOf(database, refused)
      await recordEvent({ database }, { kind: 'refund-refused', data, by: provider, orderId })
    },

    /** Inside a transaction: as `refuseRefund`, after a request whose answer is not known. */
    async doubtRefund(
      refund: HeldRefund & Pick<RefundRow, 'last_error'>,
      dueAt: Moment,
      reason: string,
    ): Promise<void> {
      database.assertTransaction()
      const doubted = await plan(refund, dueAt, { state: 'uncertain', last_error: reason })
      if (!doubted || reason === refund.last_error) return
      const orderId = await orderIdOf(database, doubted)
      await recordEvent({ database }, { kind: 'refund-doubtful', data: dataOf(doubted), by: system, orderId })
    },

    /**
     * Inside a transaction: marks the refund of a transaction as done and returns it with its order; undefined when there is none, or it was done
     * before.
     */
    async finishRefund(
      transactionId: string,
      now: Moment = database.now(),
    ): Promise<(RefundRow & { order_id: number }) | undefined> {
      database.assertTransaction()
      const refund = await database.tables
        .updateTable('refunds')
        .set({ ...released(null), state: 'done', done_at: now, last_error: null })
        .where('transaction_id', '=', transactionId)
        .where('state', '!=', 'done')
        .returningAll()
        .executeTakeFirst()
      if (!refund) return undefined
      return { ...refund, order_id: await recordRefunded(database, refund) }
    },

    /** How many open refunds are in each state, and their money; refunds in other currencies are counted and not added. */
    async countOpenRefunds(): Promise<ReadonlyMap<string, { count: number; halalas: number }>> {
      const isOurs = sql`currency = ${sql.lit(currency)}`
      const rows = await database.tables
        .selectFrom('refunds')
        .select((refund) => [
          'state',
          refund.fn.countAll().as('count'),
          sql`coalesce(sum(CASE WHEN ${isOurs} THEN amount_halalas END), 0)`.as('halalas'),
        ])
        .where('state', '!=', isDone)
        .groupBy('state')
        .execute()
      return new Map(
        rows.map(({ state, count, halalas }) => [state, { count: Number(count), halalas: Number(halalas) }]),
      )
    },

    /** Refunds that are not done, and when the oldest was ordered. */
    async readOpenRefunds(): Promise<Backlog> {
      const { count, oldest } = await database.tables
        .selectFrom('refunds')
        .select((refunds) => [refunds.fn.countAll().as('count'), refunds.fn.min('created_at').as('oldest')])
        .where('state', '!=', isDone)
        .executeTakeFirstOrThrow()
      return { count: Number(count), oldest }
    },
  }
}
