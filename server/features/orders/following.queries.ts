import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import type { Moment } from '#server/platform/database/leases.ts'

export async function trackBags(
  { database }: QueryCore,
  bags: readonly { readonly bookingId: number; readonly awb: string }[],
  dueAt: Moment,
  trackedUntil: number,
): Promise<number> {
  if (bags.length === 0) return 0
  return database.changes(
    database.tables
      .insertInto('tracked_bookings')
      .values(
        bags.map(({ bookingId, awb }) => ({
          booking_id: bookingId,
          awb,
          due_at: dueAt,
          tracked_until: trackedUntil,
          silent_polls: 0,
        })),
      )
      .onConflict((conflict) => conflict.column('booking_id').doNothing()),
  )
}

export async function pollSooner(
  { database }: QueryCore,
  bookingId: number,
  { pollAt, trackedUntil, lastScanAt }: { pollAt: Moment; trackedUntil: number; lastScanAt: number },
): Promise<void> {
  await database.tables
    .updateTable('tracked_bookings')
    .set({
      due_at: sql<number>`case when due_at > ${pollAt} then cast(${pollAt} as bigint) else due_at end`,
      tracked_until: trackedUntil,
      silent_polls: 0,
      heard_at: lastScanAt,
    })
    .where('booking_id', '=', bookingId)
    .execute()
}
