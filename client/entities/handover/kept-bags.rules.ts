import { type KnownOrder, type OrdersAnswer, withAnswer } from '#client/entities/order/kept.ts'
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

/** Raise the number when the shape of kept bags changes: bags stored under an earlier number are dropped. */
export const keptBagsVersion = 1

/** The orders of one agent, in the order of their numbers. */
export interface KeptBags {
  readonly version: typeof keptBagsVersion
  readonly agentId: number
  /** The begin of the shift that they are kept for. */
  readonly since: number
  /** When the whole list was asked for last, in epoch milliseconds; 0 for never. */
  readonly listedAt: number
  readonly counts: AgentOrderPage['counts']
  readonly bags: readonly KnownOrder[]
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
  return {
    ...kept,
    ...(whole && { listedAt: askedAt, counts: whole }),
    bags: withAnswer(kept.bags, answer, {
      entryOf: (order) => ({ order: keptOrder(order), knownAt: askedAt }),
      // The newest bags are kept: the bags of earlier days were collected.
      most: maxKeptBags,
      isWhole: whole !== undefined,
    }),
  }
}

/** Number, state and city, the bag's number and the name of its owner: no phone, no address, no receiver. */
function keptOrder({ orderId, status, type, creationDate, user, bookings }: Order): Order {
  return {
    orderId,
    status,
    type,
    creationDate,
    payable: false,
    user: { name: user?.name ?? null, phone: null },
    bookings: bookings.map(keptBooking),
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
export function keptBagOf({ bags }: Pick<KeptBags, 'bags'>, awb: string): KnownOrder | undefined {
  return bags.find(({ order }) => order.bookings.some((booking) => booking.awb === awb))
}

type ListRequest = Pick<AgentOrdersQuery, 'q' | 'state' | 'city' | 'order'>

/** The list that the server would send, from the kept bags. They hold no phone numbers, so a search for one finds nothing. */
export function listKept({ bags }: Pick<KeptBags, 'bags'>, request: ListRequest): Order[] {
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
