import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { addColumn, addIndex, allowOnly } from '../schema-changes.ts'

export const isOnline = true

/** Browsers that get push messages, and what became of a message's push. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await kysely.schema
    .createTable('push_subscriptions')
    .ifNotExists()
    .addColumn('endpoint', 'text', (column) => column.notNull().primaryKey())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    // However a session ends, the browser gets no further messages of that person.
    .addColumn('session_hash', 'text', (column) =>
      column.notNull().references('sessions.token_hash').onDelete('cascade'),
    )
    .addColumn('p256dh', 'text', required)
    .addColumn('auth', 'text', required)
    .addColumn('server_key', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await addIndex(kysely, engine, 'push_subscriptions_user', {
    table: 'push_subscriptions',
    columns: ['user_id', 'created_at'],
  })
  await addIndex(kysely, engine, 'push_subscriptions_session', {
    table: 'push_subscriptions',
    columns: ['session_hash'],
  })
  await addColumn(kysely, engine, 'messages', 'push', sql`text`)
  await allowOnly(kysely, engine, 'messages', 'push', ['asked', 'accepted', 'failed'])
}
