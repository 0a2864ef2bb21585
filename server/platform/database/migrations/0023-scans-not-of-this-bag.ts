import { type Kysely, sql } from 'kysely'

/**
 * When the courier was first asked for the airway bill of a booking: no scan of the bag is older. Null in older rows. And alerts
 * about scans whose time cannot be right, and messages about another receiver.
 */
const statements = [
  'ALTER TABLE bookings ADD COLUMN requested_at bigint',
  "INSERT INTO scan_alert_words (word) VALUES ('not-of-this-bag'), ('future-time')",
  "INSERT INTO message_words (word) VALUES ('receiver-changed'), ('receiver-changed-letter')",
]

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely)
}
