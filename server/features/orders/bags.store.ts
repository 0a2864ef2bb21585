import type { Database } from '#server/platform/database/database.ts'

export type BagRow = Awaited<ReturnType<ReturnType<typeof createBagsStore>['findBagsById']>>[number]

/** Bookings that have an airway bill, for who follows them on their way. */
export function createBagsStore(database: Database) {
  const bags = () =>
    database.tables
      .selectFrom('bookings')
      .innerJoin('orders', 'orders.id', 'bookings.order_id')
      .select([
        'bookings.id',
        'bookings.order_id',
        'bookings.reference',
        'bookings.origin',
        'bookings.destination',
        'bookings.carriage',
      ])
      // A restore may have lost when the partner was asked, and when the order was paid.
      .select((expression) =>
        expression.fn.coalesce('bookings.requested_at', 'orders.created_at').as('requested_at'),
      )
      .select((expression) => expression.ref('bookings.awb').$castTo<string>().as('awb'))
      .where('bookings.awb', 'is not', null)

  return {
    async findBagsById(ids: readonly number[]) {
      if (ids.length === 0) return []
      return bags().where('bookings.id', 'in', ids).execute()
    },

    async findBagsByAwb(awbs: readonly string[]) {
      if (awbs.length === 0) return []
      return bags().where('bookings.awb', 'in', awbs).execute()
    },

    async findBagsByReference(references: readonly string[]) {
      if (references.length === 0) return []
      return bags().where('bookings.reference', 'in', references).execute()
    },
  }
}
