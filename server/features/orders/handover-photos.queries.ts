import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { photoEndOf } from './handovers.rules.ts'

export async function writeHandoverPhoto(
  { database }: QueryCore,
  photo: Row<'handover_photos'>,
): Promise<void> {
  const { booking_id: _, ...replaced } = photo
  await database.tables
    .insertInto('handover_photos')
    .values(photo)
    .onConflict((conflict) => conflict.column('booking_id').doUpdateSet(replaced))
    .execute()
}

export const findHandoverPhoto = (
  { database }: QueryCore,
  orderId: number,
  awb: string,
): Promise<Pick<Row<'handover_photos'>, 'booking_id' | 'jpeg'> | undefined> =>
  database.tables
    .selectFrom('handover_photos')
    .innerJoin('bookings', 'bookings.id', 'handover_photos.booking_id')
    .select(['handover_photos.booking_id', 'handover_photos.jpeg'])
    .where('bookings.awb', '=', awb)
    .where('bookings.order_id', '=', orderId)
    .executeTakeFirst()

/** Returns the time when each picture was taken (epoch milliseconds). */
export async function listHandoverPhotos(
  { database }: QueryCore,
  bookingIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (bookingIds.length === 0) return new Map()
  const rows = await database.tables
    .selectFrom('handover_photos')
    .select(['booking_id', 'taken_at'])
    .where('booking_id', 'in', bookingIds)
    .execute()
  return new Map(rows.map(({ booking_id, taken_at }) => [booking_id, taken_at]))
}

/** @param collectedAt epoch milliseconds; undefined: the bag was not collected */
export async function schedulePhotoDeletion(
  { database }: QueryCore,
  bookingId: number,
  collectedAt: number | undefined,
): Promise<void> {
  await database.tables
    .updateTable('handover_photos')
    .set({
      delete_at:
        collectedAt === undefined
          ? sql<number>`stored_at + ${sql.lit(photoEndOf(0, undefined))}`
          : photoEndOf(0, collectedAt),
    })
    .where('booking_id', '=', bookingId)
    .execute()
}

export async function deleteHandoverPhoto({ database }: QueryCore, bookingId: number): Promise<void> {
  await database.tables.deleteFrom('handover_photos').where('booking_id', '=', bookingId).execute()
}

/** On PostgreSQL this is the size on disk, which shrinks only after a vacuum. */
export async function readHandoverPhotoBytes({ database }: QueryCore): Promise<number> {
  const size =
    database.engine === 'postgres'
      ? sql<{ bytes: number | null }>`SELECT pg_total_relation_size('handover_photos') AS bytes`
      : sql<{ bytes: number | null }>`SELECT sum(length(jpeg)) AS bytes FROM handover_photos`
  const { rows } = await size.execute(database.tables)
  return Number(rows[0]?.bytes ?? 0)
}
