import type { QueryCore } from '#server/platform/core.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import { stateOfCarriage } from '#shared/orders/travel.rules.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'

export interface Bag {
  readonly id: number
  readonly orderId: number
  readonly awb: string
  readonly reference: string
  readonly from: string | undefined
  readonly to: string | undefined
  /** Epoch milliseconds, at the latest our first request for the airway bill. */
  readonly requestedAt: number
  readonly state: TravelState | null
}

async function findBy(
  { database }: QueryCore,
  column: 'id' | 'awb' | 'reference',
  values: readonly (number | string)[],
): Promise<Bag[]> {
  if (values.length === 0) return []
  const rows = await database.tables
    .selectFrom('bookings')
    .innerJoin('orders', 'orders.id', 'bookings.order_id')
    .select([
      'bookings.id',
      'bookings.order_id as orderId',
      'bookings.reference',
      'bookings.origin',
      'bookings.destination',
      'bookings.carriage',
    ])
    // In a restored database `requested_at` can be missing although the partner has the shipment.
    .select(({ fn, ref }) => [
      fn.coalesce('bookings.requested_at', 'orders.created_at').as('requestedAt'),
      ref('bookings.awb').$castTo<string>().as('awb'),
    ])
    .where('bookings.awb', 'is not', null)
    .where(`bookings.${column}`, 'in', values as readonly never[])
    .execute()
  return rows.map(({ origin, destination, carriage, ...bag }) => ({
    ...bag,
    from: cityOf(origin),
    to: cityOf(destination),
    state: stateOfCarriage[carriage],
  }))
}

const cityOf = (location: string) => (JSON.parse(location) as Location).city

export const findBags = (core: QueryCore, ids: readonly number[]): Promise<Bag[]> => findBy(core, 'id', ids)

export async function findBagsByNumbers(
  core: QueryCore,
  awbs: readonly string[],
  references: readonly string[],
): Promise<Bag[]> {
  const bags = await core.database.together(() =>
    Promise.all([findBy(core, 'awb', awbs), findBy(core, 'reference', references)]),
  )
  return [...new Map(bags.flat().map((bag) => [bag.id, bag])).values()]
}
