import type { BagEvent } from '#server/features/history/bag-events.ts'
import { daysMs } from '#server/platform/batches.ts'
import { plausibleTime } from '#server/platform/reported-time.ts'
import { handoverPhotoHours, undoMinutes } from '#shared/orders/handovers.operations.ts'
import { isHandover } from '#shared/orders/travel.rules.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { oneLine, readableForms } from '#shared/platform/typed-text.ts'

interface DeviceTimes {
  /** The time of the hand-over in epoch milliseconds, by the clock of the device. */
  readonly receivedAt: number | undefined
  readonly sentAt: number | undefined
}

/**
 * Returns the time of the hand-over by the server's clock. A device may be offline for hours, and its clock may be
 * wrong. The difference between its two times is still right, and the request takes little time.
 */
export function correctedTime({ receivedAt, sentAt }: DeviceTimes, now: number, paidAt: number): number {
  if (receivedAt === undefined) return now
  const difference = sentAt === undefined ? 0 : now - sentAt
  return plausibleTime(receivedAt + difference, { from: paidAt, to: now }).at
}

const undosPerBag = 20

/** The maximum of refusals of a bag. A real bag has far fewer. */
export const refusalsPerBag = 20

/** Returns the note on one line, without characters that hide or reorder text; null when it has no letter or digit. */
export function noteOf(typed: string | undefined): string | null {
  const note = oneLine(typed ?? '')
  return readableForms['letters-or-digits'](note) ? note : null
}

/** Scans of these kinds do not prove that the courier has the bag. */
const remote: readonly string[] = ['unknown', 'cancelled']

/**
 * `none`: the agent never received the bag. `undone`: the hand-over is undone already, and the response may have been
 * lost. `finalAt`: from this time on (epoch milliseconds) the hand-over cannot be undone.
 * @param events the events of the booking in the order of recording
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

const photoMs = handoverPhotoHours * 60 * 60_000

/**
 * `none`: the agent did not receive the bag, or undid it.
 * @param events the events of the booking in the order of recording
 */
export function photoOf(
  events: readonly Pick<BagEvent, 'kind' | 'source' | 'at' | 'recordedAt'>[],
  now: number,
):
  | { readonly outcome: 'none' }
  | { readonly outcome: 'too-late' }
  | { readonly outcome: 'store'; readonly takenAt: number } {
  const last = events.findLast(isHandover)
  if (last?.kind !== 'handed-over') return { outcome: 'none' }
  if (now >= last.recordedAt + photoMs) return { outcome: 'too-late' }
  return { outcome: 'store', takenAt: last.at }
}

/** Returns when the picture of a hand-over is deleted, in epoch milliseconds. */
export const photoEndOf = (storedAt: number, collectedAt: number | undefined): number =>
  collectedAt === undefined
    ? storedAt + daysMs(retentionDays.uncollectedPhotos)
    : collectedAt + daysMs(retentionDays.handoverPhotos)
