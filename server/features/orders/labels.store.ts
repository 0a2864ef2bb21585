import type { Database } from '#server/platform/database/database.ts'
import { released } from '#server/platform/database/leases.ts'
import type { PrunedPage } from '#server/platform/database/pieces.ts'

/** Label files of airway bills, one per booking. */
export function createLabelsStore(database: Database) {
  return {
    /**
     * Stores the label and marks the booking as issued; false, and nothing stored, for a booking that does not wait for
     * it: issued before, or its order was withdrawn.
     */
    storeLabel(id: number, pdf: Uint8Array, now: number): Promise<boolean> {
      return database.transaction(async () => {
        const won = await database.wins(
          database.tables
            .updateTable('bookings')
            .set({ ...released(null), state: 'issued', issued_at: now, last_error: null })
            .where('id', '=', id)
            .where('state', '=', 'labelling'),
        )
        if (!won) return false
        await database.tables.insertInto('labels').values({ booking_id: id, pdf, stored_at: now }).execute()
        return true
      })
    },

    async findLabel(bookingId: number): Promise<Uint8Array | undefined> {
      const row = await database.tables
        .selectFrom('labels')
        .select('pdf')
        .where('booking_id', '=', bookingId)
        .executeTakeFirst()
      return row?.pdf
    },

    /** The ids among `bookingIds` that have a label file. */
    async findLabelled(bookingIds: readonly number[]): Promise<ReadonlySet<number>> {
      if (bookingIds.length === 0) return new Set()
      const rows = await database.tables
        .selectFrom('labels')
        .select('booking_id')
        .where('booking_id', 'in', bookingIds)
        .execute()
      return new Set(rows.map(({ booking_id }) => booking_id))
    },

    /**
     * Examines the next `limit` bookings that have a label file, by number after `after`, and deletes the files stored
     * before `before`.
     */
    async deleteLabels(after: number, before: number, limit: number): Promise<PrunedPage> {
      // `stored_at` follows the file in the row and is slow to read, so the age of the order narrows the rows first.
      const page = await database.tables
        .selectFrom('labels')
        .select('booking_id')
        .where('booking_id', '>', after)
        .orderBy('booking_id')
        .limit(limit)
        .execute()
      const ids = page.map(({ booking_id }) => booking_id)
      if (ids.length === 0) return { rows: 0, reached: after, more: false }
      const ofOldOrders = await database.tables
        .selectFrom('bookings')
        .innerJoin('orders', 'orders.id', 'bookings.order_id')
        .select('bookings.id')
        .where('bookings.id', 'in', ids)
        .where('orders.created_at', '<', before)
        .execute()
      const isOld = new Set(ofOldOrders.map(({ id }) => id))
      const old = ids.filter((id) => isOld.has(id))
      if (old.length === 0) return { rows: 0, reached: after, more: false }
      const { numDeletedRows } = await database.tables
        .deleteFrom('labels')
        .where('booking_id', 'in', old)
        .where('stored_at', '<', before)
        .executeTakeFirst()
      return { rows: Number(numDeletedRows), reached: old.at(-1) ?? after, more: old.length === limit }
    },
  }
}
