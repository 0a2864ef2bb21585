import { type IntentionRecord, isPaid } from '../payment/payment.records.ts'
import type { PaymentState } from '../payment/payment.state.ts'
import type { Deliveries } from '../platform/deliveries.ts'
import type { Journeys } from '../shipping/shipping.journey.ts'
import type { Pushes } from '../shipping/shipping.pushes.ts'
import { orderNumberOf } from '../shipping/shipping.references.ts'
import type { ShipmentRecord, ShippingState } from '../shipping/shipping.state.ts'

/** The data of one order at payment provider and courier. */
export interface OrderRecord {
  /** `OD-42`; what names no order number is found by its reference. */
  order: string
  /** Newest first. */
  intentions: IntentionRecord[]
  /** Oldest first. */
  shipments: ShipmentRecord[]
  phone: string | null
  /** Epoch milliseconds of the first intention or shipment. */
  createdAt: number
}

export interface PartnerSources {
  payment: PaymentState
  shipping: ShippingState
  journeys: Journeys
  deliveries: Deliveries
  pushes: Pushes
}

/** The state of an order at the provider. */
export interface Standing {
  text: string
  tone: 'good' | 'wait' | 'bad'
}

const orderOfNumber = (number: unknown): string | undefined =>
  typeof number === 'number' || typeof number === 'string' ? `OD-${number}` : undefined

const orderOfShipment = (shipment: ShipmentRecord): string =>
  orderOfNumber(orderNumberOf(shipment)) ?? shipment.reference

const orderOfIntention = ({ extras, reference, id }: IntentionRecord): string =>
  orderOfNumber(extras.order_number) ?? reference ?? id

/** All orders, newest first. */
export function listOrders({ payment, shipping }: PartnerSources): OrderRecord[] {
  const records = new Map<string, OrderRecord>()
  const recordOf = (order: string, createdAt: number): OrderRecord => {
    const record = records.get(order) ?? { order, intentions: [], shipments: [], phone: null, createdAt }
    record.createdAt = Math.min(record.createdAt, createdAt)
    records.set(order, record)
    return record
  }
  for (const intention of payment.list(Number.POSITIVE_INFINITY)) {
    const record = recordOf(orderOfIntention(intention), intention.createdAt)
    record.intentions.push(intention)
    record.phone ??= intention.billing.phone_number
  }
  for (const shipment of shipping.listShipments().reverse()) {
    const record = recordOf(orderOfShipment(shipment), shipment.createdAtMs)
    record.shipments.push(shipment)
    record.phone ??= shipment.request.ConsigneeAddress.ContactPhoneNumber
  }
  return [...records.values()].sort((a, b) => b.createdAt - a.createdAt)
}

/** The pilgrim's name on the card page; the receiver's when no payment was opened. */
export function nameOf({ intentions: [newest], shipments }: OrderRecord): string | null {
  if (newest !== undefined) return `${newest.billing.first_name} ${newest.billing.last_name}`.trim() || null
  return shipments.at(-1)?.request.ConsigneeAddress.ContactName ?? null
}

/** Everything an order can be searched by, in lower case. */
function searchTextOf(
  { order, intentions, shipments, phone }: OrderRecord,
  { payment }: PartnerSources,
): string {
  const words = [
    order,
    phone,
    // As people in the Kingdom write it.
    phone?.replace(/^\+966/, '0'),
    ...intentions.flatMap((intention) => [
      intention.reference,
      intention.id,
      intention.orderId,
      intention.billing.first_name,
      ...payment.transactionsOf(intention).map(({ id }) => id),
    ]),
    ...shipments.flatMap(({ reference, sawb, awbs, request }) => [
      reference,
      sawb,
      ...awbs,
      request.ConsigneeAddress.ContactName,
      request.ConsigneeAddress.ContactPhoneNumber,
      request.ConsigneeAddress.City,
    ]),
  ]
  return words.join(' ').toLowerCase()
}

/** Orders that contain every word of the query; the one whose number it is comes first. */
export function searchOrders(
  orders: readonly OrderRecord[],
  query: string,
  sources: PartnerSources,
): OrderRecord[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...orders]
  const found = orders.filter((order) => {
    const text = searchTextOf(order, sources)
    return words.every((word) => text.includes(word))
  })
  const isExact = ({ order }: OrderRecord) => [order.toLowerCase(), order.slice(3)].includes(words.join(' '))
  return [...found.filter(isExact), ...found.filter((order) => !isExact(order))]
}

/** By order number with or without its prefix, merchant reference, intention id, shipment reference or airway bill. */
export function findOrder(sources: PartnerSources, ref: string): OrderRecord | undefined {
  const wanted = ref.trim().toUpperCase()
  const isKey = (key: string | null) => key?.toUpperCase() === wanted
  return listOrders(sources).find(
    ({ order, intentions, shipments }) =>
      isKey(order) ||
      isKey(order.replace(/^OD-/, '')) ||
      intentions.some(({ id, reference }) => isKey(id) || isKey(reference)) ||
      shipments.some(({ reference, sawb, awbs }) => [reference, sawb, ...awbs].some(isKey)),
  )
}

export const money = (halalas: number, currency = 'SAR'): string =>
  `${currency} ${(halalas / 100).toFixed(2)}`

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

/** How much was asked, charged and given back, over all intentions of the order. */
export function standingOf({ intentions }: OrderRecord, payment: PaymentState): Standing {
  const [newest] = intentions
  if (newest === undefined) return { text: 'no payment', tone: 'wait' }
  const transactions = intentions.flatMap((intention) => payment.transactionsOf(intention))
  if (transactions.some(({ settlesAt }) => settlesAt !== null)) return { text: 'pending', tone: 'wait' }

  const paid = transactions.filter(isPaid)
  const amount = newest.amountHalalas
  const charged = sumOf(paid.map(({ amountHalalas }) => amountHalalas))
  const returned = sumOf(
    paid.map(({ isVoided, amountHalalas, refundedHalalas }) => (isVoided ? amountHalalas : refundedHalalas)),
  )
  const kept = charged - returned
  if (charged === 0) {
    if (transactions.some(({ kind }) => kind === 'payment')) return { text: 'declined', tone: 'bad' }
    const isExpired = payment.statusOf(newest) === 'expired'
    return isExpired ? { text: 'expired', tone: 'bad' } : { text: 'not paid', tone: 'wait' }
  }
  if (kept === 0) return { text: paid.every(({ isVoided }) => isVoided) ? 'voided' : 'refunded', tone: 'bad' }
  const of = `${money(kept)} of ${money(amount)}`
  if (kept > amount) return { text: `charged too much: ${of}`, tone: 'bad' }
  if (kept < amount)
    return { text: `${returned > 0 ? 'partly refunded' : 'charged short'}: ${of}`, tone: 'bad' }
  return { text: returned > 0 ? 'paid, the rest refunded' : 'paid', tone: 'good' }
}

/** An event that a tester can cause now. */
interface Action {
  name: string
  /** The question before it acts; null: none. */
  question: string | null
}

/** The events that can happen to the payment of an order. */
export function paymentActions({ order, intentions }: OrderRecord, payment: PaymentState): Action[] {
  const [newest] = intentions
  if (newest === undefined) return []
  const statuses = intentions.map((intention) => payment.statusOf(intention))
  const isPending = statuses.includes('pending')
  const wasPaid = statuses.some((status) => ['paid', 'refunded', 'voided'].includes(status))
  const standing = intentions.map(payment.findStandingPayment).find((found) => found !== undefined)
  const rest = standing && money(standing.amountHalalas - standing.refundedHalalas, newest.currency)
  const canVoid = standing !== undefined && payment.voidRefusalOf(standing) === undefined
  const again = `${order} was paid. Charge ${money(newest.amountHalalas, newest.currency)} once more?`
  return [
    ...(isPending ? [] : [{ name: 'success', question: wasPaid ? again : null }]),
    ...(isPending || wasPaid ? [] : ['decline', 'cancel'].map((name) => ({ name, question: null }))),
    ...(standing === undefined ? [] : [{ name: 'refund', question: `Refund ${rest} of ${order}?` }]),
    ...(canVoid ? [{ name: 'void', question: `Void the payment of ${rest} of ${order}?` }] : []),
  ]
}

/** A bag: its last scan, and the steps to which it can be scanned. */
export function bagOf(shipment: ShipmentRecord, journeys: Journeys) {
  const last = journeys.scansOf(shipment).at(-1)
  return {
    awb: shipment.awb,
    lastScan: last === undefined ? null : `${last.ScanDescription ?? 'Scan'} (${last.ScanType})`,
    steps: [...journeys.stepsAhead(shipment)],
  }
}

const span = (ms: number): string => {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 2) return `${Math.max(0, Math.ceil(ms / 1_000))} s`
  if (minutes < 120) return `${minutes} min`
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1_440)} days`
}

/** The next thing that the simulator does to an order by itself; null: nothing. */
export function nextOf(
  { intentions: [newest], shipments }: OrderRecord,
  { payment, deliveries, pushes, journeys }: PartnerSources,
  now: number,
): string | null {
  const coming: { what: string; at: number | null }[] = shipments.flatMap((shipment) => [
    ...pushes.listOf(shipment).map(({ nextAttemptAt: at }) => ({ what: 'Push of scans', at })),
    journeys.nextOf(shipment),
  ])
  if (newest !== undefined) {
    for (const { settlesAt: at } of payment.transactionsOf(newest)) coming.push({ what: 'Bank approves', at })
    for (const { nextAttemptAt: at } of deliveries.listOf(newest.id)) coming.push({ what: 'Callback', at })
    if (payment.statusOf(newest) === 'open') coming.push({ what: 'Payment expires', at: newest.expiresAt })
  }
  const [first] = coming
    .flatMap(({ what, at }) => (at === null ? [] : [{ what, at }]))
    .sort((a, b) => a.at - b.at)
  return first === undefined ? null : `${first.what} in ${span(first.at - now)}`
}

export const orderGroups = ['to-pay', 'on-the-way', 'done'] as const

/** @param stepsOfBags the steps to which each bag can still be scanned */
export function groupOf({ text, tone }: Standing, stepsOfBags: readonly ReadonlySet<string>[]) {
  if (['not paid', 'pending', 'declined', 'no payment'].includes(text)) return 'to-pay'
  const isCollected = stepsOfBags.length > 0 && stepsOfBags.every(({ size }) => size === 0)
  return tone === 'good' && !isCollected ? 'on-the-way' : 'done'
}
