import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { addColumn, addIndex, allowOnly } from '../schema-changes.ts'

export const isOnline = true

/** When an order was cancelled, and payments that arrive after it. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  await addColumn(kysely, engine, 'orders', 'cancelled_at', sql`bigint`)
  // Those that were never paid are deleted by age; the others are refunded within seconds.
  await addIndex(kysely, engine, 'orders_cancelled', {
    table: 'orders',
    columns: ['created_at', 'id'],
    where: "status = 'CANCELLED'",
  })
  await allowOnly(kysely, engine, 'payment_events', 'outcome', [
    'applied',
    'noted',
    'second-payment',
    'owner-deleted',
    'order-cancelled',
    'amount-mismatch',
    'reference-mismatch',
    'unknown-order',
    'partial-refund',
  ])
}
