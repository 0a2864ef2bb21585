import type { BagEvent } from '#server/features/history/bag-events.ts'
import { agentContactDays } from '#shared/orders/agent-contacts.rules.ts'
import { isCarried } from '#shared/orders/travel.rules.ts'
import type { BookingRow } from './bookings.queries.ts'
import type { OrderRow } from './orders.queries.ts'

const day = 24 * 60 * 60_000

type Bag = Pick<BookingRow, 'id' | 'carriage' | 'last_event_at'>

/** `uncertain`: the caller must read the events of these bags to decide (`isReceivedLately`). */
export function contactsOf(
  { paid_at }: Pick<OrderRow, 'paid_at'>,
  bags: readonly Bag[],
  now: number,
): { readonly isShown: boolean; readonly uncertain: readonly number[] } {
  const shown = { isShown: true, uncertain: [] }
  const hidden = { isShown: false, uncertain: [] }
  if (paid_at === null) return hidden
  const isPaidLately = paid_at > now - agentContactDays.waiting * day
  const isToHandOver = bags.some(({ carriage }) => carriage === 'awaiting-label' || carriage === 'ready')
  if (isPaidLately && isToHandOver) return shown
  const since = now - agentContactDays.received * day
  const moved = bags.filter(
    ({ carriage, last_event_at }) => isCarried(carriage) && (last_event_at ?? 0) > since,
  )
  if (moved.length > 0 && paid_at > since) return shown
  return { isShown: false, uncertain: moved.map(({ id }) => id) }
}

/** Uses the times at which events were recorded, because the times inside scans can be wrong. */
export function isReceivedLately(
  events: readonly Pick<BagEvent, 'kind' | 'source' | 'recordedAt'>[],
  now: number,
): boolean {
  const taken =
    events.findLast(({ kind, source }) => source === 'agent' && kind === 'handed-over') ??
    events.find(({ kind, source }) => source === 'courier' && kind !== 'unknown' && kind !== 'cancelled')
  return taken !== undefined && taken.recordedAt > now - agentContactDays.received * day
}
