import type { Database } from '#server/platform/database/database.ts'
import { released } from '#server/platform/database/leases.ts'
import type { PrunedPage } from '#server/platform/database/pieces.ts'
import { preparedFirst } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'

/** An order, and of one of its bookings the state and the file. */
export type LabelRow = Row<'orders'> & Pick<Row<'bookings'>, 'state'> & { readonly pdf: Uint8Array | null }

/**
 * Label files of airway bills, one per booking. On PostgreSQL they lie in parts by month, and the month of a booking's label is
 * not known before: each statement asks the index of every part, some fifteen.
 */
export function createLabelsStore(database: Database) {
  const ofAwb = preparedFirst<{ awb: string }, LabelRow>(database, (given) =>
    database.tables
      .selectFrom('bookings')
      .innerJoin('orders', 'orders.id', 'bookings.order_id')
      .leftJoin('labels', 'labels.booking_id', 'bookings.id')
      .selectAll('orders')
      .select(['bookings.state', 'labels.pdf'])
      .where('bookings.awb', '=', given('awb')),
  )
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

    /** The label file of an airway bill, where there is one, with what says who may read it. */
    findLabel: (awb: string): Promise<LabelRow | undefined> => ofAwb({ awb }),

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
     * SQLite: examines the next `limit` bookings that have a label file, by number after `after`, and deletes the files stored
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
