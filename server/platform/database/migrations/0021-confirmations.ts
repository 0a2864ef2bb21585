import { type Kysely, sql } from 'kysely'

/** Requests that a signed-in user confirms with a code, and mailboxes that refuse the account that has added them. */
const statements = [
  `INSERT INTO role_words (word) VALUES ('confirm')`,
  `INSERT INTO code_channel_words (word) VALUES ('email')`,
  `INSERT INTO message_words (word) VALUES ('email-added-letter')`,
  'CREATE TABLE confirmation_purpose_words (word text PRIMARY KEY NOT NULL)',
  `INSERT INTO confirmation_purpose_words (word) VALUES ('email'), ('email-removal'), ('export'), ('deletion'), ('session')`,
  'ALTER TABLE sessions ADD COLUMN wrong_confirmations integer NOT NULL DEFAULT 0',
  'ALTER TABLE users ADD COLUMN email_refused_until bigint NOT NULL DEFAULT 0',
  `CREATE TABLE confirmations (
    session_hash text NOT NULL REFERENCES sessions (token_hash) ON DELETE CASCADE,
    purpose text NOT NULL REFERENCES confirmation_purpose_words (word),
    browser_hash text NOT NULL,
    challenge_id text NOT NULL,
    asked_at bigint NOT NULL,
    confirmed_until bigint,
    PRIMARY KEY (session_hash, purpose)
  )`,
  'CREATE INDEX confirmations_age ON confirmations (asked_at)',
  `CREATE TABLE email_stops (
    token_hash text PRIMARY KEY NOT NULL,
    user_id bigint NOT NULL REFERENCES users (id),
    email text NOT NULL,
    expires_at bigint NOT NULL
  )`,
  'CREATE INDEX email_stops_user ON email_stops (user_id)',
  'CREATE INDEX email_stops_age ON email_stops (expires_at)',
]

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely)
}
