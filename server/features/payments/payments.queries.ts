import { type Expression, type SqlBool, sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import { isOwed } from '#server/platform/database/refunds-for-person.ts'
import type { EventKind, RefundState } from '#shared/payments/payments.schemas.ts'
import type { AttemptRow } from './attempts.queries.ts'
import type { EventRow } from './payment-events.queries.ts'
import { endedStates, heldOutcomes } from './payments.rules.ts'
import type { RefundRow } from './refunds.queries.ts'

const kindsWithoutMoney: readonly EventKind[] = ['pending', 'failed']

// SQL that uses a partial index must contain literals, not parameters.
const isOpen = sql<boolean>`refunds.state <> ${sql.lit<RefundState>('done')}`

/**
 * True when a refund is not done, the refund of a cancellation was written off, or an operator must settle a payment.
 */
export async function hasUnsettledPayments(core: QueryCore, orderIds: readonly number[]): Promise<boolean> {
  if (orderIds.length === 0) return false
  return (
    (await hasRefund(core, orderIds, isOpen)) ||
    (await hasHeldPayment(core, orderIds)) ||
    (await hasRefund(core, orderIds, isOwed))
  )
}

const hasRefund = ({ database }: QueryCore, orderIds: readonly number[], condition: Expression<SqlBool>) =>
  database.has(
    database.tables
      .selectFrom('refunds')
      .innerJoin('payment_attempts', 'payment_attempts.id', 'refunds.attempt_id')
      .select('refunds.id')
      .where('payment_attempts.order_id', 'in', orderIds)
      .where(condition)
      .limit(1),
  )

async function hasHeldPayment({ database }: QueryCore, orderIds: readonly number[]) {
  const held = await database.tables
    .selectFrom('payment_events')
    .innerJoin('payment_attempts', 'payment_attempts.id', 'payment_events.attempt_id')
    .select('payment_events.transaction_id')
    .where('payment_attempts.order_id', 'in', orderIds)
    .where('payment_events.kind', '=', 'succeeded')
    .where('payment_events.outcome', 'in', heldOutcomes)
    .execute()
  if (held.length === 0) return false
  const reversals = await database.tables
    .selectFrom('payment_events')
    .select('transaction_id')
    .where(
      'transaction_id',
      'in',
      held.map((event) => event.transaction_id),
    )
    .where('kind', 'in', ['refunded', 'voided'])
    .where('outcome', '!=', 'partial-refund')
    .execute()
  const returned = new Set(reversals.map((event) => event.transaction_id))
  return held.some((event) => !returned.has(event.transaction_id))
}

/**
 * Needs a transaction. Deletes attempts and events of orders for which no money was paid and nothing is pending.
 * @returns these orders, and the orders without any attempt
 */
export async function deleteUnpaid(core: QueryCore, orderIds: readonly number[]): Promise<number[]> {
  const { database } = core
  database.assertTransaction()
  if (orderIds.length === 0) return []
  // Attempts are locked first, so that no report is applied before the deletion.
  const attempts = await database.tables
    .updateTable('payment_attempts')
    .set((attempt) => ({ order_id: attempt.ref('order_id') }))
    .where('order_id', 'in', orderIds)
    .returning(['id', 'order_id', 'state', 'due_at'])
    .execute()
  const ids = attempts.map(({ id }) => id)
  const withMoney = await findAttemptsWithMoney(core, ids)
  const retained = new Set(
    attempts
      .filter(({ id, state, due_at }) => due_at !== null || !endedStates.includes(state) || withMoney.has(id))
      .map(({ order_id }) => order_id),
  )
  const deleted = attempts.filter(({ order_id }) => !retained.has(order_id)).map(({ id }) => id)
  if (deleted.length > 0) {
    await database.tables.deleteFrom('payment_events').where('attempt_id', 'in', deleted).execute()
    await database.tables.deleteFrom('payment_attempts').where('id', 'in', deleted).execute()
  }
  return orderIds.filter((id) => !retained.has(id))
}

async function findAttemptsWithMoney(
  core: QueryCore,
  ids: readonly number[],
): Promise<ReadonlySet<number | null>> {
  const { events, refunds } = await readRecords(core, ids)
  return new Set([
    ...refunds.map(({ attempt_id }) => attempt_id),
    ...events
      .filter(({ kind, outcome }) => !kindsWithoutMoney.includes(kind) || outcome !== 'noted')
      .map(({ attempt_id }) => attempt_id),
  ])
}

interface Records {
  readonly events: EventRow[]
  readonly refunds: RefundRow[]
}

async function readRecords({ database }: QueryCore, attemptIds: readonly number[]): Promise<Records> {
  if (attemptIds.length === 0) return { events: [], refunds: [] }
  const events = await database.tables
    .selectFrom('payment_events')
    .selectAll()
    .where('attempt_id', 'in', attemptIds)
    .orderBy('id')
    .execute()
  const refunds = await database.tables
    .selectFrom('refunds')
    .selectAll()
    .where('attempt_id', 'in', attemptIds)
    .orderBy('id')
    .execute()
  return { events, refunds }
}

export type PaymentRecords = Records & { readonly attempts: AttemptRow[] }

export async function listPaymentsOfOrders(
  core: QueryCore,
  orderIds: readonly number[],
): Promise<PaymentRecords> {
  const attempts =
    orderIds.length === 0
      ? []
      : await core.database.tables
          .selectFrom('payment_attempts')
          .selectAll()
          .where('order_id', 'in', orderIds)
          .orderBy('id')
          .execute()
  const ids = attempts.map(({ id }) => id)
  return { attempts, ...(await readRecords(core, ids)) }
}
