import { type Kysely, sql } from 'kysely'

/** Messages about bags that are late wait for their day: the index tells them from those that are due. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  const statements = [
    "INSERT INTO message_words (word) VALUES ('late')",
    'DROP INDEX messages_unsent',
    `CREATE INDEX messages_unsent ON messages (created_at, held_until)
      WHERE state = 'waiting' OR state = 'uncertain'`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(kysely)
}
