import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { addIndex, allowOnly } from '../schema-changes.ts'

export const isOnline = true

/** Receipts, tax invoices and the notes that correct them: one sequence of numbers without a gap. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const { schema } = kysely
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  // Not an automatic id: those leave a gap whenever a transaction is rolled back.
  const number = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

  await schema
    .createTable('receipts')
    .ifNotExists()
    .addColumn('number', engine === 'sqlite' ? 'integer' : 'bigint', number)
    .addColumn('kind', 'text', required)
    .addColumn('order_id', 'bigint', (column) => column.notNull().references('orders.id'))
    // The number of the corrected receipt. No foreign key: at the end of its time it is deleted before its correction.
    .addColumn('corrects', 'bigint')
    .addColumn('amount_halalas', 'bigint', required)
    // Of a correction: all that has been returned of the receipt up to here.
    .addColumn('returned_halalas', 'bigint', required)
    .addColumn('issued_at', 'bigint', required)
    .addColumn('uuid', 'text', (column) => column.notNull().unique())
    .addColumn('previous_hash', 'text', required)
    .addColumn('hash', 'text', required)
    .addColumn('document', 'text', required)
    .execute()
  await allowOnly(kysely, engine, 'receipts', 'kind', ['receipt', 'invoice', 'refund-receipt', 'credit-note'])
  await addIndex(kysely, engine, 'receipts_issued', { table: 'receipts', columns: ['issued_at'] })
  // One receipt per order, and one correction per returned sum. A new table: nothing writes to it yet.
  await sql`CREATE UNIQUE INDEX IF NOT EXISTS receipts_once ON receipts (order_id, returned_halalas)`.execute(
    kysely,
  )

  // One row, whose lock is held until the transaction ends: numbers follow the order of commits.
  await schema
    .createTable('receipt_counters')
    .ifNotExists()
    .addColumn('id', 'integer', number)
    .addColumn('last_number', 'bigint', required)
    .addColumn('last_hash', 'text', required)
    .execute()
  await schema
    .createTable('receipt_gaps')
    .ifNotExists()
    .addColumn('first_number', 'bigint', number)
    .addColumn('last_number', 'bigint', required)
    .addColumn('recorded_at', 'bigint', required)
    .execute()
}
