import { type Kysely, sql } from 'kysely'

/** What receivers were told: a number that refuses is not asked again, and none is told of many bags a day. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  await sql
    .raw(
      "CREATE INDEX messages_receivers ON messages (phone, id) WHERE kind = 'receiver-named' OR kind = 'receiver-at-branch'",
    )
    .execute(kysely)
}
