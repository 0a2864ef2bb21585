import { type Kysely, sql } from 'kysely'

/**
 * Facts that the timeline of an order tells and that no row had: when a person looked at a silent bag, in which roles staff
 * acted, why airway bills failed, what owners renamed, and that the provider agreed again about a hidden payment. And the terms that an order was made on; phones and texts of
 * messages go before their rows.
 */
const statements = [
  'ALTER TABLE tracked_bookings ADD COLUMN checked_at bigint',
  'ALTER TABLE operator_actions ADD COLUMN actor_roles text',
  'ALTER TABLE order_notes ADD COLUMN roles text',
  'ALTER TABLE approvals ADD COLUMN asked_roles text',
  'ALTER TABLE approvals ADD COLUMN decided_roles text',
  'ALTER TABLE claim_events ADD COLUMN staff_roles text',
  'ALTER TABLE bookings ADD COLUMN failures text',
  'ALTER TABLE users ADD COLUMN renamings text',
  'ALTER TABLE payment_findings ADD COLUMN agreed_at bigint',
  'ALTER TABLE bookings ADD COLUMN receivers text',
  `CREATE TABLE terms (
    version text PRIMARY KEY NOT NULL,
    body text NOT NULL,
    since bigint NOT NULL
  )`,
  'ALTER TABLE orders ADD COLUMN terms_version text REFERENCES terms (version)',
  'ALTER TABLE orders ADD COLUMN terms_language text',
  "CREATE INDEX messages_texts ON messages (created_at) WHERE phone <> '' OR body <> ''",
]

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely)
}
