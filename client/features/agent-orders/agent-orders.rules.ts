import { type AgentOrder, wayOf } from '#client/entities/handover/kept-bags.rules.ts'
import { receivedAtOf } from '#client/entities/handover/received.rules.ts'
import { journeysBy } from '#client/entities/order/journeys.rules.ts'
import { dayInRiyadh } from '#client/platform/dates.ts'
import { agentOrderStates } from '#shared/orders/orders.operations.ts'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { AgentOrderPage, AgentOrderState, ListOrder, Order } from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'
import { foldForSearch } from '#shared/platform/search.ts'

/** The filters in the address. */
export interface Filters {
  /** Null: the bags that wait or, during a search, all bags. */
  readonly state: AgentOrderState | null
  /** The partner's spelling of the city. Null: all cities. */
  readonly city: string | null
  /** Null: the bag that has waited longest comes first. */
  readonly order: 'newest' | null
}

/** The server's limit for a search text. */
const longestCity = 100

export function readFilters(query: URLSearchParams): Filters {
  const city = query.get('city') ?? ''
  return {
    state: agentOrderStates.find((each) => each === query.get('state')) ?? null,
    city: city !== '' && city.length <= longestCity ? city : null,
    order: query.get('order') === 'newest' ? 'newest' : null,
  }
}

/** The state whose orders are listed. Null in a search, which lists all states: it must find any bag at the counter. */
export function listedState({ state }: Filters, q: string): AgentOrderState | null {
  return state ?? (q === '' ? 'waiting' : null)
}

export interface ListRequest {
  readonly q?: string
  readonly state?: AgentOrderState
  readonly city?: string
  readonly order: ListOrder
}

export function requestOf(q: string, filters: Filters): ListRequest {
  const state = listedState(filters, q)
  return {
    ...(q !== '' && { q }),
    ...(state !== null && { state }),
    ...(filters.city !== null && { city: filters.city }),
    order: filters.order ?? 'oldest',
  }
}

/** True when the list leaves out orders that wait. */
export function isNarrowed(filters: Filters, q: string): boolean {
  return q !== '' || filters.city !== null || listedState(filters, q) !== 'waiting'
}

/** The number of orders on the list; undefined with a search or a city, because the counts cover everything. */
export function totalOf(counts: AgentOrderPage['counts'], filters: Filters, q: string): number | undefined {
  const state = listedState(filters, q)
  return q !== '' || filters.city !== null || state === null ? undefined : counts[state]
}

/** The states with a tab: states that have orders, the listed state, and always the waiting state. */
export function tabsOf(
  counts: AgentOrderPage['counts'] | undefined,
  listed: AgentOrderState | null,
): readonly AgentOrderState[] {
  return agentOrderStates.filter(
    (state) => state === 'waiting' || state === listed || (counts?.[state] ?? 0) > 0,
  )
}

/** The text to search for: empty without a letter or digit, such as the `+` of a phone. */
export function searchedWords(typed: string): string {
  return foldForSearch(typed) === '' ? '' : typed.trim()
}

/** The one order that a search has found; `undefined` when there are, or may be, others. */
export function onlyFound(
  q: string,
  orders: readonly Order[] | undefined,
  hasMore: boolean,
): Order | undefined {
  return q !== '' && !hasMore && orders?.length === 1 ? orders[0] : undefined
}

/** Enough digits to mean one bag: the last four of its number, or more digits of any number. */
export const isNumber = (q: string): boolean => /^\d{4,}$/.test(foldForSearch(q).replaceAll(' ', ''))

/** The number of listed orders whose customers share a name with another customer. */
export function countNamesakes(orders: readonly Order[]): number {
  const names = orders.map(({ user }) => foldForSearch(user?.name ?? '')).filter((name) => name !== '')
  return names.filter((name) => names.indexOf(name) !== names.lastIndexOf(name)).length
}

/** A city of the list's orders, with their number. */
export interface CityCount {
  /** The partner's spelling. */
  readonly city: string
  /** Undefined for a city that is chosen and has no order. */
  readonly count: number | undefined
}

/** The cities of these orders, the one with most of them first. The chosen city is always among them. */
export function countCities(
  orders: readonly Pick<Order, 'type' | 'bookings'>[],
  chosen: string | null,
): readonly CityCount[] {
  const counts = new Map<string, number>()
  for (const order of orders) {
    const { city } = rowFactsOf(order)
    if (city !== undefined) counts.set(city, (counts.get(city) ?? 0) + 1)
  }
  const cities = [...counts].map(([city, count]): CityCount => ({ city, count }))
  if (chosen !== null && !counts.has(chosen)) cities.push({ city: chosen, count: undefined })
  return cities.toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0) || a.city.localeCompare(b.city))
}

/**
 * The orders of a list as its lines: bags of one journey (`journeysOf`) are one line. The agent does not see who pays and when,
 * but name and phone of the customer, the branch and the time of the order.
 */
export function linesOf(orders: readonly AgentOrder[]): readonly (readonly AgentOrder[])[] {
  const lines = journeysBy(orders, wayOf, ({ creationDate }) => Date.parse(creationDate))
  return lines.map((line) => line.toSorted((a, b) => a.orderId - b.orderId))
}

/** The time that a row shows: when the bag was received or, while it waits, when it was ordered. ISO 8601. */
export const shownAtOf = (order: Order): string => rowFactsOf(order).receivedAt ?? order.creationDate

/** The day of a time as the list shows it. `older`: a line above says the day. */
export function dayOf(iso: string, now: number): 'today' | 'yesterday' | 'older' {
  const day = dayInRiyadh(iso)
  if (day >= dayInRiyadh(now)) return 'today'
  return day === dayInRiyadh(now - dayMs) ? 'yesterday' : 'older'
}

/**
 * True when the server has removed the customer's name and phone. An order that lacks only the phone is a copy kept on this
 * device.
 */
export const isNameless = ({ user }: Pick<Order, 'user'>): boolean =>
  (user?.name ?? null) === null && (user?.phone ?? null) === null

/** The facts of an order's bags in a row of the list. */
export interface RowFacts {
  /** The city of the branch. */
  readonly city: string | undefined
  /** The number of the bag that the pilgrim hands over, or else of the first bag. */
  readonly awb: string | null
  /** When that bag was received, ISO 8601; undefined while it waits. */
  readonly receivedAt: string | undefined
  /** Undefined where no pictures are taken. */
  readonly hasPhoto: boolean | undefined
}

export function rowFactsOf({ type, bookings }: Pick<Order, 'type' | 'bookings'>): RowFacts {
  const legs = legsOf(type)
  const handedOver = legs.findIndex(({ from }) => from === 'agent')
  const index = bookings[handedOver] ? handedOver : 0
  const booking = bookings[index]
  return {
    city: legs[index]?.from === 'center' ? booking?.origin.city : booking?.destination.city,
    awb: booking?.awb ?? null,
    receivedAt: booking && isHandedOver(booking.state ?? null) ? receivedAtOf(booking) : undefined,
    hasPhoto: booking?.hasPhoto,
  }
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The time since an order of today was placed, in the units that a row shows. */
export type Age =
  | { readonly unit: 'now' }
  | { readonly unit: 'minutes'; readonly minutes: number }
  | { readonly unit: 'hours'; readonly hours: number; readonly minutes: number }

/** @param iso the time of the order. @param now epoch ms. On a device with a slow clock, no order appears to be in the future. */
export function ageOf(iso: string, now: number): Age {
  const minutes = Math.max(0, Math.floor((now - Date.parse(iso)) / minuteMs))
  if (minutes === 0) return { unit: 'now' }
  if (minutes < 60) return { unit: 'minutes', minutes }
  return { unit: 'hours', hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}

/** The digits of an airway bill number that people read out at the counter, and the digits before them. */
export function splitAwb(awb: string): { readonly start: string; readonly last: string } {
  return { start: awb.slice(0, -4), last: awb.slice(-4) }
}
