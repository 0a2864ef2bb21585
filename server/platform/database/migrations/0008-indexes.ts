import type { Kysely } from 'kysely'
import type { Engine } from '../database.ts'
import { addIndex, allowOnly, dropIndex, type IndexShape } from '../schema-changes.ts'

export const isOnline = true

/** One per statement that scanned a table. Partial where only a few rows match at any time. */
const indexes: Readonly<Record<string, IndexShape>> = {
  orders_unpaid: { table: 'orders', columns: ['created_at'], where: "status = 'PENDING_PAYMENT'" },
  orders_agent_status: { table: 'orders', columns: ['agent_code', 'status', 'id'] },
  bookings_open: {
    table: 'bookings',
    columns: ['next_try_at', 'id'],
    where: "state IN ('waiting', 'labelling')",
  },
  idempotency_keys_order: { table: 'idempotency_keys', columns: ['order_id'] },
  payment_events_attempt: { table: 'payment_events', columns: ['attempt_id', 'id'] },
  refunds_open: { table: 'refunds', columns: ['next_try_at'], where: "state != 'done'" },
  sessions_idle: { table: 'sessions', columns: ['idle_until'] },
  otp_challenges_expires: { table: 'otp_challenges', columns: ['expires_at'] },
  otp_events_at: { table: 'otp_events', columns: ['at'] },
}

/** They held every row, nearly all of them issued or done; the partial indexes above replace them. */
const replaced = ['bookings_work', 'refunds_due']

const statuses: Readonly<Record<string, string>> = {
  'orders.status': 'PENDING_PAYMENT PAID EXPIRED REFUNDED',
  'bookings.state': 'none waiting labelling issued canceled',
  'payment_attempts.state': 'creating open unknown superseded failed succeeded',
  'payment_events.kind': 'pending succeeded failed refunded voided captured',
  'payment_events.outcome': `applied noted second-payment owner-deleted amount-mismatch reference-mismatch
    unknown-order partial-refund`,
  'refunds.state': 'due doubtful asked done',
  'otp_challenges.state': 'sent proven spent',
  'otp_events.kind': 'send check',
  'otp_events.outcome': 'unanswered answered joined refused failed wrong right',
}

/** Indexes, so that no statement scans a growing table, and checks that allow only known statuses. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  for (const [name, shape] of Object.entries(indexes)) await addIndex(kysely, engine, name, shape)
  for (const name of replaced) await dropIndex(kysely, engine, name)
  for (const [place, words] of Object.entries(statuses)) {
    const [table = '', column = ''] = place.split('.')
    await allowOnly(kysely, engine, table, column, words.split(/\s+/))
  }
}
