import { eventually } from '../basics/eventually.ts'
import type { Control, ShipmentView } from '../programs/control.ts'

/** More shipments than any run makes. */
const everything = 99_999

/** How many shipments the partner has made, by order number; duplicates count. */
export async function shipmentsByOrder(control: Control): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>()
  for (const shipment of await control.shipments(everything)) {
    const order = orderOf(shipment)
    counts.set(order, (counts.get(order) ?? 0) + 1)
  }
  return counts
}

/** The gateway writes the order's number into the description of the content. */
function orderOf({ request }: ShipmentView): number {
  const number = /OD-(\d+)$/.exec(request.ContentDescription)?.[1]
  if (number === undefined) throw new Error(`no order in "${request.ContentDescription}"`)
  return Number(number)
}

/** Resolves once the partner has made a shipment for the order, with how many it has made. */
export function shipmentsOf(control: Control, orderId: number, withinMs = 20_000): Promise<number> {
  return eventually(async () => (await shipmentsByOrder(control)).get(orderId), { withinMs })
}
