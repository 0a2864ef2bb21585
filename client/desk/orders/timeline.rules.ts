import { dayInRiyadh } from '#client/platform/dates.ts'
import { claimNumber } from '#shared/claims/claims.operations.ts'
import type { DeskOrder, TimelineLine } from '#shared/desk/orders/desk-orders.schemas.ts'
import { labelHelpAfterMs } from '#shared/desk/work/work.operations.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { refundHelpAfterMs } from '#shared/payments/payments.rules.ts'
import type { DeskIconName } from '../desk-icon.tsx'
import type { Tone } from '../mark.tsx'

/** The filters of a timeline. Each line belongs to exactly one of them. */
export const timelineParts = ['bag', 'money', 'messages', 'desk'] as const
export type TimelinePart = (typeof timelineParts)[number]

interface Look {
  part: TimelinePart
  icon: DeskIconName
  tone: Tone
}

const look = (part: TimelinePart, icon: DeskIconName, tone: Tone = 'plain'): Look => ({
  part,
  icon,
  tone,
})

/**
 * Looks by kind, or by the beginning of a kind; the first match counts. Facts that distinguish lines of one kind follow the
 * kind. An unknown kind of a newer server matches by its beginning.
 */
const looks: readonly (readonly [begins: string, look: Look])[] = [
  ['order-', look('money', 'list')],
  ['payment-failed', look('money', 'card', 'bad')],
  ['payment-opened', look('money', 'card')],
  ['payment-noted noted pending', look('money', 'card', 'waiting')],
  ['payment-noted noted', look('money', 'refresh')],
  ['payment-', look('money', 'card', 'bad')],
  ['paid', look('money', 'card', 'good')],
  ['refunded', look('money', 'back', 'good')],
  ['refund-doubtful', look('money', 'back', 'waiting')],
  ['refund-refused', look('money', 'back', 'bad')],
  ['refund-', look('money', 'back')],
  ['receipt-', look('money', 'receipt')],
  ['compensated', look('money', 'back')],
  ['inquired', look('money', 'refresh', 'note')],
  ['label-issued', look('bag', 'tag', 'good')],
  ['label-permitted', look('bag', 'tag', 'note')],
  ['label-requested', look('bag', 'tag')],
  ['label-', look('bag', 'tag', 'bad')],
  ['received', look('bag', 'tick', 'good')],
  ['undone', look('bag', 'cross', 'waiting')],
  ['not-accepted', look('bag', 'cross', 'waiting')],
  ['scan picked-up', look('bag', 'scan')],
  ['scan in-transit', look('bag', 'truck')],
  ['scan at-branch', look('bag', 'branch', 'good')],
  ['scan collected', look('bag', 'tick', 'good')],
  ['scan exception', look('bag', 'alert', 'bad')],
  ['scan returning', look('bag', 'alert', 'bad')],
  ['scan', look('bag', 'alert', 'waiting')],
  ['bag-alert', look('bag', 'alert', 'bad')],
  ['bag-', look('bag', 'bag', 'note')],
  ['receiver-', look('bag', 'person', 'note')],
  ['account-', look('desk', 'person', 'note')],
  ['message-delivered', look('messages', 'chat', 'good')],
  ['message-failed', look('messages', 'chat', 'bad')],
  ['message-dropped', look('messages', 'chat', 'waiting')],
  ['message-', look('messages', 'chat')],
  ['phone-unlocked', look('messages', 'lock')],
  ['link-', look('messages', 'share')],
  ['claim-late', look('messages', 'flag', 'bad')],
  ['claim-', look('messages', 'flag', 'waiting')],
  ['dispute-', look('money', 'shield', 'waiting')],
  ['evidence-', look('money', 'shield')],
  ['note', look('desk', 'pen', 'note')],
  ['disclosed', look('desk', 'eye', 'person')],
]

const otherwise = look('desk', 'person', 'person')

export function lookOf({ kind, data }: Pick<TimelineLine, 'kind' | 'data'>): Look {
  const words = [kind, data.scan, kind === 'payment-noted' && data.outcome, data.reported]
  const name = words.filter(Boolean).join(' ')
  return looks.find(([begins]) => name.startsWith(begins))?.[1] ?? otherwise
}

/** Lines written by programs are folded, except those about the payment and about messages that did not arrive. */
export const foldedKinds = ['callback', 'inquiry', 'request', 'sent', 'delivered'] as const
type FoldedKind = (typeof foldedKinds)[number]

const isMessage = ({ kind }: TimelineLine) => kind.startsWith('message-')

function foldOf({ kind, data }: TimelineLine): FoldedKind | undefined {
  if (kind === 'label-requested') return 'request'
  if (kind === 'message-sent') return 'sent'
  if (kind === 'message-delivered') return 'delivered'
  const isFolded = kind === 'payment-noted' && data.outcome === 'noted' && data.reported !== 'pending'
  return isFolded ? foldedKinds.find((each) => each === data.source) : undefined
}

/** A line with its number of repetitions, or several lines that are folded into one. */
export type TimelineEntry =
  | { line: TimelineLine; times: number }
  | { folded: readonly [TimelineLine, ...TimelineLine[]] }

interface TimelineDay {
  /** The day in Riyadh on which its lines were recorded: `2027-05-19`. */
  day: string
  entries: readonly TimelineEntry[]
}

const isSame = (one: TimelineLine, other: TimelineLine) =>
  one.kind === other.kind && one.text === other.text && one.by.name === other.by.name

/** The day on which a line was recorded, which may be a day after it happened. */
export const dayOf = ({ at, data }: TimelineLine): string => dayInRiyadh(String(data.recordedAt ?? at))

/** The lines by days, the newest first. */
export function daysOf(lines: readonly TimelineLine[]): readonly TimelineDay[] {
  const days: { day: string; entries: TimelineEntry[] }[] = []
  for (const line of lines) {
    const day = dayOf(line)
    if (days.at(-1)?.day !== day) days.push({ day, entries: [] })
    add(days.at(-1)?.entries ?? [], line)
  }
  return days.map(({ day, entries }) => ({ day, entries: entries.map(unfolded) }))
}

function add(entries: TimelineEntry[], line: TimelineLine): void {
  const last = entries.at(-1)
  if (foldOf(line)) {
    if (last && 'folded' in last && isMessage(last.folded[0]) === isMessage(line))
      entries[entries.length - 1] = { folded: [...last.folded, line] }
    else entries.push({ folded: [line] })
  } else if (last && 'line' in last && isSame(last.line, line))
    entries[entries.length - 1] = { line: last.line, times: last.times + 1 }
  else entries.push({ line, times: 1 })
}

/** A fold that contains a single message becomes a plain line. */
function unfolded(entry: TimelineEntry): TimelineEntry {
  if (!('folded' in entry)) return entry
  const [line, ...more] = entry.folded
  return isMessage(line) && more.length === 0 ? { line, times: 1 } : entry
}

/** The number of folded lines of each kind, for the text of the fold. */
export const countsOf = (folded: readonly TimelineLine[]): readonly { kind: FoldedKind; count: number }[] =>
  foldedKinds
    .map((kind) => ({ kind, count: folded.filter((line) => foldOf(line) === kind).length }))
    .filter(({ count }) => count > 0)

/** True when news of a bag is overdue. */
export const isSilent = ({ bookings }: Pick<DeskOrder, 'bookings'>, now: number): boolean =>
  bookings.some(({ newsBy }) => newsBy !== null && Date.parse(newsBy) <= now)

/** The worst problem that no work list shows: how long a bag has had no scan, or the scan line that holds a bag up. */
export function alarmOf(
  { timeline, bookings }: Pick<DeskOrder, 'timeline' | 'bookings'>,
  now: number,
): { silentMs: number } | TimelineLine | undefined {
  const checked = timeline.findIndex(({ kind }) => kind === 'bag-checked')
  const held = timeline.findIndex(
    ({ kind, data }) => kind === 'scan' && (data.scan === 'exception' || data.scan === 'returning'),
  )
  const isHeld = bookings.some(({ state }) => state === 'EXCEPTION')
  if (isHeld && held >= 0 && (checked < 0 || held < checked)) return timeline[held]
  const silent = bookings.filter((booking) => isSilent({ bookings: [booking] }, now))
  const heardAt = silent.map(({ lastEventAt, newsBy }) => Date.parse(lastEventAt ?? newsBy ?? ''))
  return heardAt.length === 0 ? undefined : { silentMs: now - Math.min(...heardAt) }
}

/** A time by which something must happen. */
export interface Deadline {
  kind: 'label' | 'news' | 'refund' | 'claim'
  /** Epoch milliseconds. */
  at: number
  /** The number of a claim. */
  number?: string
}

/** The deadlines of an order, the soonest first; of two equal kinds only the sooner. @param rows of the order in work lists */
export function deadlinesOf(
  { status, paidAt, bookings, payments }: Pick<DeskOrder, 'status' | 'paidAt' | 'bookings' | 'payments'>,
  rows: readonly Pick<WorkRow, 'kind' | 'id' | 'dueAt'>[],
) {
  const isUnlabelled =
    status === 'PAID' && bookings.some(({ awb, state }) => awb === null && state !== 'CANCELLED')
  const deadlines: Deadline[] = [
    ...rows
      .filter(({ kind }) => kind === 'claims')
      .map(({ id, dueAt }) => ({
        kind: 'claim' as const,
        number: claimNumber(Number(id)),
        at: Date.parse(dueAt),
      })),
    ...(isUnlabelled && paidAt !== null
      ? [{ kind: 'label' as const, at: Date.parse(paidAt) + labelHelpAfterMs }]
      : []),
    ...bookings.flatMap(({ newsBy }) =>
      newsBy === null ? [] : [{ kind: 'news' as const, at: Date.parse(newsBy) }],
    ),
    ...payments.flatMap(({ refunds }) =>
      refunds
        .filter(({ state }) => state !== 'done')
        .map(({ orderedAt }) => ({
          kind: 'refund' as const,
          at: Date.parse(orderedAt) + refundHelpAfterMs,
        })),
    ),
  ]
  const nameOf = ({ kind, number }: Deadline) => `${kind} ${number}`
  return deadlines
    .sort((one, other) => one.at - other.at)
    .filter((one, index, all) => all.findIndex((other) => nameOf(other) === nameOf(one)) === index)
}

/** The next step of a bag, or of an order that is not paid. */
export type Step =
  | Exclude<NonNullable<DeskOrder['bookings'][number]['state']>, 'COLLECTED' | 'CANCELLED'>
  | 'PAYMENT'

const isStep = (state: DeskOrder['bookings'][number]['state']): state is Exclude<Step, 'PAYMENT'> =>
  state !== null && state !== 'COLLECTED' && state !== 'CANCELLED'

/** The next step of each bag. */
export function nextStepsOf({ status, bookings }: Pick<DeskOrder, 'status' | 'bookings'>): readonly Step[] {
  if (status === 'PENDING_PAYMENT') return ['PAYMENT']
  return [...new Set(bookings.map(({ state }) => state).filter(isStep))]
}

/** The newest line that is only in the later reading. It need not be the first line, because a line can arrive late. */
export function newLineOf(
  earlier: readonly TimelineLine[],
  later: readonly TimelineLine[],
): TimelineLine | undefined {
  const nameOf = ({ kind, at }: TimelineLine) => `${kind} ${at}`
  const known = earlier.map(nameOf)
  return later.find((line) => {
    const place = known.indexOf(nameOf(line))
    if (place >= 0) known.splice(place, 1)
    return place < 0
  })
}
