import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Engine } from '../database.ts'
import { addIndex } from '../schema-changes.ts'

export const isOnline = true

/** Links that show the journey of an order's bags without a session. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await kysely.schema
    .createTable('order_shares')
    .ifNotExists()
    // One live link per order.
    .addColumn('order_id', 'bigint', (column) => column.notNull().primaryKey().references('orders.id'))
    // SHA-256 of the token: a copy of the database opens no link.
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', required)
    .execute()
  await addIndex(kysely, engine, 'order_shares_created', { table: 'order_shares', columns: ['created_at'] })
}
