import type { TravelState } from './travel.schemas.ts'

export function isHandedOver(state: TravelState | null): boolean {
  return state !== null && state !== 'AWAITING_LABEL' && state !== 'READY' && state !== 'CANCELLED'
}

/** True while the bag is neither with its owner nor at the branch. Only then are missing scans a problem. */
export function isMoving(state: TravelState | null): boolean {
  return state === 'HANDED_OVER' || state === 'IN_TRANSIT' || state === 'EXCEPTION'
}
