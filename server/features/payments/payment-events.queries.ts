import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import type { PrunedPage } from '#server/platform/database/pieces.ts'
import { prepared } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { EventKind, EventOutcome } from '#shared/payments/payments.schemas.ts'
import { unresolvedOutcomes } from './payments.rules.ts'

export type EventRow = Row<'payment_events'>
export type NewPaymentEvent = Omit<EventRow, 'id' | 'seen_at'>

const noDetails = '{}'

/**
 * A second event of the same kind replaces the first only when the first is unresolved, or is an `amount-mismatch`: one
 * from a callback yields to any inquiry or another amount, one from an inquiry only to an inquiry with another amount.
 * @returns false when the first event stays
 */
export async function addPaymentEvent({ database }: QueryCore, event: NewPaymentEvent): Promise<boolean> {
  const added = await database.tables
    .insertInto('payment_events')
    .values(event)
    .onConflict((conflict) =>
      conflict
        .columns(['transaction_id', 'kind'])
        .doUpdateSet({ ...event, seen_at: null })
        .where((known) => {
          const isOther = known.or([
            known('payment_events.amount_halalas', '!=', event.amount_halalas),
            known('payment_events.currency', '!=', event.currency),
          ])
          const isFromCallback = known('payment_events.source', '=', 'callback')
          return known.or([
            known('payment_events.outcome', 'in', unresolvedOutcomes),
            known.and([
              known('payment_events.outcome', '=', 'amount-mismatch'),
              event.source === 'inquiry'
                ? known.or([isFromCallback, isOther])
                : known.and([isFromCallback, isOther]),
            ]),
          ])
        }),
    )
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

export async function setEventOutcome(
  { database }: QueryCore,
  transactionId: string,
  kind: EventKind,
  outcome: EventOutcome,
): Promise<void> {
  await database.send(
    database.tables
      .updateTable('payment_events')
      .set({ outcome })
      .where('transaction_id', '=', transactionId)
      .where('kind', '=', kind),
  )
}

/**
 * Amounts are in halalas. `charged`: the sum of reported payments. `hasFinding`: the provider counts more, and staff
 * have not seen it. `seen`: the part of such money that staff have seen.
 */
export async function readCharged(
  { database }: QueryCore,
  attemptId: number,
): Promise<{ charged: number; hasFinding: boolean; seen: number }> {
  const { charged, findings, seen } = await database.tables
    .selectFrom('payment_events')
    .select((expression) => [
      expression.fn.sum<number | null>('amount_halalas').as('charged'),
      expression
        .selectFrom('payment_findings')
        .select((found) => found.fn.countAll<number>().as('findings'))
        .where('payment_findings.attempt_id', '=', attemptId)
        .where('closed_at', 'is', null)
        .as('findings'),
      expression
        .selectFrom('payment_findings')
        .select((found) => found.fn.max<number | null>('payment_findings.amount_halalas').as('seen'))
        .where('payment_findings.attempt_id', '=', attemptId)
        .where('closed_at', 'is not', null)
        .where('agreed_at', 'is', null)
        .as('seen'),
    ])
    .where('attempt_id', '=', attemptId)
    .where('kind', '=', 'succeeded')
    .executeTakeFirstOrThrow()
  return { charged: Number(charged ?? 0), hasFinding: Number(findings) > 0, seen: Number(seen ?? 0) }
}

/** The provider counts more money for the attempt than it has reported. */
export async function addFinding(
  { database }: QueryCore,
  attemptId: number,
  amountHalalas: number,
  now: number,
): Promise<void> {
  await database.tables
    .insertInto('payment_findings')
    .values({ attempt_id: attemptId, amount_halalas: amountHalalas, noticed_at: now })
    .onConflict((conflict) =>
      conflict
        .column('attempt_id')
        .where('closed_at', 'is', null)
        .doUpdateSet({ amount_halalas: amountHalalas }),
    )
    .execute()
}

/** Call it only when the provider's sum is right again: the same difference is later a new finding. */
export async function endFindings({ database }: QueryCore, attemptId: number, now: number): Promise<void> {
  await database.tables
    .updateTable('payment_findings')
    .set({ agreed_at: now, closed_at: sql<number>`coalesce(closed_at, CAST(${now} AS bigint))` })
    .where('attempt_id', '=', attemptId)
    .where('agreed_at', 'is', null)
    .execute()
}

export async function findOrderOfTransaction(
  { database }: QueryCore,
  transactionId: string,
): Promise<number | undefined> {
  const row = await database.tables
    .selectFrom('payment_events')
    .innerJoin('payment_attempts', 'payment_attempts.id', 'payment_events.attempt_id')
    .select('payment_attempts.order_id')
    .where('payment_events.transaction_id', '=', transactionId)
    .limit(1)
    .executeTakeFirst()
  return row?.order_id
}

export const listPaymentEvents = prepared(({ database }: QueryCore, transactionId: string) =>
  database.tables
    .selectFrom('payment_events')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .orderBy('id'),
)

/** Clears the bodies of old events, but not while a refund of the attempt is open or the outcome is unresolved. */
export async function clearEventDetails(
  { database }: QueryCore,
  after: number,
  before: number,
  limit: number,
): Promise<PrunedPage> {
  const page = await database.tables
    .selectFrom('payment_events')
    .select(['id', 'received_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  const old = page.filter(({ received_at }) => received_at < before).map(({ id }) => id)
  if (old.length === 0) return { rows: 0, reached: after, more: false }
  const { numUpdatedRows } = await database.tables
    .updateTable('payment_events')
    .set({ body: noDetails })
    .where('id', 'in', old)
    .where('body', '!=', noDetails)
    .where('outcome', 'not in', unresolvedOutcomes)
    .where((event) =>
      event.not(
        event.exists(
          event
            .selectFrom('refunds')
            .select('refunds.id')
            .whereRef('refunds.attempt_id', '=', 'payment_events.attempt_id')
            .where('refunds.state', '!=', 'done'),
        ),
      ),
    )
    .executeTakeFirst()
  return {
    rows: Number(numUpdatedRows),
    reached: old.at(-1) ?? after,
    more: old.length === limit,
  }
}
