import { type Kysely, sql } from 'kysely'

/** What agents and staff were shown of others within an hour, counted for all gateways together. */
const statements = [
  `CREATE TABLE readings (
    reader text NOT NULL,
    about text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (reader, about)
  )`,
  'CREATE INDEX readings_reader ON readings (reader, at)',
  'CREATE INDEX readings_at ON readings (at)',
]

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely)
}
