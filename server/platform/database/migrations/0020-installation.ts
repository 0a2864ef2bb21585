import { type Kysely, sql } from 'kysely'

/** The identity of the database: one row, written by the first start or by `npm run ops -- adopt`. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  const statements = [
    'CREATE TABLE mode_words (word text PRIMARY KEY NOT NULL)',
    "INSERT INTO mode_words (word) VALUES ('demo'), ('live')",
    `CREATE TABLE installation (
      one integer PRIMARY KEY NOT NULL CHECK (one = 1),
      id text NOT NULL,
      mode text NOT NULL REFERENCES mode_words (word),
      created_at bigint NOT NULL
    )`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(kysely)
}
