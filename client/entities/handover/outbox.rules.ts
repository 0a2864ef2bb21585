import type { CallProblem } from '#client/platform/call.ts'
import { type RefusalReason, undoMinutes } from '#shared/orders/handovers.operations.ts'

/** A report of the agent about a bag that is not a hand-over. */
export type Report =
  | { readonly kind: 'not-accepted'; readonly reason: RefusalReason; readonly text?: string }
  /** A scan of a void bag, which agents must not accept: the server stores the scan. */
  | { readonly kind: 'void' }

/** A confirmation of the agent, from the tap until its undo window has passed or its refusal was read. */
export interface OutboxEntry {
  /** A UUID: the Idempotency-Key of every request to record it. */
  readonly id: string
  readonly agentId: number
  readonly awb: string
  /** Absent: the agent has taken the bag. */
  readonly report?: Report
  /** Epoch milliseconds by the device's clock, which may be wrong: the server corrects it by `sentAt`. */
  readonly receivedAt: number
  /** A request may have been sent: its outcome is unknown until one is answered. */
  readonly wasTried: boolean
  /** When the server had recorded it, by the device's clock; null before. */
  readonly recordedAt: number | null
  readonly isUndone: boolean
  /** A final answer of the server against it; shown until it is dismissed. */
  readonly refusal: Refusal | null
  /** A small copy of the bag's picture, as a data URL, for the bar that offers the undo. */
  readonly preview?: string
  /** The picture itself is stored on this device (outbox.store.ts), and the server has not answered that it has it. */
  readonly hasUnsentPhoto?: true
}

export interface Refusal {
  readonly step: 'record' | 'undo'
  readonly code: string
  /** The server's, in the language of the request: for codes without a text of ours. */
  readonly message: string
}

/** How long the server accepts an undo, counted from recording. */
export const undoWindowMs = undoMinutes * 60_000

export function newEntry(
  facts: Pick<OutboxEntry, 'id' | 'agentId' | 'awb' | 'receivedAt' | 'report' | 'preview' | 'hasUnsentPhoto'>,
): OutboxEntry {
  return { ...facts, wasTried: false, recordedAt: null, isUndone: false, refusal: null }
}

/** The next step for an entry. `drop`: it was undone before anything was sent. */
export type Step = 'record' | 'undo' | 'drop' | 'rest'

export function nextStep({ recordedAt, wasTried, isUndone, refusal }: OutboxEntry): Step {
  if (refusal !== null) return 'rest'
  if (!isUndone) return recordedAt === null ? 'record' : 'rest'
  if (recordedAt !== null) return 'undo'
  // A request whose answer was lost may have been recorded: it is repeated with the same key, and then undone.
  return wasTried ? 'record' : 'drop'
}

/** True when the picture can be sent: the server knows the hand-over that it belongs to. */
export function isPhotoDue(entry: OutboxEntry): boolean {
  return entry.hasUnsentPhoto === true && entry.recordedAt !== null && nextStep(entry) === 'rest'
}

/** The entry whose step is next, the oldest first: no picture holds a decision up. */
export function firstDue(entries: readonly OutboxEntry[], areHeld: boolean): OutboxEntry | undefined {
  const oldestFirst = entries.toSorted((a, b) => a.receivedAt - b.receivedAt)
  return (
    oldestFirst.find((entry) => nextStep(entry) !== 'rest') ??
    (areHeld ? undefined : oldestFirst.find(isPhotoDue))
  )
}

export function withoutPhoto({ preview: _, hasUnsentPhoto: __, ...entry }: OutboxEntry): OutboxEntry {
  return entry
}

/** The server has the picture: the small copy is left, until the undo window has passed. */
export function withSentPhoto({ hasUnsentPhoto: _, ...entry }: OutboxEntry): OutboxEntry {
  return entry
}

/** True for an entry that the agent sees: a scan that the page refused was seen when it was refused. */
const isShown = ({ report }: OutboxEntry) => report?.kind !== 'void'

/** True for an entry that has not reached the server, and whose agent would miss it. */
export function isWaiting(entry: OutboxEntry): boolean {
  return isShown(entry) && nextStep(entry) !== 'rest'
}

/** True for a bag that the agent has taken, not for one that was only reported. */
export const isHandover = ({ report }: OutboxEntry): boolean => report === undefined

/** True while the server has not answered that it recorded the entry. */
export function isUnsent(entry: OutboxEntry): boolean {
  return nextStep(entry) === 'record' && !entry.isUndone
}

/** True while the bag is confirmed on this device and the server has not answered. */
export function isToBeRecorded(entry: OutboxEntry): boolean {
  return isHandover(entry) && isUnsent(entry)
}

/** The rest of the undo window. Never more than the whole window, even if the device's clock was changed. */
export function undoLeftMs(recordedAt: number, now: number): number {
  return Math.min(undoWindowMs, Math.max(0, recordedAt + undoWindowMs - now))
}

/** Whole seconds left of the undo window of an entry; undefined before it has begun. */
export function secondsToUndo({ recordedAt }: OutboxEntry, now: number): number | undefined {
  return recordedAt === null ? undefined : Math.ceil(undoLeftMs(recordedAt, now) / 1_000)
}

/** The time after which no entry can be undone, in epoch milliseconds. */
export function undoEnd(entries: readonly OutboxEntry[]): number {
  return Math.max(
    0,
    ...entries.map(({ recordedAt }) => (recordedAt === null ? 0 : recordedAt + undoWindowMs)),
  )
}

/** True when nothing is left to do or to show. */
export function isOver(entry: OutboxEntry, now: number): boolean {
  const { recordedAt, isUndone, refusal } = entry
  const isDone = recordedAt !== null && !isUndone && refusal === null && !isPhotoDue(entry)
  return isDone && undoLeftMs(recordedAt, now) === 0
}

/** Milliseconds until the first of the small pictures must go; undefined without one. */
export function previewLeftMs(entries: readonly OutboxEntry[], now: number): number | undefined {
  const left = entries.flatMap((entry) =>
    entry.preview !== undefined && entry.recordedAt !== null && !isPhotoDue(entry)
      ? [undoLeftMs(entry.recordedAt, now)]
      : [],
  )
  return left.length === 0 ? undefined : Math.min(...left)
}

/** The newest confirmation of a bag that has a step to do or a result to show. */
export function entryShownOf(
  entries: readonly OutboxEntry[],
  awb: string,
  now: number,
): OutboxEntry | undefined {
  return entries
    .filter((entry) => entry.awb === awb && isHandover(entry) && !isOver(entry, now))
    .toSorted((a, b) => b.receivedAt - a.receivedAt)[0]
}

/** The entries that the agent sees, in groups, newest first. */
export function groupsOf(entries: readonly OutboxEntry[]) {
  const newestFirst = entries.filter(isShown).toSorted((a, b) => b.receivedAt - a.receivedAt)
  return {
    waiting: newestFirst.filter(isWaiting),
    refused: newestFirst.filter(({ refusal }) => refusal !== null),
    recorded: newestFirst.filter((entry) => nextStep(entry) === 'rest' && entry.refusal === null),
  }
}

/** The entry after the server has refused a step for good; undefined when the entry is deleted. */
export function afterRefusal(entry: OutboxEntry, refusal: Refusal): OutboxEntry | undefined {
  if (refusal.step === 'undo') {
    // There is no hand-over to undo: an earlier undo whose answer was lost has taken effect.
    return refusal.code === 'ORDER_NOT_FOUND' ? undefined : { ...entry, isUndone: false, refusal }
  }
  // It was undone, and nothing was recorded; or the server has refused the scan, as the page did.
  return entry.isUndone || entry.report?.kind === 'void' ? undefined : { ...withoutPhoto(entry), refusal }
}

/** Answers that may differ on another try: a session that ended, a limit, a proxy's page, a release under way. */
const passingStatuses: readonly number[] = [401, 403, 408, 425, 429]
const passingCodes: readonly string[] = ['UNEXPECTED', 'NOT_FOUND']

/** True when the server has refused, and another try would be refused too. */
export function isFinal({ status, code }: Pick<CallProblem, 'status' | 'code'>): boolean {
  if (passingCodes.includes(code) || passingStatuses.includes(status)) return false
  return status >= 400 && status < 500
}

/** True when the server will never take the picture: the hand-over is another one, or gone, or too old, or the file is refused. */
export function isPhotoRefused(problem: Pick<CallProblem, 'status' | 'code'>): boolean {
  return problem.status === 404 || isFinal(problem)
}
