import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { addColumn, addIndex, allowOnly, dropIndex } from '../schema-changes.ts'

export const isOnline = true

/**
 * A message is announced as a bare row: kind and ids, `phone` and `body` empty. The worker writes the text, and news of a
 * hand-over is held until it can no longer be undone. And since when the partner sends a list of less than half.
 */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  await addColumn(kysely, engine, 'messages', 'refund_id', sql`bigint NOT NULL DEFAULT 0`)
  await addColumn(kysely, engine, 'messages', 'held_until', sql`bigint`)
  // The index before held the phone, too. It is not known yet in a bare row, and each order has had one phone only.
  await addIndex(kysely, engine, 'messages_event', {
    table: 'messages',
    columns: ['order_id', 'booking_id', 'kind', 'refund_id'],
    isUnique: true,
  })
  await dropIndex(kysely, engine, 'messages_once')
  // For operators.
  await addIndex(kysely, engine, 'messages_not_sent', {
    table: 'messages',
    columns: ['created_at'],
    where: "state = 'failed' OR state = 'dropped'",
  })
  await allowOnly(kysely, engine, 'messages', 'kind', [
    'paid',
    'handed-over',
    'at-branch',
    'collected',
    'refunded',
    'exception',
    'cancelled',
    'wrong-amount',
  ])
  await addColumn(kysely, engine, 'partner_lists', 'halved_since', sql`bigint`)
}
