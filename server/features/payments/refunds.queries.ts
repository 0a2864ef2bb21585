import { type ExpressionBuilder, sql, type UpdateObject } from 'kysely'
import type { Core } from '#server/core.ts'
import {
  type Actor,
  changedByOffice,
  listEvents,
  type NewEvent,
  personalReason,
  sendEvent,
} from '#server/features/history/history.ts'
import type { Effects } from '#server/features/history/outbox.ts'
import type { LeasingCore, QueryCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Claimed, createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import { preparedFirst, preparedForEach } from '#server/platform/database/prepared.ts'
import { needsPerson } from '#server/platform/database/refunds-for-person.ts'
import type { Row, Schema } from '#server/platform/database/schema.ts'
import type { Backlog } from '#server/platform/metrics.ts'
import type { RefundState } from '#shared/payments/payments.schemas.ts'
import { currency } from '#shared/platform/money.ts'
import { listPaymentEvents } from './payment-events.queries.ts'
import { refundRules, requestsAtOnce } from './payments.rules.ts'

// The table contains the gateway's refunds, and refunds that staff made at the provider. Each change of a refund must
// be recorded as an event.

export type RefundRow = Row<'refunds'>
export type RefundOfOrder = RefundRow & { readonly order_id: number }

export type HeldRefund = Pick<Claimed<'refunds'>, 'id' | 'lease'>

// SQL that uses a partial index must contain literals, not parameters.
const isDone = sql.lit<RefundState>('done')

interface RefundDecision {
  readonly by: Actor
  readonly words?: string | null | undefined
}

/** Amounts are in minor units. `captured`: the whole payment. `amount`: the part to refund. */
export type NewRefund = Pick<RefundRow, 'transaction_id' | 'attempt_id' | 'currency' | 'reason'> &
  RefundDecision & {
    readonly captured: number
    readonly amount?: number | undefined
  }

type RefundEvent = Extract<NewEvent, { readonly kind: `refund${string}` }>

const system: Actor = { kind: 'system' }
const provider: Actor = { kind: 'provider' }

const sumOf = (refunds: readonly RefundRow[]) =>
  refunds
    .filter((row) => row.state === 'done' && row.written_off_at === null)
    .reduce((sum, row) => sum + row.amount_halalas, 0)

const dataOf = (refund: RefundRow) => ({
  refundId: refund.id,
  transaction: refund.transaction_id,
  halalas: refund.amount_halalas,
  currency: refund.currency,
})

const refunds = (database: Database) => database.tables.selectFrom('refunds').selectAll()
const leasesOf = (database: Database) => createLeases(database, 'refunds')

async function orderIdOf({ tables }: Database, { attempt_id: attemptId }: RefundRow) {
  const { order_id } = await tables
    .selectFrom('payment_attempts')
    .select('order_id')
    .where('id', '=', attemptId)
    .executeTakeFirstOrThrow()
  return order_id
}

async function record(core: QueryCore, refund: RefundRow, event: RefundEvent, effects?: Effects) {
  const orderId = await orderIdOf(core.database, refund)
  await sendEvent(core, { ...event, orderId }, effects)
  return orderId
}

const recordOrdered = (
  core: QueryCore,
  refund: RefundRow,
  { reason, by, words }: Pick<NewRefund, 'reason' | 'by' | 'words'>,
) =>
  record(core, refund, {
    kind: 'refund-ordered',
    data: {
      ...dataOf(refund),
      reason,
      personal: personalReason(words),
      ...changedByOffice(by, { refund: [null, 'open'] }),
    },
    by,
  })

const recordRefunded = (core: QueryCore, refund: RefundRow) =>
  record(
    core,
    refund,
    { kind: 'refunded', data: dataOf(refund), by: provider },
    { returned: refund.reason === 'wrong-amount' ? 'wrong-amount' : undefined },
  )

/**
 * A repetition after a failed try is not recorded. A repetition without an error is recorded: the provider accepted the
 * first request but made no refund.
 */
async function recordRequested(core: QueryCore, refund: RefundRow) {
  const orderId = await orderIdOf(core.database, refund)
  const last = (await listEvents(core, 'order_id', [orderId])).findLast(
    ({ kind, data }) => kind.startsWith('refund-') && 'refundId' in data && data.refundId === refund.id,
  )
  if (last?.kind === 'refund-requested' && refund.last_error !== null) return
  await sendEvent(core, { kind: 'refund-requested', data: dataOf(refund), by: system, orderId })
}

export const listRefundsOfTransaction = (
  { database }: QueryCore,
  transactionId: string,
): Promise<RefundRow[]> =>
  refunds(database).where('transaction_id', '=', transactionId).orderBy('id').execute()

/**
 * Needs a transaction that has locked the attempt. Refunds at most the money that was not returned yet. A payment that
 * paid for no order is refunded once; until that refund is requested, a later call corrects its amount.
 * @returns false when no money will be returned
 */
export async function addRefund(
  core: QueryCore,
  { captured, amount = captured, by, words, ...refund }: NewRefund,
  now: number,
): Promise<boolean> {
  const { database } = core
  database.assertTransaction()
  const decision = { by, words, reason: refund.reason }
  const known = await listRefundsOfTransaction(core, refund.transaction_id)
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
    const isSame = corrected?.amount_halalas === open.amount_halalas && corrected.currency === open.currency
    if (corrected && !isSame) await recordOrdered(core, corrected, decision)
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
  await recordOrdered(core, ordered, decision)
  return true
}

/**
 * Needs a transaction that has locked the order's attempts. Refunds `amount` minor units, by default all money that was
 * not returned yet.
 * @returns false when no money is left to return
 * @throws Error when no such payment is stored
 */
export async function refundPayment(
  core: QueryCore,
  transactionId: string,
  decision: Pick<NewRefund, 'reason' | 'by' | 'words' | 'amount'>,
  now: number,
): Promise<boolean> {
  const events = await listPaymentEvents(core, transactionId)
  const payment = events.find(({ kind }) => kind === 'succeeded')
  if (!payment?.attempt_id) throw new Error(`no payment ${transactionId} is stored`)
  const refund = {
    ...decision,
    transaction_id: transactionId,
    attempt_id: payment.attempt_id,
    captured: payment.amount_halalas,
    currency: payment.currency,
  }
  return addRefund(core, refund, now)
}

/**
 * Needs a transaction that has locked the attempt. Money that the provider `returned` (minor units) beyond our refunds
 * was returned by staff, or by a refund that was written off. It is stored as a refund that is done, and reduces an
 * open refund.
 */
export async function recordReturned(
  core: QueryCore,
  refund: Pick<RefundRow, 'transaction_id' | 'attempt_id' | 'currency' | 'reason'>,
  returned: number,
  now: number,
): Promise<RefundRow | undefined> {
  const { database } = core
  database.assertTransaction()
  const known = await listRefundsOfTransaction(core, refund.transaction_id)
  const open = known.find(({ state }) => state !== 'done')
  const added = returned - sumOf(known)
  const isOurs = open !== undefined && open.state !== 'due' && added >= open.amount_halalas
  const byHand = isOurs ? added - open.amount_halalas : added
  const rest = Math.max(0, (open?.amount_halalas ?? 0) - byHand)
  const change = isOurs
    ? { ...released(null), state: 'done' as const, done_at: now, last_error: null }
    : { amount_halalas: rest }
  if (open && added > 0)
    await database.tables.updateTable('refunds').set(change).where('id', '=', open.id).execute()
  if (isOurs) await recordRefunded(core, open)
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
  await recordRefunded(core, made)
  if (open && !isOurs && rest !== open.amount_halalas)
    await recordOrdered(core, { ...open, amount_halalas: rest }, { reason: open.reason, by: system })
  return made
}

/** The sum is in minor units. Open and written-off refunds do not count. */
export async function sumReturned<Key extends 'transaction_id' | 'attempt_id'>(
  { database }: QueryCore,
  key: Key,
  value: RefundRow[Key],
): Promise<number> {
  return sumOf(await refunds(database).where(sql.ref(key), '=', value).execute())
}

/**
 * Makes a refund due that was not requested, was refused, or was accepted but not made for a day. A worker that has
 * leased it loses the lease, so that it is not requested twice.
 */
export async function scheduleRefundNow(
  { database }: QueryCore,
  id: number,
  now: Moment = database.now(),
): Promise<boolean> {
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
}

const ofWrongAmount = preparedFirst(({ database }: QueryCore, transactionId: string) =>
  database.tables
    .selectFrom('refunds')
    .select('id')
    .where('transaction_id', '=', transactionId)
    .where('reason', '=', 'wrong-amount'),
)

/**
 * Needs a transaction. Deletes the refund of a payment of a wrong amount.
 * @returns false when the provider was possibly asked for the refund
 */
export async function withdrawRefund(core: QueryCore, transactionId: string): Promise<boolean> {
  const { database } = core
  database.assertTransaction()
  if (!(await ofWrongAmount(core, transactionId))) return true
  const withdrawn = await database.tables
    .deleteFrom('refunds')
    .where('transaction_id', '=', transactionId)
    .where('reason', '=', 'wrong-amount')
    .where('state', '=', 'due')
    .returningAll()
    .executeTakeFirst()
  if (!withdrawn) return false
  await record(core, withdrawn, { kind: 'refund-withdrawn', data: dataOf(withdrawn), by: system })
  return true
}

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

/**
 * Needs a transaction. Gives up a refund without a call to the provider.
 * @returns false when the refund is done, or the provider is possibly making it
 */
export async function writeOffRefund(
  core: QueryCore,
  transactionId: string,
  { by, words }: RefundDecision,
  now: number,
  effects: Pick<Effects, 'notifiesOwner'> = {},
): Promise<boolean> {
  const { database } = core
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
  await record(core, closed, { kind: 'refund-written-off', data, by }, effects)
  return true
}

export const mayWriteOffRefund = (
  { database }: QueryCore,
  transactionId: string,
  now: number,
): Promise<boolean> => database.has(refunds(database).where(isWritable(transactionId, now)))

export const findRefund = ({ database }: QueryCore, id: number): Promise<RefundRow | undefined> =>
  refunds(database).where('id', '=', id).executeTakeFirst()

const withOrders = (database: Database) =>
  database.tables
    .selectFrom('refunds')
    .innerJoin('payment_attempts', 'payment_attempts.id', 'refunds.attempt_id')
    .selectAll('refunds')
    .select('payment_attempts.order_id')

export const listRefunds = preparedForEach(({ database }: QueryCore, orderIds: readonly number[]) =>
  withOrders(database).where('payment_attempts.order_id', 'in', orderIds).orderBy('refunds.id'),
)

export const countOverdueRefunds = ({ database }: QueryCore, before: number): Promise<number> =>
  database.count(database.tables.selectFrom('refunds').where(needsPerson(before)))

export const listOverdueRefunds = (
  { database }: QueryCore,
  before: number,
  limit: number,
): Promise<RefundOfOrder[]> =>
  withOrders(database).where(needsPerson(before)).orderBy('refunds.due_at').limit(limit).execute()

export async function leaseRefund(
  { database, random }: LeasingCore,
  now: Moment = database.now(),
  until: Moment = database.now(refundRules.leaseMs),
): Promise<Claimed<'refunds'> | undefined> {
  return (await leasesOf(database).claim({ lease: random.uuid(), now, until, most: requestsAtOnce }))[0]
}

/**
 * Needs a transaction. Must be called before the provider is asked: even when this worker dies, no worker tries the
 * refund before its outcome is known at the provider.
 */
export async function beginRefund(
  core: Core,
  { id, lease }: HeldRefund,
  now: Moment = core.database.now(),
): Promise<(RefundRow & HeldRefund) | undefined> {
  const { database } = core
  database.assertTransaction()
  const next = core.random.uuid()
  const at = sql<number>`CAST(${now} AS bigint)`
  const until = sql<number>`${at} + ${sql.lit(refundRules.leaseMs)}`
  const begun = await leasesOf(database)
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
  await recordRequested(core, begun)
  return { ...begun, lease: next }
}

const plan = (
  { database }: QueryCore,
  { id, lease }: HeldRefund,
  dueAt: Moment,
  change: UpdateObject<Schema, 'refunds', 'refunds'>,
): Promise<RefundRow | undefined> =>
  leasesOf(database)
    .held(id, lease)
    .set({ ...released(dueAt), ...change })
    .where('state', '!=', 'done')
    .returningAll()
    .executeTakeFirst()

export async function planRefund(
  core: QueryCore,
  refund: HeldRefund,
  state: RefundState,
  dueAt: Moment,
  reason: string | null = null,
): Promise<void> {
  await plan(core, refund, dueAt, { state, last_error: reason })
}

/** Needs a transaction. A refusal is recorded only when its reason is new. */
export async function refuseRefund(
  core: QueryCore,
  refund: HeldRefund & Pick<RefundRow, 'last_error'>,
  dueAt: Moment,
  reason: string,
  now: Moment = core.database.now(),
): Promise<void> {
  core.database.assertTransaction()
  const refused = await plan(core, refund, dueAt, { state: 'due', last_error: reason, refused_at: now })
  if (!refused || reason === refund.last_error) return
  const data = { ...dataOf(refused), personal: personalReason(reason) }
  await record(core, refused, { kind: 'refund-refused', data, by: provider })
}

/** Needs a transaction. An unknown outcome is recorded only when its reason is new. */
export async function doubtRefund(
  core: QueryCore,
  refund: HeldRefund & Pick<RefundRow, 'last_error'>,
  dueAt: Moment,
  reason: string,
): Promise<void> {
  core.database.assertTransaction()
  const doubted = await plan(core, refund, dueAt, { state: 'uncertain', last_error: reason })
  if (!doubted || reason === refund.last_error) return
  await record(core, doubted, { kind: 'refund-doubtful', data: dataOf(doubted), by: system })
}

/** Needs a transaction. */
export async function markRefundDone(
  core: QueryCore,
  transactionId: string,
  now: Moment = core.database.now(),
): Promise<RefundOfOrder | undefined> {
  const { database } = core
  database.assertTransaction()
  const refund = await database.tables
    .updateTable('refunds')
    .set({ ...released(null), state: 'done', done_at: now, last_error: null })
    .where('transaction_id', '=', transactionId)
    .where('state', '!=', 'done')
    .returningAll()
    .executeTakeFirst()
  return refund && { ...refund, order_id: await recordRefunded(core, refund) }
}

export async function countOpenRefunds({
  database,
}: QueryCore): Promise<ReadonlyMap<string, { count: number; halalas: number }>> {
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
}

export async function readOpenRefunds({ database }: QueryCore): Promise<Backlog> {
  const { count, oldest } = await database.tables
    .selectFrom('refunds')
    .select((rows) => [rows.fn.countAll().as('count'), rows.fn.min('created_at').as('oldest')])
    .where('state', '!=', isDone)
    .executeTakeFirstOrThrow()
  return { count: Number(count), oldest }
}
