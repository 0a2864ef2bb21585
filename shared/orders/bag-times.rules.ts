import type { Booking } from './orders.schemas.ts'
import { isExpected, leftOwnerAt, reachedBranchAt } from './travel.rules.ts'
import { isHandedOver } from './travel-states.rules.ts'

type Bag = Pick<Booking, 'state' | 'events'>

const timed = (events: Bag['events']) => events.map((event) => ({ ...event, at: Date.parse(event.at) }))

/** When the bag left its owner's hands, as far as is known, in epoch milliseconds. */
export const handedOverAt = ({ state, events }: Bag): number | undefined =>
  isHandedOver(state) ? leftOwnerAt(timed(events)) : undefined

/** When a bag that waits at its branch arrived there, in epoch milliseconds. */
export const arrivedAt = ({ state, events }: Bag): number | undefined =>
  state === 'AT_BRANCH' ? reachedBranchAt(timed(events)) : undefined

/** Whether a bag is still on its way to its branch. */
export const isExpectedBag = ({ events }: Pick<Bag, 'events'>): boolean => isExpected(timed(events))
