import type { TravelState } from './travel.schemas.ts'

export function isHandedOver(state: TravelState | null): boolean {
  return state !== null && state !== 'AWAITING_LABEL' && state !== 'READY' && state !== 'CANCELLED'
}

/** Bags whose silence is a problem: neither with their owner nor waiting at the branch. */
export function isMoving(state: TravelState | null): boolean {
  return state === 'HANDED_OVER' || state === 'IN_TRANSIT' || state === 'EXCEPTION'
}
