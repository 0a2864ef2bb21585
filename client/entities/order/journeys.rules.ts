import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'

const dayMs = 24 * 60 * 60 * 1000

type Grouped = Pick<
  Order,
  'orderId' | 'status' | 'type' | 'paidAt' | 'agentCode' | 'centerCode' | 'bookings' | 'refund'
>

/**
 * The orders of a list as journeys, each with its first order first: paid orders over the same way that were paid at most
 * a day before the newest of them. Any other order is a journey of its own.
 * @param orders newest first
 */
export const journeysOf = <O extends Grouped>(orders: readonly O[]): readonly (readonly O[])[] =>
  journeysBy(orders, wayKeyOf, paidAtOf)

/**
 * The same for readers who see other facts of an order.
 * @param wayOf the same text for orders over one way
 * @param paidAtOf epoch milliseconds
 */
export function journeysBy<O>(
  orders: readonly O[],
  wayOf: (order: O) => string,
  paidAtOf: (order: O) => number,
): readonly (readonly O[])[] {
  const journeys: { key: string; paidAt: number; members: O[] }[] = []
  const latestFirst = orders.toSorted((a, b) => paidAtOf(b) - paidAtOf(a))
  for (const order of latestFirst) {
    const key = wayOf(order)
    const paidAt = paidAtOf(order)
    const known = journeys.find((journey) => journey.key === key && journey.paidAt - paidAt <= dayMs)
    if (known) known.members.unshift(order)
    else journeys.push({ key, paidAt, members: [order] })
  }
  const placeOf = (members: readonly O[]) => Math.min(...members.map((order) => orders.indexOf(order)))
  return journeys.map(({ members }) => members).sort((a, b) => placeOf(a) - placeOf(b))
}

const paidAtOf = ({ paidAt }: Grouped): number => (paidAt === undefined ? 0 : Date.parse(paidAt))

/**
 * The same key for orders of one route whose bags travel or will travel. An order with another status, or with a refund on
 * its stub, has a key of its own.
 */
function wayKeyOf({
  orderId,
  status,
  type,
  paidAt,
  agentCode,
  centerCode,
  bookings,
  refund,
}: Grouped): string {
  const hasVoidBag = bookings.some(({ state }) => state === 'CANCELLED')
  const isKnown = paidAt !== undefined && agentCode !== undefined && centerCode !== undefined
  const isJoined = status === 'PAID' && isKnown && !hasVoidBag && refund === undefined
  return JSON.stringify(isJoined ? [type, agentCode, centerCode] : [orderId])
}

/** One bag of a journey, on the leg that the journey is about now. */
export interface JourneyBag<O> {
  readonly order: O
  readonly booking: Booking
  readonly isHandedIn: boolean
}

/** The bags of a journey: on the way there until all are handed in there, then on the way back. */
export function bagsOf<O extends Pick<Order, 'bookings'>>(journey: readonly O[]): readonly JourneyBag<O>[] {
  const legCount = Math.max(0, ...journey.map(({ bookings }) => bookings.length))
  const legs = Array.from({ length: legCount }, (_, leg) => bagsOnLeg(journey, leg))
  return legs.find((bags) => bags.some(({ isHandedIn }) => !isHandedIn)) ?? legs.at(-1) ?? []
}

function bagsOnLeg<O extends Pick<Order, 'bookings'>>(journey: readonly O[], leg: number) {
  return journey.flatMap((order) => {
    const booking = order.bookings[leg]
    return booking === undefined ? [] : [{ order, booking, isHandedIn: isHandedOver(booking.state) }]
  })
}

/** The bags whose barcode is needed next: those to be handed in; once all are handed in, those to be collected. */
export function bagsToShow<O>(bags: readonly JourneyBag<O>[]): readonly JourneyBag<O>[] {
  const toHandIn = bags.filter(({ isHandedIn }) => !isHandedIn)
  const next = toHandIn.length > 0 ? toHandIn : bags.filter(({ booking }) => booking.state === 'AT_BRANCH')
  return next.filter(({ booking }) => booking.awb !== null)
}
