import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Engine } from '../database.ts'
import { addIndex } from '../schema-changes.ts'

export const isOnline = true

/** What operators have changed with `npm run ops`. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const isPostgres = engine === 'postgres'
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await kysely.schema
    .createTable('operator_actions')
    .ifNotExists()
    .addColumn('id', isPostgres ? 'bigint' : 'integer', (column) =>
      isPostgres
        ? column.notNull().primaryKey().generatedByDefaultAsIdentity()
        : column.notNull().primaryKey().autoIncrement(),
    )
    .addColumn('at', 'bigint', required)
    .addColumn('actor', 'text', required)
    .addColumn('action', 'text', required)
    // No references: an action outlasts what it was about.
    .addColumn('order_id', 'bigint')
    .addColumn('user_id', 'bigint')
    .addColumn('subject', 'text')
    .addColumn('reason', 'text')
    .addColumn('before', 'text', required)
    .addColumn('after', 'text', required)
    .execute()
  await addIndex(kysely, engine, 'operator_actions_at', { table: 'operator_actions', columns: ['at'] })
  await addIndex(kysely, engine, 'operator_actions_order', {
    table: 'operator_actions',
    columns: ['order_id', 'id'],
    where: 'order_id IS NOT NULL',
  })
  await addIndex(kysely, engine, 'operator_actions_user', {
    table: 'operator_actions',
    columns: ['user_id', 'id'],
    where: 'user_id IS NOT NULL',
  })
}
