import { type Kysely, sql } from 'kysely'

/**
 * Each compensation stays with the closing that recorded it, also when its claim is open again. Of an order several
 * transactions, and several claims, wait for a second person at once.
 */
const statements = [
  'ALTER TABLE claim_events ADD COLUMN compensated_halalas bigint',
  'ALTER TABLE claim_events ADD COLUMN compensation_ref text',
  // Of what was before, only the last one is known.
  ...['compensated_halalas', 'compensation_ref'].map(
    (column) => `UPDATE claim_events SET ${column} = (SELECT ${column} FROM claims WHERE claims.id = claim_id)
      WHERE kind = 'closed' AND outcome = 'compensated'
        AND claim_id IN (SELECT id FROM claims WHERE compensated_halalas IS NOT NULL)
        AND step = (SELECT max(step) FROM claim_events AS other
          WHERE other.claim_id = claim_events.claim_id AND other.kind = 'closed')`,
  ),
  'DROP INDEX approvals_open',
  "CREATE UNIQUE INDEX approvals_open ON approvals (order_id, act, about) WHERE state = 'waiting'",
]

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely)
}
