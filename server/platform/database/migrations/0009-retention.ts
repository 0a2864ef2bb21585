import type { Kysely } from 'kysely'
import type { Engine } from '../database.ts'
import { addIndex, dropIndex, type IndexShape } from '../schema-changes.ts'

export const isOnline = true

/** No statement uses them any more: the agents' list uses `orders_agent_status`, the limits count by one column. */
const unused = ['orders_agent', 'otp_events_address_prefix', 'otp_events_address_country']

/** For deleting old rows in batches, and for the few rows that the metrics count. */
const indexes: Readonly<Record<string, IndexShape>> = {
  idempotency_keys_age: { table: 'idempotency_keys', columns: ['created_at'] },
  orders_expired: { table: 'orders', columns: ['created_at', 'id'], where: "status = 'EXPIRED'" },
  // Two partial indexes, because phones with wrong codes are kept for half a year or for ever.
  otp_counters_idle: {
    table: 'otp_counters',
    columns: ['touched_at'],
    where: 'wrong_in_a_row = 0 AND known_wrong_in_a_row = 0',
  },
  otp_counters_wrong: {
    table: 'otp_counters',
    columns: ['touched_at'],
    where: 'wrong_in_a_row > 0 OR known_wrong_in_a_row > 0',
  },
}

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  for (const [name, shape] of Object.entries(indexes)) await addIndex(kysely, engine, name, shape)
  for (const name of unused) await dropIndex(kysely, engine, name)
}
