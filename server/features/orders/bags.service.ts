import type { Location } from '#shared/orders/orders.schemas.ts'
import { shownStateOf } from '#shared/orders/travel.rules.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import type { BagRow } from './bags.store.ts'
import type { OrdersStore } from './orders.store.ts'

/** A booking that has an airway bill, as the features that follow it see it. */
export interface Bag {
  readonly id: number
  readonly orderId: number
  readonly awb: string
  /** The partner's key of the shipment. */
  readonly reference: string
  /** Cities of its way, in English. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly state: TravelState | null
}

export function createBags({ store }: { readonly store: OrdersStore }) {
  return {
    async findBags(ids: readonly number[]): Promise<Bag[]> {
      return (await store.findBagsById(ids)).map(bagOf)
    },

    /** Bags with one of these airway bills or of these references. */
    async findBagsByNumbers(awbs: readonly string[], references: readonly string[]): Promise<Bag[]> {
      const rows = [...(await store.findBagsByAwb(awbs)), ...(await store.findBagsByReference(references))]
      return [...new Map(rows.map((row) => [row.id, row])).values()].map(bagOf)
    },
  }
}

function bagOf(row: BagRow): Bag {
  const cityOf = (location: string) => (JSON.parse(location) as Location).city
  return {
    id: row.id,
    orderId: row.order_id,
    awb: row.awb,
    reference: row.reference,
    from: cityOf(row.origin),
    to: cityOf(row.destination),
    state: shownStateOf({ orderStatus: row.status, labelState: row.state, eventState: row.travel_state }),
  }
}
