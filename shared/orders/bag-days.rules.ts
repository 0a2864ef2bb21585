import { type Day, isLate, promisedDays, unlessPast } from '#shared/platform/promises.rules.ts'
import type { DaySpan, Promises } from '#shared/platform/promises.schemas.ts'
import { arrivedAt, handedOverAt, isExpectedBag } from './bag-times.rules.ts'
import { type Leg, legsOf } from './orders.rules.ts'
import type { Booking, Order } from './orders.schemas.ts'
import { isMoving } from './travel-states.rules.ts'

/** A day of a bag is absent when nothing is promised for the bag's present state. */
export interface BagDays {
  readonly transit?: DaySpan | undefined
  readonly handInUntil?: Day | undefined
  readonly arrives?: readonly [Day, Day] | undefined
  readonly keptUntil?: Day | undefined
  readonly wasDue?: Day | undefined
}

type Bag = Pick<Booking, 'state' | 'events' | 'origin' | 'destination'>

export function daysOfBags(
  { promises, type, bookings }: Pick<Order, 'promises' | 'type'> & { readonly bookings: readonly Bag[] },
  now: number,
): BagDays[] {
  const legs = legsOf(type)
  return bookings.map((bag, index) => {
    const leg = legs[index]
    return promises === undefined || leg === undefined ? {} : daysOfBag(promises, leg, bag, now)
  })
}

export function presentDays(days: BagDays, now: number): BagDays {
  const { handInUntil, keptUntil } = days
  return { ...days, handInUntil: unlessPast(handInUntil, now), keptUntil: unlessPast(keptUntil, now) }
}

function daysOfBag(promises: Promises, leg: Leg, bag: Bag, now: number): BagDays {
  const { state, origin, destination } = bag
  const handedOver = handedOverAt(bag)
  const { transit, handInUntil, arrival, keptUntil, dueOn } = promisedDays(promises, {
    city: (leg.from === 'agent' ? destination : origin).city,
    endsAtBranch: leg.to === 'center',
    handedOverAt: handedOver,
    arrivedAt: arrivedAt(bag),
  })
  if (isMoving(state))
    return {
      arrives: state === 'EXCEPTION' ? undefined : arrival,
      wasDue:
        isExpectedBag(bag) && handedOver !== undefined && isLate(promises, handedOver, now)
          ? dueOn
          : undefined,
    }
  const isWithOwner = state === 'READY' || state === 'AWAITING_LABEL'
  // Branches accept bags on any day, agents only until `handInUntil`.
  return isWithOwner
    ? { transit, handInUntil: leg.from === 'agent' ? handInUntil : undefined }
    : { keptUntil }
}
