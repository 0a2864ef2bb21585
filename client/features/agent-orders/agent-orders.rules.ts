import { orderNumber } from '#client/platform/order-number.ts'
import { foldForSearch, matchesSearch } from '#client/platform/search.ts'
import type { Order, OrderStatus } from '#shared/orders/orders.schemas.ts'

/** By the customer's name or phone, the airway bill, or the order number with or without its `OD-`. */
export function findOrders(orders: readonly Order[], query: string): readonly Order[] {
  if (foldForSearch(query) === '') return orders
  return orders.filter((order) =>
    matchesSearch(query, [
      orderNumber(order.orderId),
      order.user?.name,
      order.user?.phone,
      ...order.bookings.map((booking) => booking.awb),
    ]),
  )
}

export const labelStates = ['issued', 'waiting'] as const
export const dateRanges = ['today', 'yesterday', 'week'] as const
/** An agent is shown what was paid for, also when the money went back. */
export const filterStatuses = ['PAID', 'REFUNDED'] as const satisfies readonly OrderStatus[]

/** What the address asks for; null where it asks for all. */
export interface Filters {
  readonly status: (typeof filterStatuses)[number] | null
  readonly label: (typeof labelStates)[number] | null
  readonly date: (typeof dateRanges)[number] | null
}

export function readFilters(query: URLSearchParams): Filters {
  return {
    status: oneOf(filterStatuses, query.get('status')),
    label: oneOf(labelStates, query.get('label')),
    date: oneOf(dateRanges, query.get('date')),
  }
}

function oneOf<T extends string>(known: readonly T[], value: string | null): T | null {
  return known.find((each) => each === value) ?? null
}

export function isFiltering(filters: Filters): boolean {
  return filters.status !== null || filters.label !== null || filters.date !== null
}

export function filterOrders(orders: readonly Order[], filters: Filters, now: number): readonly Order[] {
  return orders.filter(
    (order) =>
      (filters.status === null || order.status === filters.status) &&
      (filters.label === null || labelStateOf(order) === filters.label) &&
      (filters.date === null || isInRange(order, filters.date, now)),
  )
}

/** `null` where no airway bill is to come. */
function labelStateOf(order: Order): Filters['label'] {
  if (order.bookings.every(({ awb }) => awb !== null)) return 'issued'
  return order.status === 'PAID' ? 'waiting' : null
}

const dayMs = 86_400_000

/** Days of the Kingdom, whatever the clock of the device says: UTC+3, without summer time. */
function dayOf(time: number): number {
  return Math.floor((time + 3 * 3_600_000) / dayMs)
}

/** Whole days from the day of the order to today: 0 is today. */
function ageInDays(order: Order, now: number): number {
  return dayOf(now) - dayOf(Date.parse(order.creationDate))
}

function isInRange(order: Order, range: (typeof dateRanges)[number], now: number): boolean {
  const age = ageInDays(order, now)
  if (range === 'week') return age < 7
  return age === (range === 'today' ? 0 : 1)
}

/** True once the list, newest first, has come to orders older than any the filters ask for. */
export function isBeyond(orders: readonly Order[], { date }: Filters, now: number): boolean {
  const oldest = orders.at(-1)
  if (date === null || oldest === undefined) return false
  return ageInDays(oldest, now) > (date === 'week' ? 6 : date === 'yesterday' ? 1 : 0)
}

/** One letter matches nearly everything: it is not yet a reason to load what is not on screen. */
export function isWorthLoadingOlder(query: string): boolean {
  return foldForSearch(query).length >= 2
}
