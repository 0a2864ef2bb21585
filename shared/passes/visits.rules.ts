import type { Leg } from '#shared/orders/orders.rules.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { openingOf } from '#shared/partner/hours.rules.ts'
import type { BranchHours } from '#shared/partner/partner.schemas.ts'

export interface Visit {
  readonly purpose: 'hand-over' | 'collection'
  readonly from: number
  readonly to: number
}

/** Only a visit to a branch has a known time: the courier names no dates, and agents have no opening hours. */
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

const visitMs = 60 * 60_000

interface OpeningHours {
  readonly from: number
  readonly to: number
}

/** Skips an opening of a branch that ends within an hour. */
function nextOpeningOf(hours: BranchHours | undefined, now: number): OpeningHours | undefined {
  const opening = openingOf(hours, now)
  if (opening?.state === 'closed') return openingFrom(hours, opening.opensAt)
  if (opening?.state !== 'open' || opening.until === undefined) return undefined
  if (opening.until - now >= visitMs) return { from: now, to: opening.until }
  const next = openingOf(hours, opening.until)
  return next?.state === 'closed' ? openingFrom(hours, next.opensAt) : undefined
}

function openingFrom(hours: BranchHours | undefined, from: number): OpeningHours | undefined {
  const opening = openingOf(hours, from)
  return opening?.state === 'open' && opening.until !== undefined ? { from, to: opening.until } : undefined
}
