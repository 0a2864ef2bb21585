import { type Kysely, sql } from 'kysely'

/**
 * What the timeline of an order tells stays when its row goes on: each request of a refund and whether its answer was unclear,
 * reports of a payment that later ones corrected, the first try of a message, how a claim was closed each time, and when links
 * were made. A message that is sent again is a row of its own.
 */
const statements = [
  'ALTER TABLE refunds ADD COLUMN requests text',
  `UPDATE refunds SET requests = CAST(asked_at AS text)
    || CASE WHEN state = 'uncertain' AND last_error IS NOT NULL THEN '/' || CAST(asked_at AS text) ELSE '' END
    WHERE asked_at IS NOT NULL`,
  'ALTER TABLE payment_events ADD COLUMN former text',
  'ALTER TABLE messages ADD COLUMN first_try text',
  'ALTER TABLE messages ADD COLUMN round integer NOT NULL DEFAULT 0 CHECK (round >= 0)',
  'DROP INDEX messages_event',
  `CREATE UNIQUE INDEX messages_event
    ON messages (order_id, booking_id, kind, refund_id, claim_id, claim_step, round)`,
  'ALTER TABLE claim_events ADD COLUMN outcome text REFERENCES claim_outcome_words (word)',
  'ALTER TABLE claim_events ADD COLUMN partner_case text',
  // Of what was before, only the last one is known.
  `UPDATE claim_events SET outcome = (SELECT outcome FROM claims WHERE claims.id = claim_id)
    WHERE kind = 'closed' AND step = (SELECT max(step) FROM claim_events AS other
      WHERE other.claim_id = claim_events.claim_id AND other.kind = 'closed')`,
  `UPDATE claim_events SET partner_case = (SELECT partner_case FROM claims WHERE claims.id = claim_id)
    WHERE kind = 'passed-on' AND step = (SELECT max(step) FROM claim_events AS other
      WHERE other.claim_id = claim_events.claim_id AND other.kind = 'passed-on')`,
  'ALTER TABLE orders ADD COLUMN shares text',
  `UPDATE orders SET shares = (SELECT CAST(created_at AS text) FROM order_shares WHERE order_id = orders.id)
    WHERE id IN (SELECT order_id FROM order_shares)`,
]

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely)
}
