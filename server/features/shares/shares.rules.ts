import type { Booking } from '#shared/orders/orders.schemas.ts'
import { type SharedBooking, shareEndsAfterDays } from '#shared/shares/shares.schemas.ts'

const dayMs = 24 * 60 * 60_000

/**
 * What a shared link shows of a booking: state, times and cities. The place of a hand-over is an agent's name and the
 * courier's own text may hold anything, so the city of the origin and nothing stand for them.
 */
export function sharedBookingOf({ state, events, origin, destination }: Booking): SharedBooking {
  const cities = new Set([origin.city, destination.city])
  const placeOf = (event: Booking['events'][number]) => {
    if (event.source === 'agent') return origin.city
    // The courier names cities; what is not a city of the route is shown only as plain words.
    return event.place !== undefined && (cities.has(event.place) || isCityLike(event.place))
      ? event.place
      : undefined
  }
  // That a bag was not accepted is between its owner and the agent.
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
  }
}

/** Words without digits: no number of a person, parcel or street. */
const isCityLike = (place: string) => place.length <= 40 && !/\p{Nd}/u.test(place)

/** True once every bag was collected, the last one `shareEndsAfterDays` ago or earlier. */
export function isOver(bookings: readonly Pick<Booking, 'state' | 'lastEventAt' | 'events'>[], now: number) {
  if (bookings.length === 0 || bookings.some(({ state }) => state !== 'COLLECTED')) return false
  const collected = bookings.flatMap(({ events }) =>
    events.filter(({ kind }) => kind === 'collected').map(({ at }) => Date.parse(at)),
  )
  return now - Math.max(...collected) >= shareEndsAfterDays * dayMs
}
