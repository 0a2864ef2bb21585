import { type Kysely, sql } from 'kysely'

/** Who collects a bag, where that is not its owner, and another number for calls about it. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(kysely)
  for (const column of ['receiver_name', 'receiver_phone', 'second_phone'])
    await run(`ALTER TABLE bookings ADD COLUMN ${column} text`)
  // Retention finds them by the age of their orders.
  await run(
    'CREATE INDEX bookings_receivers ON bookings (order_id) WHERE receiver_name IS NOT NULL OR second_phone IS NOT NULL',
  )
  await run("INSERT INTO message_words (word) VALUES ('receiver-named'), ('receiver-at-branch')")
}
