import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/** Times of sends and checks, for sliding windows; known devices; consecutive wrong codes. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const { schema } = kysely
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const none = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

  await schema
    .createTable('otp_events')
    .addColumn('id', engine === 'sqlite' ? 'integer' : 'bigint', (column) =>
      engine === 'sqlite'
        ? column.notNull().primaryKey().autoIncrement()
        : column.notNull().primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn('kind', 'text', required)
    .addColumn('audience', 'text', required)
    .addColumn('phone', 'text', required)
    .addColumn('prefix', 'text', required)
    .addColumn('country', 'text', required)
    .addColumn('address', 'text', required)
    .addColumn('lane', 'text', required)
    .addColumn('at', 'bigint', required)
    .addColumn('outcome', 'text', required)
    .execute()
  // One index per scope of a limit: a phone, a group of phones, an address, all.
  const questions = {
    otp_events_phone: ['audience', 'phone', 'at'],
    otp_events_prefix: ['prefix', 'outcome', 'at'],
    otp_events_country: ['country', 'outcome', 'at'],
    otp_events_address: ['address', 'outcome', 'at'],
    otp_events_all: ['outcome', 'at'],
  }
  for (const [name, columns] of Object.entries(questions))
    await schema.createIndex(name).on('otp_events').columns(columns).execute()

  // The row that is locked while the limits of a phone are checked; its counters have no window.
  await schema.alterTable('otp_counters').renameColumn('last_sent_at', 'touched_at').execute()
  await schema.alterTable('otp_counters').addColumn('wrong_in_a_row', 'integer', none).execute()
  await schema.alterTable('otp_counters').addColumn('known_wrong_in_a_row', 'integer', none).execute()
  await schema.alterTable('otp_challenges').addColumn('send_id', 'bigint').execute()

  await schema
    .createTable('otp_devices')
    .addColumn('token_hash', 'text', required)
    .addColumn('audience', 'text', required)
    .addColumn('phone', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('used_at', 'bigint', required)
    .addPrimaryKeyConstraint('otp_devices_pk', ['token_hash', 'audience', 'phone'])
    .execute()
  await schema.createIndex('otp_devices_phone').on('otp_devices').columns(['audience', 'phone']).execute()
  await schema.createIndex('otp_devices_used').on('otp_devices').column('used_at').execute()

  // Codes that were sent before this step count as sent.
  await sql`INSERT INTO otp_events (kind, audience, phone, prefix, country, address, lane, at, outcome)
    SELECT 'send', audience, phone, substr(phone, 1, length(phone) - 4), '', '', 'open', touched_at, 'unanswered'
    FROM otp_counters`.execute(kysely)
}
