export interface ReportedOrder {
  readonly orderId: number
  status: string
  awb: string | null
  isHandedOver?: boolean
  /** The gateway acknowledged the courier's push of the delivery. */
  isDelivered?: boolean
}

export interface Promised {
  checkouts: number
  readonly orders: ReportedOrder[]
}

export interface StoredOrder {
  readonly id: number
  readonly status: string
  readonly bookings: readonly {
    readonly reference: string
    readonly awb: string | null
    readonly hasLabel: boolean
    readonly handovers: number
    readonly carriage: string
  }[]
}

export interface PartnerShipment {
  readonly reference: string
  readonly awb: string
}

export interface Ledger {
  readonly promised: Promised
  readonly stored: readonly StoredOrder[]
  /** Order of each successful payment that the provider still holds. */
  readonly payments: readonly number[]
  readonly shipments: readonly PartnerShipment[]
}

export interface Audit {
  readonly lost: readonly string[]
  readonly double: readonly string[]
}

/** Compares the responses to users, the rows of the gateway, and the records of provider and partner. */
export function audit({ promised, stored, payments, shipments }: Ledger): Audit {
  const lost: string[] = []
  const double: string[] = []
  const orders = new Map(stored.map((order) => [order.id, order]))
  const made = Map.groupBy(shipments, ({ reference }) => reference)

  for (const { orderId, status, awb, isHandedOver, isDelivered } of promised.orders) {
    const order = orders.get(orderId)
    if (!order) lost.push(`order ${orderId} was promised and is not stored`)
    else if (status === 'PAID' && order.status !== 'PAID')
      lost.push(`order ${orderId} was called paid and is ${order.status}`)
    else if (awb !== null && !order.bookings.some((booking) => booking.awb === awb))
      lost.push(`airway bill ${awb} of order ${orderId} was shown and is not stored`)
    else if (isHandedOver && !order.bookings.some(({ handovers }) => handovers > 0))
      lost.push(`the hand-over of order ${orderId} was acknowledged and is not stored`)
    else if (isDelivered && !order.bookings.some(({ carriage }) => carriage === 'collected'))
      lost.push(`the delivery of order ${orderId} was pushed and acknowledged, and is not stored`)
  }
  if (stored.length > promised.checkouts)
    double.push(`${stored.length} orders of ${promised.checkouts} checkouts`)
  for (const [id, count] of counted(promised.orders.map(({ orderId }) => orderId)))
    if (count > 1) double.push(`order ${id} was promised to ${count} pilgrims`)

  const paid = counted(payments)
  for (const [orderId, count] of paid) {
    if (count > 1) double.push(`order ${orderId} was paid ${count} times`)
    const status = orders.get(orderId)?.status ?? 'unknown'
    if (status !== 'PAID') lost.push(`order ${orderId} is paid at the provider and ${status} here`)
  }
  for (const { id, status, bookings } of stored) {
    if (status === 'PAID' && !paid.has(id)) double.push(`order ${id} is paid here and not at the provider`)
    for (const { reference, awb, hasLabel, handovers } of bookings) {
      const own = made.get(reference) ?? []
      if (handovers > 1) double.push(`a bag of order ${id} was handed over ${handovers} times`)
      if (own.length > 1) double.push(`order ${id} has ${own.length} shipments`)
      if (status !== 'PAID') {
        if (own.length > 0) double.push(`order ${id} is ${status} and has a shipment`)
        continue
      }
      if (awb === null) lost.push(`order ${id} is paid and has no airway bill`)
      else if (!own.some((shipment) => shipment.awb === awb))
        lost.push(`airway bill ${awb} of order ${id} is not the partner’s`)
      else if (!hasLabel) lost.push(`order ${id} has no label`)
    }
  }
  const known = new Set(stored.flatMap(({ bookings }) => bookings.map(({ reference }) => reference)))
  for (const { reference } of shipments)
    if (!known.has(reference)) double.push(`shipment ${reference} belongs to no order`)
  const bills = stored.flatMap(({ bookings }) => bookings.flatMap(({ awb }) => (awb === null ? [] : [awb])))
  for (const [awb, count] of counted(bills))
    if (count > 1) double.push(`airway bill ${awb} is on ${count} bags`)
  return { lost, double }
}

function counted<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
