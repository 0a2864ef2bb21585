import type { Database } from '#server/platform/database/database.ts'
import type { BookingState, OrderStatus } from '#shared/orders/orders.schemas.ts'
import type { EventState } from '#shared/orders/travel.rules.ts'

export interface BagRow {
  readonly id: number
  readonly order_id: number
  readonly awb: string
  readonly reference: string
  readonly origin: string
  readonly destination: string
  readonly state: BookingState
  readonly travel_state: EventState | null
  readonly status: OrderStatus
}

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
        'bookings.state',
        'bookings.travel_state',
        'orders.status',
      ])
      .select((expression) => expression.ref('bookings.awb').$castTo<string>().as('awb'))
      .where('bookings.awb', 'is not', null)

  return {
    async findBagsById(ids: readonly number[]): Promise<BagRow[]> {
      if (ids.length === 0) return []
      return bags()
        .where('bookings.id', 'in', [...ids])
        .execute()
    },

    async findBagsByAwb(awbs: readonly string[]): Promise<BagRow[]> {
      if (awbs.length === 0) return []
      return bags()
        .where('bookings.awb', 'in', [...awbs])
        .execute()
    },

    async findBagsByReference(references: readonly string[]): Promise<BagRow[]> {
      if (references.length === 0) return []
      return bags()
        .where('bookings.reference', 'in', [...references])
        .execute()
    },
  }
}
