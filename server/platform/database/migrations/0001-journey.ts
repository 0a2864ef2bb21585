import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/** Every table from sign-in to airway bill. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const { schema } = kysely
  // SQLite assigns row ids only through `integer primary key`; `autoincrement` never assigns one twice.
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  // Explicit, because SQLite allows NULL in a primary key.
  const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()
  const id = (column: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? key(column).autoIncrement() : key(column).generatedByDefaultAsIdentity()
  const bytes = engine === 'sqlite' ? sql`blob` : sql`bytea`
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await schema
    .createTable('liveness')
    .addColumn('id', 'integer', key)
    .addColumn('writes', 'bigint', required)
    .execute()

  await schema
    .createTable('users')
    .addColumn('id', idType, id)
    .addColumn('phone', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await schema
    .createTable('agents')
    .addColumn('id', idType, id)
    .addColumn('partner_agent_id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', required)
    .addColumn('phone', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await schema
    .createTable('sessions')
    .addColumn('token_hash', 'text', key)
    .addColumn('role', 'text', required)
    .addColumn('subject_id', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_seen_at', 'bigint', required)
    .addColumn('idle_until', 'bigint', required)
    .addColumn('ends_at', 'bigint', required)
    .execute()
  await schema.createIndex('sessions_subject').on('sessions').columns(['role', 'subject_id']).execute()
  await schema
    .createTable('otp_challenges')
    .addColumn('id', 'text', key)
    .addColumn('audience', 'text', required)
    .addColumn('phone', 'text', required)
    .addColumn('browser_hash', 'text', required)
    .addColumn('provider_ref', 'text')
    .addColumn('state', 'text', required)
    .addColumn('checks', 'integer', required)
    .addColumn('sent_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await schema
    .createIndex('otp_challenges_live')
    .on('otp_challenges')
    .columns(['audience', 'phone', 'browser_hash', 'sent_at'])
    .execute()
  await schema
    .createTable('otp_counters')
    .addColumn('audience', 'text', required)
    .addColumn('phone', 'text', required)
    .addColumn('last_sent_at', 'bigint', required)
    .addPrimaryKeyConstraint('otp_counters_pk', ['audience', 'phone'])
    .execute()

  await schema
    .createTable('partner_lists')
    .addColumn('kind', 'text', key)
    .addColumn('body', 'text', required)
    .addColumn('fetched_at', 'bigint', required)
    .execute()

  await schema
    .createTable('orders')
    .addColumn('id', idType, id)
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('type', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('amount_halalas', 'bigint', required)
    .addColumn('currency', 'text', required)
    .addColumn('agent_code', 'text', required)
    .addColumn('center_code', 'text', required)
    .addColumn('transaction_id', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('paid_at', 'bigint')
    .execute()
  await schema.createIndex('orders_user').on('orders').columns(['user_id', 'id']).execute()
  await schema.createIndex('orders_agent').on('orders').columns(['agent_code', 'id']).execute()
  await schema
    .createTable('bookings')
    .addColumn('id', idType, id)
    .addColumn('order_id', 'bigint', (column) => column.notNull().references('orders.id'))
    .addColumn('leg', 'integer', required)
    .addColumn('reference', 'text', (column) => column.notNull().unique())
    .addColumn('origin', 'text', required)
    .addColumn('destination', 'text', required)
    .addColumn('awb', 'text', (column) => column.unique())
    .addColumn('state', 'text', required)
    .addColumn('tries', 'integer', required)
    .addColumn('next_try_at', 'bigint', required)
    .addColumn('lease', 'text')
    .addColumn('lease_until', 'bigint', required)
    .addUniqueConstraint('bookings_leg', ['order_id', 'leg'])
    .execute()
  await schema.createIndex('bookings_work').on('bookings').columns(['state', 'next_try_at']).execute()
  await schema
    .createTable('labels')
    .addColumn('booking_id', 'bigint', (column) => key(column).references('bookings.id'))
    .addColumn('pdf', bytes, required)
    .addColumn('stored_at', 'bigint', required)
    .execute()

  await schema
    .createTable('idempotency_keys')
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('key', 'text', required)
    .addColumn('body_hash', 'text', required)
    .addColumn('order_id', 'bigint', (column) => column.notNull().references('orders.id'))
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['user_id', 'key'])
    .execute()

  await schema
    .createTable('payment_attempts')
    .addColumn('id', idType, id)
    .addColumn('order_id', 'bigint', (column) => column.notNull().references('orders.id'))
    .addColumn('reference', 'text', (column) => column.notNull().unique())
    .addColumn('amount_halalas', 'bigint', required)
    .addColumn('currency', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('intention_id', 'text', (column) => column.unique())
    .addColumn('provider_order_id', 'bigint', (column) => column.unique())
    .addColumn('client_secret', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('secret_until', 'bigint', required)
    .addColumn('inquired_at', 'bigint', required)
    .execute()
  await schema
    .createIndex('payment_attempts_order')
    .on('payment_attempts')
    .columns(['order_id', 'id'])
    .execute()
  // docs/wires/payment.md R2: at most one attempt of an order is alive.
  await schema
    .createIndex('payment_attempts_alive')
    .on('payment_attempts')
    .column('order_id')
    .unique()
    .where(sql.ref('state'), 'in', sql`('creating', 'open', 'unknown')`)
    .execute()
  await schema
    .createTable('payment_events')
    .addColumn('id', idType, id)
    .addColumn('transaction_id', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('attempt_id', 'bigint', (column) => column.references('payment_attempts.id'))
    .addColumn('source', 'text', required)
    .addColumn('outcome', 'text', required)
    .addColumn('amount_halalas', 'bigint', required)
    .addColumn('currency', 'text', required)
    .addColumn('body', 'text', required)
    .addColumn('received_at', 'bigint', required)
    .addUniqueConstraint('payment_events_once', ['transaction_id', 'kind'])
    .execute()
}
