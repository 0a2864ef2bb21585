import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Engine } from '../database.ts'
import { addIndex, allowOnly, type IndexShape } from '../schema-changes.ts'

export const isOnline = true

const kinds = ['paid', 'handed-over', 'at-branch', 'collected', 'refunded', 'exception', 'cancelled']
const states = ['waiting', 'uncertain', 'accepted', 'delivered', 'failed', 'dropped']

const indexes: Readonly<Record<string, IndexShape>> = {
  messages_due: { table: 'messages', columns: ['due_at'], where: 'due_at IS NOT NULL' },
  // For the metrics: not yet known to have been sent.
  messages_unsent: {
    table: 'messages',
    columns: ['created_at'],
    where: "state = 'waiting' OR state = 'uncertain'",
  },
  messages_user: { table: 'messages', columns: ['user_id', 'id'] },
  messages_age: { table: 'messages', columns: ['created_at'] },
  // The daily budget counts by this time.
  messages_asked: { table: 'messages', columns: ['asked_at'] },
}

/** The outbox of messages, and what is known of a user as their receiver. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const { schema } = kysely
  const isPostgres = engine === 'postgres'
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const none = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
  const id = (column: ColumnDefinitionBuilder) =>
    isPostgres
      ? column.notNull().primaryKey().generatedByDefaultAsIdentity()
      : column.notNull().primaryKey().autoIncrement()
  const idType = isPostgres ? 'bigint' : 'integer'
  // SQLite knows no IF NOT EXISTS here, and runs the whole step in one transaction.
  const again = (column: ColumnDefinitionBuilder) => (isPostgres ? column.ifNotExists() : column)

  const ofUser = (name: string, type: 'text' | 'integer', shape = again) =>
    schema.alterTable('users').addColumn(name, type, shape).execute()
  await ofUser('language', 'text')
  await ofUser('messages', 'integer', (column) => again(column).notNull().defaultTo(1))
  await ofUser('sms_refused', 'text')

  await schema
    .createTable('messages')
    .ifNotExists()
    .addColumn('id', idType, id)
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    // No reference: an order that is deleted while a message about it is kept must not be held back.
    .addColumn('order_id', 'bigint', required)
    .addColumn('booking_id', 'bigint', none)
    .addColumn('kind', 'text', required)
    .addColumn('phone', 'text', required)
    .addColumn('body', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('tries', 'integer', none)
    .addColumn('sends', 'integer', none)
    .addColumn('asked_at', 'bigint')
    .addColumn('ref', 'text')
    .addColumn('former_ref', 'text')
    .addColumn('status_rank', 'integer', none)
    .addColumn('checks', 'integer', none)
    .addColumn('retried', 'integer', none)
    .addColumn('reason', 'text')
    .addColumn('lease', 'text')
    .addColumn('due_at', 'bigint')
    .addColumn('created_at', 'bigint', required)
    .addColumn('ended_at', 'bigint')
    .execute()
  await schema
    .createIndex('messages_once')
    .ifNotExists()
    .unique()
    .on('messages')
    .columns(['order_id', 'booking_id', 'kind', 'phone'])
    .execute()
  // Written by `npm run restore`: messages about older orders may have been sent after the backup was taken.
  await schema
    .createTable('message_restores')
    .ifNotExists()
    .addColumn('id', idType, id)
    .addColumn('first_order', 'bigint', required)
    .addColumn('since', 'bigint', required)
    .execute()
  await allowOnly(kysely, engine, 'messages', 'kind', kinds)
  await allowOnly(kysely, engine, 'messages', 'state', states)
  for (const [name, shape] of Object.entries(indexes)) await addIndex(kysely, engine, name, shape)
}
