import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Engine } from '../database.ts'
import { addIndex, allowOnly } from '../schema-changes.ts'

export const isOnline = true

const alertKinds = ['damaged', 'destroyed', 'missing', 'cancelled', 'returning', 'contradiction']

/** When the courier is asked about each bag, what a person must look at, and the courier's texts of its codes. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await kysely.schema
    .createTable('tracked_bookings')
    .ifNotExists()
    .addColumn('booking_id', 'bigint', (column) => column.notNull().primaryKey().references('bookings.id'))
    .addColumn('awb', 'text', required)
    .addColumn('next_poll_at', 'bigint', required)
    .addColumn('tracked_until', 'bigint', required)
    .addColumn('silent_polls', 'integer', required)
    .addColumn('lease', 'text')
    .addColumn('lease_until', 'bigint', required)
    .addColumn('seen', 'text')
    .addColumn('heard_at', 'bigint')
    .execute()
  await addIndex(kysely, engine, 'tracked_bookings_due', {
    table: 'tracked_bookings',
    columns: ['next_poll_at', 'booking_id'],
  })
  await addIndex(kysely, engine, 'tracked_bookings_leased', {
    table: 'tracked_bookings',
    columns: ['booking_id'],
    where: 'lease IS NOT NULL',
  })
  await addIndex(kysely, engine, 'tracked_bookings_heard', {
    table: 'tracked_bookings',
    columns: ['heard_at', 'booking_id'],
    where: 'heard_at IS NOT NULL',
  })

  // SQLite assigns row ids only through `integer primary key`; `autoincrement` never assigns one twice.
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  await kysely.schema
    .createTable('scan_alerts')
    .ifNotExists()
    .addColumn('id', idType, (column) =>
      engine === 'sqlite'
        ? column.notNull().primaryKey().autoIncrement()
        : column.notNull().primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn('booking_id', 'bigint', (column) => column.notNull().references('bookings.id'))
    .addColumn('event_key', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('code', 'text', required)
    .addColumn('text', 'text')
    .addColumn('place', 'text')
    .addColumn('at', 'bigint', required)
    .addColumn('noticed_at', 'bigint', required)
    .addColumn('closed_at', 'bigint')
    .addUniqueConstraint('scan_alerts_key', ['booking_id', 'event_key', 'kind'])
    .execute()
  await allowOnly(kysely, engine, 'scan_alerts', 'kind', alertKinds)
  await addIndex(kysely, engine, 'scan_alerts_open', {
    table: 'scan_alerts',
    columns: ['noticed_at', 'id'],
    where: 'closed_at IS NULL',
  })

  await kysely.schema
    .createTable('scan_texts')
    .ifNotExists()
    .addColumn('code', 'text', (column) => column.notNull().primaryKey())
    .addColumn('ar', 'text')
    .addColumn('en', 'text')
    .addColumn('fetched_at', 'bigint', required)
    .execute()
}
