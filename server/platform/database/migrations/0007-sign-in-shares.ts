import type { Kysely } from 'kysely'

/** Counts per address within a prefix or country, and how often checks of a code were uncounted. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  const { schema } = kysely
  await schema
    .alterTable('otp_challenges')
    .addColumn('given_back', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  // By the hash of the binding cookie, which changes with every code.
  await schema.createIndex('otp_challenges_browser').on('otp_challenges').column('browser_hash').execute()
  for (const group of ['prefix', 'country'])
    await schema
      .createIndex(`otp_events_address_${group}`)
      .on('otp_events')
      .columns(['address', group, 'outcome', 'at'])
      .execute()
}
