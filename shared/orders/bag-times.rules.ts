import type { Booking } from './orders.schemas.ts'
import { isExpected, leftOwnerAt, reachedBranchAt } from './travel.rules.ts'
import { isHandedOver } from './travel-states.rules.ts'

type Bag = Pick<Booking, 'state' | 'events'>

const timed = (events: Bag['events']) => events.map((event) => ({ ...event, at: Date.parse(event.at) }))

export const handedOverAt = ({ state, events }: Bag): number | undefined =>
  isHandedOver(state) ? leftOwnerAt(timed(events)) : undefined

export const arrivedAt = ({ state, events }: Bag): number | undefined =>
  state === 'AT_BRANCH' ? reachedBranchAt(timed(events)) : undefined

export const isExpectedBag = ({ events }: Pick<Bag, 'events'>): boolean => isExpected(timed(events))
