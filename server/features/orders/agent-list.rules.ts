import type { Needle } from '#server/platform/database/name-index.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { orderNumber, readOrderNumber } from '#shared/orders/order-number.ts'
import { statusMeanings } from '#shared/orders/orders.rules.ts'
import {
  type AgentOrderState,
  type BookingType,
  type Location,
  type OrderStatus,
  orderStatuses,
} from '#shared/orders/orders.schemas.ts'
import { handOverCounts } from '#shared/orders/travel.rules.ts'
import { cityName, wordsOfCities } from '#shared/platform/city-names.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import { foldForSearch, readQuery, searchFor, searchTextOf } from '#shared/platform/search.ts'
import type { AgentListPart } from './agent-list.store.ts'
import { endsAtBranch } from './orders.rules.ts'
import type { OrderRow } from './orders.store.ts'

/** The statuses an agent sees: paid, also when refunded or cancelled later. */
export const agentStatuses: readonly OrderStatus[] = orderStatuses.filter(
  (status) => statusMeanings[status].agentState !== null,
)

/** True for an order that its agent may see: an order that was dropped before it was paid is no concern of the agent's. */
export function isForAgent({ status, paid_at }: Pick<OrderRow, 'status' | 'paid_at'>): boolean {
  return agentStatuses.includes(status) && paid_at !== null
}

/** The list of an agent in which an order is; null: in none. A paid order is received once its last bag is. */
export function agentStateOf({ status, handedOver }: AgentListPart): AgentOrderState | null {
  const { agentState } = statusMeanings[status]
  return agentState === 'waiting' && handedOver === 'all' ? 'received' : agentState
}

/** What an agent's list, or all of them, consists of. */
export function agentPartsOf(state?: AgentOrderState): AgentListPart[] {
  return agentStatuses
    .flatMap((status) => handOverCounts.map((handedOver) => ({ status, handedOver })))
    .filter((part) => state === undefined || agentStateOf(part) === state)
}

/** The fields of an order that an agent's search compares. */
export interface Searchable {
  readonly orderId: number
  readonly type: BookingType
  readonly name: string | null | undefined
  readonly phone: string | null | undefined
  readonly bookings: readonly {
    readonly awb: string | null
    readonly receiver: string | null
    readonly leg: number
    /** JSON of a `Location`. */
    readonly origin: string
    readonly destination: string
  }[]
}

export interface SearchCriteria {
  /** Text or numbers; blank for all. */
  readonly q: string
  /** Of the branch; all when undefined. */
  readonly city: string | undefined
}

/** True for a query without a letter or digit, which no order matches. */
export const isNothing = (q: string): boolean => q.trim() !== '' && foldForSearch(q) === ''

/** A predicate for a query that is not nothing; undefined when every order matches. */
export function filterFor({ q, city }: SearchCriteria): ((order: Searchable) => boolean) | undefined {
  const isBlank = q.trim() === ''
  if (isBlank && city === undefined) return undefined
  const finds = searchFor(q)
  // Cached: a season has some dozens of cities, and tens of thousands of orders.
  const cityTexts = new Map<string, readonly string[]>()
  const textsOf = (name: string): readonly string[] => {
    const known = cityTexts.get(name) ?? [name, cityName(name, 'ar')].map(foldForSearch)
    cityTexts.set(name, known)
    return known
  }
  return (order) => {
    const branchCity = branchCityOf(order)
    if (city !== undefined && branchCity !== city) return false
    return (
      isBlank ||
      finds([
        orderNumber(order.orderId),
        order.name,
        order.phone,
        ...order.bookings.flatMap(({ awb, receiver }) => [awb, receiver]),
        ...(branchCity === undefined ? [] : textsOf(branchCity)),
      ])
    )
  }
}

/** The index has parts of three letters, digits or spaces. */
const isIndexed = (part: string): boolean => [...part].length >= 3
/** Three letters may begin the names of dozens of cities. */
const mostParts = 12

/** The needle for the database: the text of every order that `filterFor` takes has it. Undefined when no part is long enough. */
export function needleFor({ q, city = '' }: SearchCriteria): Needle | undefined {
  const { words, digits } = readQuery(q)
  const needle = [
    ...words.map((word) => [...new Set([word, digits ?? word, ...citiesOf(word)])]),
    [foldForSearch(city).replaceAll(' ', '')],
  ].filter((parts) => parts.length <= mostParts && parts.every(isIndexed))
  return needle.length > 0 ? needle : undefined
}

/** English words, which orders have, of the cities that are called so in Arabic. */
const citiesOf = (word: string): string[] =>
  /\p{Script=Arabic}/u.test(word) ? wordsOfCities((arabic) => searchTextOf(arabic).includes(word)) : []

/** The city of the branch, which all legs of an order share. */
function branchCityOf({ type, bookings: [first] }: Searchable): string | undefined {
  if (!first) return undefined
  const branch = endsAtBranch(type, first.leg) ? first.destination : first.origin
  return (JSON.parse(branch) as Location).city
}

/** The numbers that a query may be when it is read as one whole number. */
interface WholeNumbers {
  readonly orderId: number | undefined
  /** True when the order number has its prefix, so that the query cannot be any other number. */
  readonly isOrderNumber: boolean
  readonly awb: string | undefined
  readonly phone: string | undefined
}

export function wholeNumbersOf(q: string): WholeNumbers {
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
