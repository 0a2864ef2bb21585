import {
  distinct,
  type FindReferences,
  noReferences,
  orderNumberIn,
  type References,
} from '../platform/references.ts'
import type { ShipmentRecord, ShippingState } from './shipping.state.ts'

/** The client writes its order number into the description; the partner's own field holds the reference of the bag. */
export const orderNumberOf = ({ request }: Pick<ShipmentRecord, 'request'>): number | undefined =>
  orderNumberIn(request.ContentDescription)

const phoneOf = ({ request }: ShipmentRecord): string => request.ConsigneeAddress.ContactPhoneNumber

export function referencesOfShipments(shipments: readonly ShipmentRecord[]): References {
  const [first, ...others] = distinct(shipments.map(phoneOf))
  return {
    ...noReferences(),
    orders: distinct(shipments.map(orderNumberOf)),
    phone: others.length === 0 ? (first ?? null) : null,
    refs: distinct(shipments.flatMap(({ reference, awbs }) => [reference, ...awbs])),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Requests name shipments by airway bill or reference; one that creates a shipment describes it. */
export const findShippingReferences =
  (state: ShippingState): FindReferences =>
  ({ params, body }) => {
    const { awb, reference } = (params ?? {}) as { awb?: string; reference?: string }
    const { OrderNumber, ContentDescription, ConsigneeAddress } = (body ?? {}) as {
      OrderNumber?: unknown
      ContentDescription?: unknown
      ConsigneeAddress?: { ContactPhoneNumber?: unknown } | null
    }
    const named = [awb, reference, OrderNumber, ...(Array.isArray(body) ? body : [])].filter(isText)
    const found = referencesOfShipments(named.flatMap(state.findShipments))
    const phone = ConsigneeAddress?.ContactPhoneNumber
    const order = isText(ContentDescription) ? orderNumberIn(ContentDescription) : undefined
    return {
      ...found,
      orders: distinct([...found.orders, order]),
      phone: found.phone ?? (isText(phone) ? phone : null),
      refs: distinct([...named, ...found.refs]),
    }
  }
