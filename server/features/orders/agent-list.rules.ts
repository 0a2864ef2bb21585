import type { Needle } from '#server/platform/database/name-index.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { orderNumber, readOrderNumber } from '#shared/orders/order-number.ts'
import type { AgentOrderState, BookingType, Location } from '#shared/orders/orders.schemas.ts'
import { type HandOverCount, handOverCounts } from '#shared/orders/travel.rules.ts'
import { cityName, wordsOfCities } from '#shared/platform/city-names.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import { foldForSearch, readQuery, searchFor, searchTextOf } from '#shared/platform/search.ts'
import type { OrderRow } from './orders.queries.ts'
import { endsAtBranch } from './orders.rules.ts'

export const isForAgent = ({ paid_at }: Pick<OrderRow, 'paid_at'>): boolean => paid_at !== null

export const agentStateOf: Readonly<Record<HandOverCount, AgentOrderState>> = {
  none: 'waiting',
  some: 'waiting',
  all: 'received',
  void: 'refused',
}

export const agentPartsOf = (state?: AgentOrderState): HandOverCount[] =>
  handOverCounts.filter((handedOver) => state === undefined || agentStateOf[handedOver] === state)

export interface Searchable {
  readonly orderId: number
  readonly type: BookingType
  readonly name: string | null | undefined
  readonly phone: string | null | undefined
  readonly bookings: readonly {
    readonly awb: string | null
    readonly receiver: string | null
    readonly leg: number
    readonly origin: string
    readonly destination: string
  }[]
}

export interface SearchCriteria {
  readonly q: string
  readonly city: string | undefined
}

export const isNothing = (q: string): boolean => q.trim() !== '' && foldForSearch(q) === ''

export function filterFor({ q, city }: SearchCriteria): ((order: Searchable) => boolean) | undefined {
  const isBlank = q.trim() === ''
  if (isBlank && city === undefined) return undefined
  const finds = searchFor(q)
  const cityTexts = new Map<string, readonly string[]>()
  const textsOf = (name: string) => {
    const known = cityTexts.get(name) ?? [name, cityName(name, 'ar')].map(foldForSearch)
    cityTexts.set(name, known)
    return known
  }
  return (order) => {
    const branchCity = branchCityOf(order)
    if (city !== undefined && branchCity !== city) return false
    if (isBlank) return true
    const { orderId, name, phone, bookings } = order
    const bags = bookings.flatMap(({ awb, receiver }) => [awb, receiver])
    return finds([orderNumber(orderId), name, phone, ...bags, ...textsOf(branchCity ?? '')])
  }
}

/** The search index stores groups of three characters. */
const isIndexed = (part: string) => [...part].length >= 3
/**
 * Three letters can occur in dozens of cities. A search word with more alternatives than this limit does not use the
 * index.
 */
const mostParts = 12

/**
 * Returns texts for the database index: every order that `filterFor` accepts contains them. Undefined when all texts
 * are too short.
 */
export function needleFor({ q, city = '' }: SearchCriteria): Needle | undefined {
  const { words, digits } = readQuery(q)
  const needle = [
    ...words.map((word) => [...new Set([word, digits ?? word, ...citiesOf(word)])]),
    [foldForSearch(city).replaceAll(' ', '')],
  ].filter((parts) => parts.length <= mostParts && parts.every(isIndexed))
  return needle.length > 0 ? needle : undefined
}

/** An Arabic word is translated, because orders have English names of cities. */
const citiesOf = (word: string) =>
  /\p{Script=Arabic}/u.test(word) ? wordsOfCities((arabic) => searchTextOf(arabic).includes(word)) : []

function branchCityOf({ type, bookings: [first] }: Searchable) {
  if (!first) return undefined
  const branch = endsAtBranch(type, first.leg) ? first.destination : first.origin
  return (JSON.parse(branch) as Location).city
}

/** `isOrderNumber` is true when the query has the prefix of an order number, so it cannot be another number. */
export function wholeNumbersOf(q: string) {
  const typed = foldDigits(q).trim()
  const digits = typed.replace(/[\s-]/g, '')
  const number = readOrderNumber(typed) ?? readOrderNumber(digits)
  return {
    orderId: number?.id,
    isOrderNumber: number?.isCertain ?? false,
    awb: /^\d{6,20}$/.test(digits) ? digits : undefined,
    phone: canonicalPhone(typed) ?? canonicalPhone(`+${digits}`),
  }
}
