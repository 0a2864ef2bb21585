import type { Leg } from '#shared/orders/orders.rules.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { nextOpeningOf } from '#shared/partner/hours.rules.ts'
import type { BranchHours } from '#shared/partner/partner.schemas.ts'

/** When the owner of a bag can next do something with it at a branch. Times are epoch milliseconds. */
export interface Visit {
  readonly purpose: 'hand-over' | 'collection'
  readonly from: number
  readonly to: number
}

/**
 * No date of a journey is known beforehand: the courier names none, and agents have no hours. What is known is when a
 * branch opens that the owner can go to now. `hours`: of the branch of the order.
 */
export function visitOf(
  state: TravelState | null,
  leg: Leg,
  hours: BranchHours | undefined,
  now: number,
): Visit | undefined {
  const purpose =
    state === 'READY' && leg.from === 'center'
      ? 'hand-over'
      : state === 'AT_BRANCH' && leg.to === 'center'
        ? 'collection'
        : undefined
  const opening = purpose && nextOpeningOf(hours, now)
  return purpose && opening && { purpose, ...opening }
}
