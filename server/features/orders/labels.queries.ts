import type { QueryCore, TimedCore } from '#server/platform/core.ts'
import { released } from '#server/platform/database/leases.ts'
import { preparedFirst } from '#server/platform/database/prepared.ts'
import { lockOrderOf, setCarriage } from './travel.queries.ts'

/** The caller must check who is allowed to read the label. */
export const findLabel = preparedFirst(({ database }: QueryCore, awb: string) =>
  database.tables
    .selectFrom('bookings')
    .innerJoin('orders', 'orders.id', 'bookings.order_id')
    .leftJoin('labels', 'labels.booking_id', 'bookings.id')
    .selectAll('orders')
    .select(['bookings.state', 'bookings.carriage', 'labels.pdf'])
    .where('bookings.awb', '=', awb),
)

export type FoundLabel = NonNullable<Awaited<ReturnType<typeof findLabel>>>

export function recordLabel(core: TimedCore, id: number, pdf: Uint8Array): Promise<boolean> {
  const { database, clock } = core
  return database.transaction(async () => {
    const now = clock.now()
    const [order, won] = await Promise.all([
      lockOrderOf(core, id),
      database.wins(
        database.tables
          .updateTable('bookings')
          .set({ ...released(null), state: 'issued', issued_at: now, last_error: null })
          .where('id', '=', id)
          .where('state', '=', 'labelling'),
      ),
    ])
    if (!order || !won) return false
    await database.send(database.tables.insertInto('labels').values({ booking_id: id, pdf, stored_at: now }))
    await setCarriage(core, order.id)
    return true
  })
}

export async function findLabelled(
  { database }: QueryCore,
  bookingIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (bookingIds.length === 0) return new Set()
  const rows = await database.tables
    .selectFrom('labels')
    .select('booking_id')
    .where('booking_id', 'in', bookingIds)
    .execute()
  return new Set(rows.map(({ booking_id }) => booking_id))
}
