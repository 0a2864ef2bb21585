import type { Booking } from '#shared/orders/orders.schemas.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'

/** Bags in other hands than their owner's and not yet at the branch: only their silence is a worry. */
const movingStates: ReadonlySet<TravelState | null> = new Set(['HANDED_OVER', 'IN_TRANSIT', 'EXCEPTION'])

const hourMs = 60 * 60_000

/**
 * Whole hours since the last event of a bag on its way; undefined while that is less than `silenceHours`, which the
 * gateway's configuration says.
 */
export function hoursOfSilence(
  { state, lastEventAt }: Pick<Booking, 'state' | 'lastEventAt'>,
  silenceHours: number,
  now: number,
): number | undefined {
  if (!movingStates.has(state) || lastEventAt === null) return undefined
  const hours = Math.floor((now - Date.parse(lastEventAt)) / hourMs)
  return hours >= silenceHours ? hours : undefined
}
