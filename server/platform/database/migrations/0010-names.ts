import type { Kysely } from 'kysely'

/** Column names as in the code. No row is rewritten; gateways of the previous build must be stopped first. */
const renamed = [
  ['otp_challenges', 'audience', 'role'],
  ['otp_counters', 'audience', 'role'],
  ['otp_events', 'audience', 'role'],
  ['otp_events', 'lane', 'trust'],
  ['otp_devices', 'audience', 'role'],
  ['bookings', 'in_doubt_until', 'uncertain_until'],
] as const

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up({ schema }: Kysely<any>): Promise<void> {
  for (const [table, from, to] of renamed) await schema.alterTable(table).renameColumn(from, to).execute()
}
