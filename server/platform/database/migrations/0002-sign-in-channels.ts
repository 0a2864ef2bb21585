import { type Kysely, sql } from 'kysely'

const words = {
  code_channel_words: 'sms whatsapp call',
  code_delivery_words: 'delivered undelivered unknown',
} as const

/**
 * How a code was sent, and whether it arrived. Null in rows of before, which were all SMS, and in checks; SQLite adds a column
 * that refers to another table only without a default.
 */
const changes = [
  'ALTER TABLE otp_challenges ADD COLUMN channel text REFERENCES code_channel_words (word)',
  'ALTER TABLE otp_challenges ADD COLUMN delivery text REFERENCES code_delivery_words (word)',
  'ALTER TABLE otp_events ADD COLUMN channel text REFERENCES code_channel_words (word)',
  "INSERT INTO code_outcome_words (word) VALUES ('blocked')",
  'CREATE INDEX otp_events_channel ON otp_events (channel, outcome, at)',
  // The newest of a browser.
  'DROP INDEX otp_challenges_browser',
  'CREATE INDEX otp_challenges_browser ON otp_challenges (browser_hash, sent_at)',
]

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(kysely)
  for (const [table, list] of Object.entries(words)) {
    await run(`CREATE TABLE ${table} (word text PRIMARY KEY NOT NULL)`)
    const rows = list.split(' ').map((word) => `('${word}')`)
    await run(`INSERT INTO ${table} (word) VALUES ${rows.join(', ')}`)
  }
  for (const change of changes) await run(change)
}
