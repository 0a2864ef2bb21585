import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

const columns = [
  ...['id', 'order_id', 'act', 'about', 'halalas', 'payload', 'facts', 'reason', 'state', 'asked_at'],
  ...['asked_issuer', 'asked_subject', 'asked_by', 'asked_roles', 'expires_at', 'decided_at'],
  ...['decided_issuer', 'decided_subject', 'decided_by', 'decided_roles', 'decision'],
].join(', ')

/** SQLite cannot change a column: the table is made again. Nothing refers to it. */
const withNullableOrder = {
  postgres: ['ALTER TABLE approvals ALTER COLUMN order_id DROP NOT NULL', 'DROP INDEX approvals_open'],
  sqlite: [
    `CREATE TABLE approvals_new (
      id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
      order_id bigint REFERENCES orders (id) ON DELETE CASCADE,
      act text NOT NULL REFERENCES approval_act_words (word),
      about text NOT NULL,
      halalas bigint NOT NULL,
      payload text,
      facts text NOT NULL,
      reason text NOT NULL,
      state text NOT NULL REFERENCES approval_state_words (word),
      asked_at bigint NOT NULL,
      asked_issuer text NOT NULL,
      asked_subject text NOT NULL,
      asked_by text NOT NULL,
      asked_roles text,
      expires_at bigint NOT NULL,
      decided_at bigint,
      decided_issuer text,
      decided_subject text,
      decided_by text,
      decided_roles text,
      decision text
    )`,
    `INSERT INTO approvals_new (${columns}) SELECT ${columns} FROM approvals`,
    'DROP TABLE approvals',
    'ALTER TABLE approvals_new RENAME TO approvals',
    "CREATE INDEX approvals_waiting ON approvals (asked_at, id) WHERE state = 'waiting'",
    'CREATE INDEX approvals_order ON approvals (order_id)',
    'CREATE INDEX approvals_asker ON approvals (asked_issuer, asked_subject, decided_at)',
    'CREATE INDEX approvals_asked ON approvals (asked_at)',
  ],
} as const satisfies Record<Engine, readonly string[]>

const statements = [
  "INSERT INTO approval_act_words (word) VALUES ('cancel'), ('number'), ('end-sessions')",
  "CREATE UNIQUE INDEX approvals_open ON approvals (order_id, act, about) WHERE state = 'waiting'",
  // Two rows without an order are not the same to the index above.
  "CREATE UNIQUE INDEX approvals_open_alone ON approvals (act, about) WHERE state = 'waiting' AND order_id IS NULL",
  // Requests of a person are counted by the hour.
  'CREATE INDEX approvals_asker_time ON approvals (asked_issuer, asked_subject, asked_at)',
  // The user of the terminal that asked in the name of a colleague; null at the desk.
  'ALTER TABLE approvals ADD COLUMN terminal_user text',
  // When that colleague confirmed it at the desk.
  'ALTER TABLE approvals ADD COLUMN confirmed_at bigint',
]

/** Approvals of what has no order, cancellations among approvals, and requests from a terminal. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  for (const statement of [...withNullableOrder[engine], ...statements])
    await sql.raw(statement).execute(kysely)
}
