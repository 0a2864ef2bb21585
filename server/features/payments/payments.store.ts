import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { isOwed } from '#server/platform/database/refunds-for-person.ts'
import type { EventKind, RefundState } from '#shared/payments/payments.schemas.ts'
import { type AttemptRow, createAttemptsStore } from './attempts.store.ts'
import { createEventsStore, type EventRow } from './events.store.ts'
import { endedStates, heldOutcomes } from './payments.rules.ts'
import { createRefundsStore, type NewRefund, type RefundRow } from './refunds.store.ts'

export type PaymentsStore = ReturnType<typeof createPaymentsStore>

/** Attempts, events, refunds, and the queries over all three. Money is halalas, times are epoch milliseconds. */
export function createPaymentsStore(database: Database) {
  return {
    ...createPaymentRefunds(database),
    ...createAttemptsStore(database),
    ...createEventsStore(database),
    ...createRefundsStore(database),
    ...createOrderRecords(database),
  }
}

function createPaymentRefunds(database: Database) {
  const events = createEventsStore(database)
  const refunds = createRefundsStore(database)

  return {
    /**
     * Inside a transaction that has locked the attempts of the order: orders a refund of a stored payment, of `amount` in minor
     * units or of the rest that has not gone back. Returns false where nothing is left.
     * @throws when no payment is stored.
     */
    async refundPayment(
      transactionId: string,
      decision: Pick<NewRefund, 'reason' | 'by' | 'words' | 'amount'>,
      now: number,
    ): Promise<boolean> {
      const payment = (await events.listEvents(transactionId)).find(({ kind }) => kind === 'succeeded')
      if (!payment?.attempt_id) throw new Error(`no payment ${transactionId} is stored`)
      return refunds.addRefund(
        {
          ...decision,
          transaction_id: transactionId,
          attempt_id: payment.attempt_id,
          captured: payment.amount_halalas,
          currency: payment.currency,
        },
        now,
      )
    },
  }
}

/** Kinds that report neither a charge nor a return: an event of such a kind with the outcome `noted` changed nothing. */
const kindsWithoutMoney: readonly EventKind[] = ['pending', 'failed']

// A literal, so that the database sees that the partial index over open refunds covers the query.
const isOpen = sql<boolean>`refunds.state <> ${sql.lit<RefundState>('done')}`

/** Queries over all payments of an order, for deletion, export and retention. */
function createOrderRecords(database: Database) {
  async function hasRefund(orderIds: readonly number[], condition: Expression<SqlBool>): Promise<boolean> {
    const refund = await database.tables
      .selectFrom('refunds')
      .innerJoin('payment_attempts', 'payment_attempts.id', 'refunds.attempt_id')
      .select('refunds.id')
      .where('payment_attempts.order_id', 'in', orderIds)
      .where(condition)
      .limit(1)
      .executeTakeFirst()
    return refund !== undefined
  }

  async function hasHeldPayment(orderIds: readonly number[]): Promise<boolean> {
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

  /** The attempts that a refund, or an event that may have moved money, belongs to. */
  async function findAttemptsWithMoney(ids: readonly number[]): Promise<ReadonlySet<number | null>> {
    if (ids.length === 0) return new Set()
    const events = await database.tables
      .selectFrom('payment_events')
      .select(['attempt_id', 'kind', 'outcome'])
      .where('attempt_id', 'in', ids)
      .execute()
    const refunds = await database.tables
      .selectFrom('refunds')
      .select('attempt_id')
      .where('attempt_id', 'in', ids)
      .execute()
    return new Set([
      ...refunds.map(({ attempt_id }) => attempt_id),
      ...events
        .filter(({ kind, outcome }) => !kindsWithoutMoney.includes(kind) || outcome !== 'noted')
        .map(({ attempt_id }) => attempt_id),
    ])
  }

  return {
    /**
     * True while a refund of one of the orders is not done, or was written off although a cancellation promised it, or one of
     * their payments is held for an operator.
     */
    async hasUnsettled(orderIds: readonly number[]): Promise<boolean> {
      if (orderIds.length === 0) return false
      return (
        (await hasRefund(orderIds, isOpen)) ||
        (await hasHeldPayment(orderIds)) ||
        (await hasRefund(orderIds, isOwed))
      )
    },

    /**
     * Inside a transaction: deletes the attempts and events of those of the orders for which no money ever moved and
     * nothing is pending; returns these orders, and those without any attempt.
     */
    async deleteUnpaid(orderIds: readonly number[]): Promise<number[]> {
      database.assertTransaction()
      if (orderIds.length === 0) return []
      // Locks the attempts first, as applying a report does, so that no report is applied in between.
      const attempts = await database.tables
        .updateTable('payment_attempts')
        .set((attempt) => ({ order_id: attempt.ref('order_id') }))
        .where('order_id', 'in', orderIds)
        .returning(['id', 'order_id', 'state', 'due_at'])
        .execute()
      const withMoney = await findAttemptsWithMoney(attempts.map(({ id }) => id))
      const retained = new Set(
        attempts
          .filter(
            ({ id, state, due_at }) => due_at !== null || !endedStates.includes(state) || withMoney.has(id),
          )
          .map(({ order_id }) => order_id),
      )
      const deleted = attempts.filter(({ order_id }) => !retained.has(order_id)).map(({ id }) => id)
      if (deleted.length > 0) {
        await database.tables.deleteFrom('payment_events').where('attempt_id', 'in', deleted).execute()
        await database.tables.deleteFrom('payment_attempts').where('id', 'in', deleted).execute()
      }
      return orderIds.filter((id) => !retained.has(id))
    },

    /** Every stored row of the payments of the orders, oldest first. */
    async listOfOrders(
      orderIds: readonly number[],
    ): Promise<{ attempts: AttemptRow[]; events: EventRow[]; refunds: RefundRow[] }> {
      if (orderIds.length === 0) return { attempts: [], events: [], refunds: [] }
      const attempts = await database.tables
        .selectFrom('payment_attempts')
        .selectAll()
        .where('order_id', 'in', orderIds)
        .orderBy('id')
        .execute()
      const ids = attempts.map(({ id }) => id)
      if (ids.length === 0) return { attempts, events: [], refunds: [] }
      const events = await database.tables
        .selectFrom('payment_events')
        .selectAll()
        .where('attempt_id', 'in', ids)
        .orderBy('id')
        .execute()
      const refunds = await database.tables
        .selectFrom('refunds')
        .selectAll()
        .where('attempt_id', 'in', ids)
        .orderBy('id')
        .execute()
      return { attempts, events, refunds }
    },
  }
}
