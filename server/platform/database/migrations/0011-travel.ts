import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { addColumn, addIndex, allowOnly, dropIndex } from '../schema-changes.ts'

export const isOnline = true

/** CHECKs of this step; the words of `shared/orders` at its time. */
const words: Readonly<Record<string, string>> = {
  'orders.status': 'PENDING_PAYMENT PAID EXPIRED REFUNDED CANCELLED',
  'orders.handed_over': 'none some all',
  'bookings.travel_state': 'HANDED_OVER IN_TRANSIT AT_BRANCH COLLECTED EXCEPTION CANCELLED',
  'booking_events.kind': `handed-over hand-over-undone picked-up in-transit at-branch collected exception
    returning cancelled unknown`,
  'booking_events.source': 'agent courier system',
  'handover_scans.outcome': 'received already-received refused',
}

/** What happened to a bag after its order was paid, and what follows from it for bookings and orders. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  await addColumn(kysely, engine, 'orders', 'handed_over', sql`text NOT NULL DEFAULT 'none'`)
  await addColumn(kysely, engine, 'bookings', 'travel_state', sql`text`)
  await addColumn(kysely, engine, 'bookings', 'last_event_at', sql`bigint`)

  // SQLite assigns row ids only through `integer primary key`; `autoincrement` never assigns one twice.
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await kysely.schema
    .createTable('booking_events')
    .ifNotExists()
    .addColumn('id', idType, (column) =>
      engine === 'sqlite'
        ? column.notNull().primaryKey().autoIncrement()
        : column.notNull().primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn('booking_id', 'bigint', (column) => column.notNull().references('bookings.id'))
    .addColumn('event_key', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('source', 'text', required)
    .addColumn('at', 'bigint', required)
    .addColumn('recorded_at', 'bigint', required)
    .addColumn('place', 'text')
    .addColumn('code', 'text')
    .addColumn('text', 'text')
    .addUniqueConstraint('booking_events_key', ['booking_id', 'event_key'])
    .execute()

  await kysely.schema
    .createTable('handover_scans')
    .ifNotExists()
    .addColumn('agent_code', 'text', required)
    .addColumn('key', 'text', required)
    .addColumn('body_hash', 'text', required)
    .addColumn('booking_id', 'bigint', (column) => column.notNull().references('bookings.id'))
    .addColumn('outcome', 'text', required)
    .addColumn('at', 'bigint', required)
    .addColumn('recorded_at', 'bigint', required)
    .addPrimaryKeyConstraint('handover_scans_pk', ['agent_code', 'key'])
    .execute()
  await addIndex(kysely, engine, 'handover_scans_booking', {
    table: 'handover_scans',
    columns: ['booking_id'],
  })
  await addIndex(kysely, engine, 'handover_scans_age', { table: 'handover_scans', columns: ['recorded_at'] })

  for (const [place, values] of Object.entries(words)) {
    const [table = '', column = ''] = place.split('.')
    await allowOnly(kysely, engine, table, column, values.split(/\s+/))
  }
  await addIndex(kysely, engine, 'orders_agent_list', {
    table: 'orders',
    columns: ['agent_code', 'status', 'handed_over', 'id'],
  })
  // Its columns begin the index above.
  await dropIndex(kysely, engine, 'orders_agent_status')
}
