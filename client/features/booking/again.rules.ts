import { legsOf } from '#shared/orders/orders.rules.ts'
import type { BookingType, Order } from '#shared/orders/orders.schemas.ts'
import type { Stop } from '#shared/platform/stop.ts'
import type { Sale } from '#shared/stops/stops.rules.ts'
import {
  type AgainSource,
  type BookingDraft,
  cityFieldOf,
  emptyDraft,
  withoutWithdrawn,
} from './booking.rules.ts'

/** Reasons why the route of an order cannot be booked again unchanged; each has a sentence in the booking catalogue. */
export const againProblems = [
  /** The order does not exist, or belongs to another user. */
  'unknown',
  /** The order names no agent or no branch. */
  'incomplete',
  'type',
  'agentGone',
  'branchGone',
  'agentStopped',
  'branchStopped',
  'cityStopped',
  'allStopped',
] as const
export type AgainProblem = (typeof againProblems)[number]

/** The agents and branches that can be booked now. */
interface Offer {
  readonly enabledTypes: readonly BookingType[]
  readonly centers: readonly { readonly code: string; readonly city: string }[]
  readonly agents: readonly { readonly id: string }[]
  readonly stopOf: (sale: Sale) => Stop | undefined
}

type Travelled = Pick<Order, 'type' | 'agentCode' | 'centerCode' | 'bookings'>

interface Way {
  /** The draft holds only choices that can be booked. */
  readonly draft: BookingDraft
  /** Empty when the draft is complete. */
  readonly problems: readonly AgainProblem[]
}

/** The route of an order, as a draft for another bag. */
export function wayOf(order: Travelled, offer: Offer): Way {
  const isOffered = offer.enabledTypes.includes(order.type)
  const type = isOffered ? order.type : (offer.enabledTypes[0] ?? order.type)
  const typeProblems: readonly AgainProblem[] = isOffered ? [] : ['type']
  const center = offer.centers.find(({ code }) => code === order.centerCode)
  const city = center?.city ?? branchCityOf(order) ?? null
  const draft: BookingDraft = {
    ...emptyDraft(type),
    [cityFieldOf(type)]: city,
    centerCode: order.centerCode ?? null,
    agentCode: order.agentCode ?? null,
  }
  if (offer.stopOf({})) return { draft, problems: ['allStopped', ...typeProblems] }
  const agent = agentProblem(order, offer)
  const branch = branchProblem(order, city, offer)
  const sold: BookingDraft = {
    ...draft,
    [cityFieldOf(type)]: branch === 'cityStopped' ? null : city,
    centerCode: branch === undefined ? draft.centerCode : null,
    agentCode: agent === undefined ? draft.agentCode : null,
  }
  const problems = new Set([...typeProblems, agent, branch].filter((problem) => problem !== undefined))
  return { draft: withoutWithdrawn(sold, offer), problems: [...problems] }
}

/** The city of the branch, as the order names it: the branch itself may have been closed. */
function branchCityOf({ type, bookings }: Travelled): string | undefined {
  const [leg] = legsOf(type)
  const [booking] = bookings
  return leg?.from === 'center' ? booking?.origin.city : booking?.destination.city
}

function agentProblem({ agentCode }: Travelled, { agents, stopOf }: Offer): AgainProblem | undefined {
  if (agentCode === undefined) return 'incomplete'
  if (!agents.some(({ id }) => id === agentCode)) return 'agentGone'
  return stopOf({ agent: agentCode }) && 'agentStopped'
}

function branchProblem(
  { centerCode }: Travelled,
  city: string | null,
  { centers, stopOf }: Offer,
): AgainProblem | undefined {
  if (stopOf({ city })) return 'cityStopped'
  if (centerCode === undefined) return 'incomplete'
  if (!centers.some(({ code }) => code === centerCode)) return 'branchGone'
  return stopOf({ branch: centerCode }) && 'branchStopped'
}

interface ReadOrder {
  readonly order: Order
  /** Present when the server could not be asked: a kept order lacks the receiver's number. */
  readonly knownAt?: number | undefined
}

/** The facts that a booking for another bag takes over from the order, if the user wants that. */
export function againSourceOf({ order, knownAt }: ReadOrder): AgainSource {
  const { orderId, receiver, secondPhone, bookings } = order
  if (receiver === undefined) return { orderId, printedName: bookings[0]?.receiver }
  const named = { receiver, ...(secondPhone !== undefined && { secondPhone }) }
  return { orderId, ...(knownAt === undefined && { receiver: named }) }
}
