import type { Database } from '#server/platform/database/database.ts'
import { released } from '#server/platform/database/leases.ts'
import { preparedFirst } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { createTravelStore } from './travel.store.ts'

/** An order, and of one of its bookings the state and the file. */
export type LabelRow = Row<'orders'> &
  Pick<Row<'bookings'>, 'state' | 'carriage'> & { readonly pdf: Uint8Array | null }

/** Label files of airway bills, one per booking. */
export function createLabelsStore(database: Database) {
  const ofAwb = preparedFirst<{ awb: string }, LabelRow>(database, (given) =>
    database.tables
      .selectFrom('bookings')
      .innerJoin('orders', 'orders.id', 'bookings.order_id')
      .leftJoin('labels', 'labels.booking_id', 'bookings.id')
      .selectAll('orders')
      .select(['bookings.state', 'bookings.carriage', 'labels.pdf'])
      .where('bookings.awb', '=', given('awb')),
  )
  const { lockOrderOf, setCarriage } = createTravelStore(database)
  return {
    /**
     * Stores the label and marks the booking as issued; false, and nothing stored, for a booking that does not wait for
     * it: issued before, or the bag is void.
     */
    storeLabel(id: number, pdf: Uint8Array, now: number): Promise<boolean> {
      return database.transaction(async () => {
        const order = await lockOrderOf(id)
        const won = await database.wins(
          database.tables
            .updateTable('bookings')
            .set({ ...released(null), state: 'issued', issued_at: now, last_error: null })
            .where('id', '=', id)
            .where('state', '=', 'labelling'),
        )
        if (!order || !won) return false
        await database.tables.insertInto('labels').values({ booking_id: id, pdf, stored_at: now }).execute()
        await setCarriage(order.id)
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
  }
}
