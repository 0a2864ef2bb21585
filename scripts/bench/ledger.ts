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
export function audit(ledger: Ledger): Audit {
  const { promised, stored, payments, shipments } = ledger
  const orders = new Map(stored.map((order) => [order.id, order]))
  const made = Map.groupBy(shipments, ({ reference }) => reference)
  const paid = new Set(payments)
  const bookings = stored.flatMap((order) => order.bookings)
  const known = new Set(bookings.map(({ reference }) => reference))
  const extra = stored.length - promised.checkouts
  return {
    lost: [
      ...promised.orders.flatMap((reported) => lossOf(reported, orders.get(reported.orderId)) ?? []),
      ...[...paid].flatMap((id) => {
        const status = orders.get(id)?.status ?? 'unknown'
        return status === 'PAID' ? [] : [`order ${id} is paid at the provider and ${status} here`]
      }),
      ...stored
        .filter(isPaid)
        .flatMap(({ id, bookings: own }) =>
          own.flatMap((booking) => lossOfBag(booking, made.get(booking.reference) ?? [])).map(of(id)),
        ),
    ],
    double: [
      ...(extra > 0 ? [`${stored.length} orders of ${promised.checkouts} checkouts`] : []),
      ...repeated(promised.orders.map(({ orderId }) => orderId)).map(
        ([id, count]) => `order ${id} was promised to ${count} pilgrims`,
      ),
      ...repeated(payments).map(([id, count]) => `order ${id} was paid ${count} times`),
      ...repeated(bookings.flatMap(({ awb }) => awb ?? [])).map(
        ([awb, count]) => `airway bill ${awb} is on ${count} bags`,
      ),
      ...stored.flatMap((order) => excessOf(order, paid, made)),
      ...shipments
        .filter(({ reference }) => !known.has(reference))
        .map(({ reference }) => `shipment ${reference} belongs to no order`),
    ],
  }
}

type Bag = StoredOrder['bookings'][number]

const isPaid = ({ status }: StoredOrder) => status === 'PAID'
const of = (id: number) => (fault: string) => `order ${id} ${fault}`

/** Facts that the user was shown and the gateway has not stored. */
function lossOf(
  { orderId, status, awb, isHandedOver, isDelivered }: ReportedOrder,
  order: StoredOrder | undefined,
): string | undefined {
  if (!order) return `order ${orderId} was promised and is not stored`
  const { bookings } = order
  if (status === 'PAID' && !isPaid(order)) return `order ${orderId} was called paid and is ${order.status}`
  if (awb !== null && !bookings.some((bag) => bag.awb === awb))
    return `airway bill ${awb} of order ${orderId} was shown and is not stored`
  if (isHandedOver && !bookings.some(({ handovers }) => handovers > 0))
    return `the hand-over of order ${orderId} was acknowledged and is not stored`
  if (isDelivered && !bookings.some(({ carriage }) => carriage === 'collected'))
    return `the delivery of order ${orderId} was pushed and acknowledged, and is not stored`
  return undefined
}

/** The missing parts of a bag of a paid order. */
function lossOfBag({ awb, hasLabel }: Bag, shipments: readonly PartnerShipment[]): string[] {
  if (awb === null) return ['is paid and has no airway bill']
  if (!shipments.some((shipment) => shipment.awb === awb)) return [`has ${awb}, which is not the partner’s`]
  return hasLabel ? [] : ['has no label']
}

/** What an order has more than once, or without a payment. */
function excessOf(
  order: StoredOrder,
  paid: ReadonlySet<number>,
  made: ReadonlyMap<string, readonly PartnerShipment[]>,
): string[] {
  const { id, bookings } = order
  const shipped = bookings.map(({ reference }) => made.get(reference)?.length ?? 0)
  return [
    ...(isPaid(order) && !paid.has(id) ? ['is paid here and not at the provider'] : []),
    ...(bookings.some(({ handovers }) => handovers > 1) ? ['has a bag that was handed over twice'] : []),
    ...(shipped.some((count) => count > 1) ? ['has two shipments of a bag'] : []),
    ...(!isPaid(order) && shipped.some((count) => count > 0) ? ['has a shipment and is not paid'] : []),
  ].map(of(id))
}

function repeated<T>(values: readonly T[]): readonly (readonly [T, number])[] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, all]) => [value, all.length] as const)
    .filter(([, count]) => count > 1)
}
