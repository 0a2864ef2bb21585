import { type OrdersAnswer, withAnswer } from '#client/entities/order/kept.rules.ts'
import type { KnownOrder } from '#client/entities/order/kept.ts'
import { knownStatus } from '#client/entities/order/order-card.rules.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import type {
  AgentOrderPage,
  AgentOrderState,
  AgentOrdersQuery,
  Booking,
  Order,
} from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { foldForSearch, matchesSearch } from '#shared/platform/search.ts'

/** An order in an agent's list. */
export interface AgentOrder extends Order {
  /**
   * A copy kept on the device has no phone. This number is the same for kept orders of one customer to one branch; absent where
   * no other order is.
   */
  readonly journey?: number
}

/** The same text for orders of one customer to one branch. A return trip, and a bag that must not be taken, stand alone. */
export function wayOf({ orderId, type, user, bookings, journey }: AgentOrder): string {
  const isVoid = bookings.some(({ state }) => state === 'CANCELLED')
  if (isVoid || bookings.length !== 1) return String(orderId)
  if (journey !== undefined) return `journey ${journey}`
  if (!user?.phone) return String(orderId)
  const { city, name, address, addressAR, addressEN } = bookings[0]?.destination ?? {}
  return JSON.stringify([type, user.name, user.phone, city, name, address, addressAR, addressEN])
}

/** Raise the number when the shape of kept bags changes: bags stored under an earlier number are dropped. */
export const keptBagsVersion = 1

interface KeptBag extends KnownOrder {
  readonly order: AgentOrder
}

/** The orders of one agent, in the order of their numbers. */
export interface KeptBags {
  readonly version: typeof keptBagsVersion
  readonly agentId: number
  /** The begin of the shift that they are kept for. */
  readonly since: number
  /** When the whole list was asked for last, in epoch milliseconds; 0 for never. */
  readonly listedAt: number
  readonly counts: AgentOrderPage['counts']
  readonly bags: readonly KeptBag[]
}

/** About 400 bytes each, of the 5 MB that a browser keeps for a site. */
export const maxKeptBags = 1_000

export function emptyKeptBags(agentId: number, since: number): KeptBags {
  return {
    version: keptBagsVersion,
    agentId,
    since,
    listedAt: 0,
    bags: [],
    counts: { waiting: 0, received: 0, refused: 0 },
  }
}

interface Answer extends OrdersAnswer {
  /** The counts that the tabs show; the answer names all orders that are kept. */
  readonly whole?: AgentOrderPage['counts']
}

export function withBags(kept: KeptBags, answer: Answer): KeptBags {
  const { askedAt, whole } = answer
  const journeyOf = journeysIn(answer.orders, kept.bags)
  return {
    ...kept,
    ...(whole && { listedAt: askedAt, counts: whole }),
    bags: withAnswer(kept.bags, answer, {
      entryOf: (order) => ({ order: keptOrder(order, journeyOf(order)), knownAt: askedAt }),
      // The newest bags are kept: the bags of earlier days were collected.
      most: maxKeptBags,
      isWhole: whole !== undefined,
    }),
  }
}

/** The journey of each order of an answer. A known number stays, because a page of the list may name only some of its orders. */
function journeysIn(orders: readonly AgentOrder[], known: KeptBags['bags']) {
  const kept = new Map(known.map(({ order }) => [order.orderId, order.journey] as const))
  const firsts = new Map<string, number>()
  const journeys = new Map<string, number>()
  for (const order of orders.toSorted((a, b) => a.orderId - b.orderId)) {
    const way = wayOf(order)
    const first = firsts.get(way)
    const journey = kept.get(order.orderId) ?? journeys.get(way) ?? first
    if (journey !== undefined) journeys.set(way, journey)
    if (first === undefined) firsts.set(way, order.orderId)
  }
  return (order: AgentOrder) => journeys.get(wayOf(order))
}

/** Number, state and city, the bag's number and the name of its owner: no phone, no address, no receiver. */
function keptOrder(order: Order, journey: number | undefined): AgentOrder {
  const { orderId, status, type, creationDate, user, bookings } = order
  return {
    orderId,
    status,
    type,
    creationDate,
    payable: false,
    user: { name: user?.name ?? null, phone: null },
    bookings: bookings.map(keptBooking),
    ...(journey !== undefined && { journey }),
  }
}

function keptBooking({ awb, origin, destination, state, lastEventAt, events }: Booking): Booking {
  const placeOf = ({ city }: Booking['origin']) => ({
    ...(city !== undefined && { city }),
    coordinates: null,
  })
  const taken = events.findLast(({ kind }) => kind === 'handed-over')
  return {
    awb,
    state,
    lastEventAt,
    origin: placeOf(origin),
    destination: placeOf(destination),
    events: taken === undefined ? [] : [{ kind: taken.kind, at: taken.at, source: taken.source }],
  }
}

/** The order of a bag. */
export function keptBagOf({ bags }: Pick<KeptBags, 'bags'>, awb: string): KeptBag | undefined {
  return bags.find(({ order }) => order.bookings.some((booking) => booking.awb === awb))
}

type ListRequest = Pick<AgentOrdersQuery, 'q' | 'state' | 'city' | 'order'>

/** The list that the server would send, from the kept bags. They hold no phone numbers, so a search for one finds nothing. */
export function listKept({ bags }: Pick<KeptBags, 'bags'>, request: ListRequest): AgentOrder[] {
  const { q = '', state, city, order } = request
  const found = bags
    .map((bag) => bag.order)
    .filter(
      (each) =>
        (state === undefined || stateOf(each) === state) &&
        (city === undefined || each.bookings.some((booking) => citiesOf(booking).includes(city))) &&
        (foldForSearch(q) === '' || matchesSearch(q, textsOf(each))),
    )
  return order === 'oldest' ? found : found.toReversed()
}

export function stateOf({ status, bookings }: Order): AgentOrderState {
  const valid = bookings.filter(({ state }) => state !== 'CANCELLED')
  // A newer gateway may know more statuses.
  if (valid.length === 0 || knownStatus(status) === undefined) return 'refused'
  return valid.every(({ state }) => isHandedOver(state)) ? 'received' : 'waiting'
}

const citiesOf = ({ origin, destination }: Booking) => [origin.city, destination.city]

function textsOf({ orderId, user, bookings }: Order): (string | null | undefined)[] {
  const cities = bookings.flatMap(citiesOf).filter((city) => city !== undefined)
  return [
    orderNumber(orderId),
    user?.name,
    ...bookings.map(({ awb }) => awb),
    ...cities.flatMap((city) => [city, cityName(city, 'ar')]),
  ]
}
