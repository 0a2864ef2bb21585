import type { BagDays } from '#shared/orders/bag-days.rules.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { shareEndsAfterDays, shareEndsAfterQuietDays } from '#shared/shares/shares.operations.ts'
import type { SharedBooking } from '#shared/shares/shares.schemas.ts'

const dayMs = 24 * 60 * 60_000

/** A shared page must show neither the courier's text nor the place of a hand-over, which is an agent's name. */
export function sharedBookingOf(
  { state, events, origin, destination }: Booking,
  { arrives, keptUntil }: BagDays,
): SharedBooking {
  const cities = new Set([origin.city, destination.city])
  const placeOf = (event: Booking['events'][number]) => {
    if (event.source === 'agent') return origin.city
    return event.place !== undefined && (cities.has(event.place) || isCityLike(event.place))
      ? event.place
      : undefined
  }
  // Only the owner and the agent see that a bag was not accepted.
  const shown = events.filter(({ kind }) => kind !== 'not-accepted')
  return {
    state,
    lastEventAt: shown.at(-1)?.at ?? null,
    events: shown.map((event) => {
      const place = placeOf(event)
      return {
        kind: event.kind,
        at: event.at,
        source: event.source,
        ...(place === undefined ? {} : { place }),
      }
    }),
    origin: origin.city === undefined ? {} : { city: origin.city },
    destination: destination.city === undefined ? {} : { city: destination.city },
    ...(arrives && { arrives: { first: arrives[0], last: arrives[1] } }),
    ...(keptUntil !== undefined && { keptUntil }),
  }
}

const isCityLike = (place: string) => place.length <= 40 && !/\p{Nd}/u.test(place)

export function endOfLink({ creationDate, bookings }: Pick<Order, 'creationDate' | 'bookings'>): number {
  if (bookings.length === 0) return Number.POSITIVE_INFINITY
  return Math.max(...bookings.map((booking) => endOf(booking, creationDate)))
}

export const hasLinkEnded = (order: Pick<Order, 'creationDate' | 'bookings'>, now: number): boolean =>
  now >= endOfLink(order)

function endOf(
  { state, lastEventAt, events }: Pick<Booking, 'state' | 'lastEventAt' | 'events'>,
  creationDate: string,
) {
  const isWaiting = state === null || state === 'AWAITING_LABEL' || state === 'READY'
  if (isWaiting) return Number.POSITIVE_INFINITY
  if (state === 'COLLECTED') {
    const collected = events.filter(({ kind }) => kind === 'collected').map(({ at }) => Date.parse(at))
    return Math.max(...collected) + shareEndsAfterDays * dayMs
  }
  // The courier can still scan a bag after the cancellation, so the link's end is counted from the cancellation.
  const cancellation =
    state === 'CANCELLED'
      ? events.find(({ kind, source }) => kind === 'cancelled' && source === 'system')
      : undefined
  const lastAt = cancellation?.at ?? lastEventAt ?? creationDate
  return Date.parse(lastAt) + shareEndsAfterQuietDays * dayMs
}
