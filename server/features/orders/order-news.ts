import type { Core } from '#server/core.ts'
import type { BagEvent } from '#server/features/history/bag-events.ts'
import { isForReceiver } from '#shared/messages/messages.rules.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import { isExpected, leftOwnerAt, reachedBranchAt } from '#shared/orders/travel.rules.ts'
import { type PromisedDays, presentPromisedDays, promisedDays } from '#shared/platform/promises.rules.ts'
import { type BookingRow, findBookings } from './bookings.queries.ts'
import { findPromises } from './kept-terms.ts'
import { findOrder, type OrderRow } from './orders.queries.ts'
import { endsAtBranch, isAwbAwaited } from './orders.rules.ts'
import { listEventsOf } from './travel.ts'

/** These facts for a message are read when the message is sent, not when its event happens. */
export interface OrderNews {
  readonly isPaid: boolean
  /** All airway bills of the order when the message is about the whole order. */
  readonly awbs: readonly string[]
  readonly awaitsAwb: boolean
  readonly place: Pick<Location, 'name' | 'address' | 'addressAR' | 'addressEN' | 'city'> | null
  readonly branchCode: string | null
  /** The receiver is null when the owner collects the bag. */
  readonly receiver: string | null
  readonly promised?: PromisedDays | undefined
}

const kindsWithDays: readonly MessageKind[] = [
  'paid',
  'label-issued',
  'documents',
  'handed-over',
  'at-branch',
  'receiver-at-branch',
  'late',
]

const isOfPayment = (kind: MessageKind) => kind === 'paid' || kind === 'label-issued' || kind === 'documents'

/** The message `handed-over` leaves the promised days out for a bag that has arrived or is delayed. */
const namesDays = (kind: MessageKind, { carriage }: BookingRow) =>
  kindsWithDays.includes(kind) && (kind !== 'handed-over' || carriage === 'received' || carriage === 'moving')

/** @returns undefined when the message is no longer true */
export async function readOrderNews(
  core: Core,
  kind: MessageKind,
  orderId: number,
  bookingId: number | null,
): Promise<OrderNews | undefined> {
  const [order, bookings, events] = await core.database.together(() =>
    Promise.all([
      findOrder(core, orderId),
      findBookings(core, [orderId]),
      bookingId === null ? [] : listEventsOf(core, bookingId),
    ]),
  )
  const own = bookings.filter(({ id }) => bookingId === null || id === bookingId)
  const [first] = own
  if (!order || !first || contradicts(kind, first, own)) return undefined
  // An order for both ways has exactly one leg that ends at a branch.
  const leg = own.find((each) => endsAtBranch(order.type, each.leg)) ?? first
  const promised = namesDays(kind, first) ? await readPromisedDays(core, order, leg, events) : undefined
  const isPaid = statusOf(order) === 'PAID'
  // A bag is no longer late after it arrived, is brought back, or its payment was returned.
  if (kind === 'late' && !(isPaid && isExpected(events) && promised?.dueOn)) return undefined
  const atBranch = endsAtBranch(order.type, first.leg)
  return {
    isPaid,
    awbs: own.flatMap(({ awb }) => awb ?? []),
    awaitsAwb: own.some(isAwbAwaited),
    place: isOfPayment(kind) ? originOf(own.find(isWithOwner)) : placeOf(kind, first, events, atBranch),
    branchCode: isWhereItIs(kind) && atBranch ? order.center_code : null,
    receiver: first.receiver_name,
    promised,
  }
}

/** True when the state of the bags has changed since the message was due, so that it would be wrong. */
function contradicts(kind: MessageKind, first: BookingRow, own: readonly BookingRow[]) {
  const isValid = own.some(({ carriage }) => carriage !== 'none' && carriage !== 'void')
  // No agent or branch takes a void bag.
  if (!isValid && (isForReceiver(kind) || isOfPayment(kind))) return true
  if (isWhereItIs(kind)) return first.carriage !== 'at-branch'
  return kind === 'exception' && first.carriage !== 'exception'
}

export async function readPromisedDays(
  core: Core,
  { id, type }: OrderRow,
  { leg, origin, destination }: BookingRow,
  events: readonly BagEvent[],
): Promise<PromisedDays | undefined> {
  const promises = await findPromises(core, id)
  if (!promises) return undefined
  const endsThere = endsAtBranch(type, leg)
  const branch = JSON.parse(endsThere ? destination : origin) as Location
  const way = {
    city: branch.city,
    endsAtBranch: endsThere,
    handedOverAt: leftOwnerAt(events),
    arrivedAt: reachedBranchAt(events),
  }
  return presentPromisedDays(promisedDays(promises, way), core.clock.now())
}

const isWhereItIs = (kind: MessageKind) => kind === 'at-branch' || kind === 'receiver-at-branch'

const isWithOwner = ({ carriage }: BookingRow) => carriage === 'awaiting-label' || carriage === 'ready'

const originOf = (booking: BookingRow | undefined) =>
  booking === undefined ? null : (JSON.parse(booking.origin) as Location)

function placeOf(
  kind: MessageKind,
  booking: BookingRow,
  events: readonly BagEvent[],
  atBranch: boolean,
): OrderNews['place'] {
  if (isWhereItIs(kind) || kind === 'receiver-named') return JSON.parse(booking.destination) as Location
  if (kind === 'handed-over') {
    const taken = events.findLast(({ source, kind }) => source === 'agent' && kind === 'handed-over')
    if (taken) return taken.place === null ? null : { name: taken.place }
    return cityOf(events.find(({ source, place }) => source === 'courier' && place !== null))
  }
  if (kind !== 'collected') return null
  const city = cityOf(events.findLast((event) => event.kind === 'collected'))
  if (atBranch) return city
  const { name } = JSON.parse(booking.destination) as Location
  return { ...city, ...(name !== undefined && { name }) }
}

const cityOf = (event: BagEvent | undefined) =>
  event?.place === undefined || event.place === null ? null : { city: event.place }
