import { type Kysely, sql } from 'kysely'

/** Bags that an agent does not accept. */
const statements = [
  "INSERT INTO booking_event_words (word) VALUES ('not-accepted')",
  "INSERT INTO scan_outcome_words (word) VALUES ('not-accepted')",
  // Retention finds by their age the texts that agents wrote.
  `CREATE INDEX booking_events_refusals ON booking_events (recorded_at)
    WHERE kind = 'not-accepted' AND text IS NOT NULL`,
]

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely)
}
