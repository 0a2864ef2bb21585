import type { TravelState } from './travel.schemas.ts'

/** True when the bag has left its owner's hands. */
export function isHandedOver(state: TravelState | null): boolean {
  return state !== null && state !== 'AWAITING_LABEL' && state !== 'READY' && state !== 'CANCELLED'
}

/** Bags that silence is a worry for: neither with their owner nor waiting at the branch. */
export function isMoving(state: TravelState | null): boolean {
  return state === 'HANDED_OVER' || state === 'IN_TRANSIT' || state === 'EXCEPTION'
}
