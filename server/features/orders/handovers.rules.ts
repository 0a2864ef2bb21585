import type { BagEvent } from '#server/features/history/bag-events.ts'
import { daysMs } from '#server/platform/batches.ts'
import { plausibleTime } from '#server/platform/reported-time.ts'
import { handoverPhotoHours, undoMinutes } from '#shared/orders/handovers.operations.ts'
import { isHandover } from '#shared/orders/travel.rules.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { oneLine, readableForms } from '#shared/platform/typed-text.ts'

interface DeviceTimes {
  /** Epoch milliseconds by the clock of the device. */
  readonly receivedAt: number | undefined
  readonly sentAt: number | undefined
}

/**
 * Returns the time by the server's clock: `sentAt` minus `receivedAt` is right even when the device's clock is wrong.
 */
export function correctedTime({ receivedAt, sentAt }: DeviceTimes, now: number, paidAt: number): number {
  if (receivedAt === undefined) return now
  const difference = sentAt === undefined ? 0 : now - sentAt
  return plausibleTime(receivedAt + difference, { from: paidAt, to: now }).at
}

const undosPerBag = 20

export const refusalsPerBag = 20

/** Puts the note on one line. Null when it has no letter or digit. */
export function noteOf(typed: string | undefined): string | null {
  const note = oneLine(typed ?? '')
  return readableForms['letters-or-digits'](note) ? note : null
}

/** Courier scans of these kinds do not prove that the courier has the bag. */
const remote: readonly string[] = ['unknown', 'cancelled']

/**
 * `undone`: the agent repeats the request because our response was lost. `finalAt`: epoch milliseconds, from which the
 * hand-over cannot be undone.
 * @param events in the order in which they were recorded
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

export const photoEndOf = (storedAt: number, collectedAt: number | undefined): number =>
  collectedAt === undefined
    ? storedAt + daysMs(retentionDays.uncollectedPhotos)
    : collectedAt + daysMs(retentionDays.handoverPhotos)
