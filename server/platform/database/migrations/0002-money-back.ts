import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/** When to ask the provider about an attempt again, refunds, and shipments of uncertain outcome. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const { schema } = kysely
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await schema.alterTable('payment_attempts').addColumn('next_inquiry_at', 'bigint').execute()
  await schema
    .alterTable('payment_attempts')
    .addColumn('inquiry_step', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .createIndex('payment_attempts_due')
    .on('payment_attempts')
    .column('next_inquiry_at')
    .where(sql.ref('next_inquiry_at'), 'is not', null)
    .execute()
  // Attempts from before this step are asked about at once.
  await kysely.updateTable('payment_attempts').set({ next_inquiry_at: 0 }).execute()

  await schema
    .alterTable('bookings')
    .addColumn('in_doubt_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()

  await schema
    .createTable('refunds')
    .addColumn('id', engine === 'sqlite' ? 'integer' : 'bigint', (column) =>
      engine === 'sqlite'
        ? column.notNull().primaryKey().autoIncrement()
        : column.notNull().primaryKey().generatedByDefaultAsIdentity(),
    )
    // One whole refund per transaction: the sum of refunds can never exceed what was captured.
    .addColumn('transaction_id', 'text', (column) => column.notNull().unique())
    .addColumn('attempt_id', 'bigint', (column) => column.notNull().references('payment_attempts.id'))
    .addColumn('amount_halalas', 'bigint', required)
    .addColumn('reason', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('tries', 'integer', required)
    .addColumn('next_try_at', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('done_at', 'bigint')
    .execute()
  await schema.createIndex('refunds_due').on('refunds').columns(['state', 'next_try_at']).execute()
}
