import { type Kysely, sql } from 'kysely'

/** Sessions of staff, log-out tokens of their identity provider, and who of them did what. */
const statements = [
  `CREATE TABLE desk_sessions (
    token_hash text PRIMARY KEY NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    sid text,
    name text NOT NULL,
    roles text NOT NULL,
    id_token text NOT NULL,
    authenticated_at bigint NOT NULL,
    created_at bigint NOT NULL,
    last_seen_at bigint NOT NULL,
    idle_until bigint NOT NULL,
    ends_at bigint NOT NULL
  )`,
  'CREATE INDEX desk_sessions_subject ON desk_sessions (issuer, subject)',
  'CREATE INDEX desk_sessions_sid ON desk_sessions (issuer, sid)',
  'CREATE INDEX desk_sessions_idle ON desk_sessions (idle_until)',
  // A log-out token counts once.
  'CREATE TABLE desk_logouts (token_hash text PRIMARY KEY NOT NULL, at bigint NOT NULL)',
  'CREATE INDEX desk_logouts_at ON desk_logouts (at)',
  'ALTER TABLE operator_actions ADD COLUMN actor_issuer text',
  'ALTER TABLE operator_actions ADD COLUMN actor_subject text',
]

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely)
}
