import type { BagEvent } from '#server/features/history/bag-events.ts'
import { plausibleTime } from '#server/platform/reported-time.ts'
import { undoMinutes } from '#shared/orders/handovers.operations.ts'
import { isHandover } from '#shared/orders/travel.rules.ts'
import { oneLine, readableForms } from '#shared/platform/typed-text.ts'

interface DeviceTimes {
  /** Epoch milliseconds by the clock of the device. */
  readonly receivedAt: number | undefined
  readonly sentAt: number | undefined
}

/**
 * The time is by the clock of the server. A device may be off line for hours and its clock wrong by any amount: the
 * time between taking and sending is right, and the time between sending and receiving is short.
 */
export function correctedTime({ receivedAt, sentAt }: DeviceTimes, now: number, paidAt: number): number {
  if (receivedAt === undefined) return now
  const difference = sentAt === undefined ? 0 : now - sentAt
  return plausibleTime(receivedAt + difference, { from: paidAt, to: now }).at
}

const undosPerBag = 20

/** No bag has nearly as many refusals. */
export const refusalsPerBag = 20

/** The note stands on one line, without characters that reorder or hide what its reader sees. Null without any word. */
export function noteOf(typed: string | undefined): string | null {
  const note = oneLine(typed ?? '')
  return readableForms['letters-or-digits'](note) ? note : null
}

/** These kinds prove no contact with the bag. */
const remote: readonly string[] = ['unknown', 'cancelled']

/**
 * `none`: the agent never took the bag. `undone`: the answer of an earlier undo may have been lost. `finalAt`: from
 * then on it is too late.
 * @param events of the booking in the order of recording
 */
export function undoOf(
  events: readonly Pick<BagEvent, 'id' | 'kind' | 'source' | 'recordedAt'>[],
  now: number,
):
  | { readonly outcome: 'none' | 'undone' | 'too-late' }
  | { readonly outcome: 'undo'; readonly eventId: number; readonly finalAt: number } {
  const last = events.findLast(isHandover)
  if (!last) return { outcome: 'none' }
  if (last.kind !== 'handed-over') return { outcome: 'undone' }
  const hasScan = events.some(({ source, kind }) => source === 'courier' && !remote.includes(kind))
  const finalAt = last.recordedAt + undoMinutes * 60_000 + 1
  const isUsedUp = events.filter(({ kind }) => kind === 'hand-over-undone').length >= undosPerBag
  const isTooLate = hasScan || now >= finalAt || isUsedUp
  return isTooLate ? { outcome: 'too-late' } : { outcome: 'undo', eventId: last.id, finalAt }
}
