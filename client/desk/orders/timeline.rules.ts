import { claimNumber } from '#shared/claims/claims.schemas.ts'
import { type DeskOrder, hasOwnLine, type TimelineLine } from '#shared/desk-orders/desk-orders.schemas.ts'
import { refundHelpAfterMs } from '#shared/payments/payments.schemas.ts'
import type { WorkRow } from '#shared/work/work.schemas.ts'
import { labelHelpAfterMs } from '#shared/work/work.schemas.ts'
import type { DeskIconName } from '../desk-icon.tsx'
import type { Tone } from '../mark.tsx'
import { dayInRiyadh } from '../times.ts'

/** By which a timeline is filtered. Each line is of one of them. */
export const timelineParts = ['bag', 'money', 'messages', 'desk'] as const
export type TimelinePart = (typeof timelineParts)[number]

interface Look {
  readonly part: TimelinePart
  readonly icon: DeskIconName
  readonly tone: Tone
}

const look = (part: TimelinePart, icon: DeskIconName, tone: Tone = 'plain'): Look => ({ part, icon, tone })

/** Kinds that begin with these words, the longest first; a kind of a newer server finds the words it begins with. */
const looks: readonly (readonly [begins: string, look: Look])[] = [
  ['order-', look('money', 'list')],
  ['code-refused', look('messages', 'lock', 'waiting')],
  ['code-', look('messages', 'lock')],
  ['locked', look('messages', 'lock', 'bad')],
  ['unlocked', look('messages', 'lock')],
  ['payment-declined', look('money', 'card', 'bad')],
  ['payment-pending', look('money', 'card', 'waiting')],
  ['payment-succeeded', look('money', 'card', 'good')],
  ['payment-opened', look('money', 'card')],
  ['payment-', look('money', 'card', 'bad')],
  ['callback', look('money', 'refresh')],
  ['inquiry', look('money', 'refresh')],
  ['label-issued', look('bag', 'tag', 'good')],
  ['label-reissued', look('bag', 'tag', 'note')],
  ['label-', look('bag', 'tag', 'bad')],
  ['handed-over-undone', look('bag', 'cross', 'waiting')],
  ['handed-over', look('bag', 'tick', 'good')],
  ['not-accepted', look('bag', 'cross', 'waiting')],
  ['picked-up', look('bag', 'scan')],
  ['in-transit', look('bag', 'truck')],
  ['at-branch', look('bag', 'branch', 'good')],
  ['collected', look('bag', 'tick', 'good')],
  ['exception', look('bag', 'alert', 'bad')],
  ['returning', look('bag', 'alert', 'bad')],
  ['unknown', look('bag', 'alert', 'waiting')],
  ['contradiction', look('bag', 'alert', 'waiting')],
  ['not-of-this-bag', look('bag', 'alert', 'waiting')],
  ['future-time', look('bag', 'alert', 'waiting')],
  ['silent', look('bag', 'alert', 'bad')],
  ['checked', look('bag', 'bag', 'note')],
  ['receiver', look('bag', 'person', 'note')],
  ['renamed', look('bag', 'person', 'note')],
  ['message-delivered', look('messages', 'chat', 'good')],
  ['message-failed', look('messages', 'chat', 'bad')],
  ['message-dropped', look('messages', 'chat', 'waiting')],
  ['message-', look('messages', 'chat')],
  ['refund-done', look('money', 'back', 'good')],
  ['refund-overdue', look('money', 'back', 'bad')],
  ['refund-doubtful', look('money', 'back', 'waiting')],
  ['refund-', look('money', 'back')],
  ['invoice', look('money', 'receipt')],
  ['credit-note', look('money', 'receipt')],
  ['claim-late', look('messages', 'flag', 'bad')],
  ['claim-', look('messages', 'flag', 'waiting')],
  ['dispute-', look('money', 'shield', 'waiting')],
  ['evidence-', look('money', 'shield')],
  ['note', look('desk', 'pen', 'note')],
  ['revealed', look('desk', 'eye', 'person')],
  ['shared', look('messages', 'share')],
]

const otherwise = look('desk', 'person', 'person')

export const lookOf = (kind: string): Look =>
  looks.find(([begins]) => kind.startsWith(begins))?.[1] ?? otherwise

/** What machines say to each other: folded, unless it failed. */
export const foldedKinds = ['callback', 'inquiry', 'request', 'poll'] as const
type FoldedKind = (typeof foldedKinds)[number]
const isFolded = ({ kind, data }: TimelineLine): boolean =>
  foldedKinds.some((folded) => folded === kind) && data.failed !== true

/** A line that stands so many times in a row, or lines that are folded into one. */
export type TimelineEntry =
  | { readonly line: TimelineLine; readonly times: number }
  | { readonly folded: readonly TimelineLine[] }

interface TimelineDay {
  /** In Riyadh: `2027-05-19`. */
  readonly day: string
  readonly entries: readonly TimelineEntry[]
}

const isSame = (one: TimelineLine, other: TimelineLine) =>
  one.kind === other.kind && one.text === other.text && one.by.name === other.by.name

/** The lines by days, as they stand: the newest first. */
export function daysOf(lines: readonly TimelineLine[]): readonly TimelineDay[] {
  const days: { day: string; entries: TimelineEntry[] }[] = []
  for (const line of lines) {
    const day = dayInRiyadh(line.at)
    if (days.at(-1)?.day !== day) days.push({ day, entries: [] })
    add(days.at(-1)?.entries ?? [], line)
  }
  return days
}

function add(entries: TimelineEntry[], line: TimelineLine): void {
  const last = entries.at(-1)
  if (isFolded(line)) {
    if (last && 'folded' in last) entries[entries.length - 1] = { folded: [...last.folded, line] }
    else entries.push({ folded: [line] })
  } else if (last && 'line' in last && isSame(last.line, line))
    entries[entries.length - 1] = { line: last.line, times: last.times + 1 }
  else entries.push({ line, times: 1 })
}

/** How many of each kind are folded, for the sentence about them. */
export const countsOf = (
  folded: readonly TimelineLine[],
): readonly { readonly kind: FoldedKind; readonly count: number }[] =>
  foldedKinds
    .map((kind) => ({ kind, count: folded.filter((line) => line.kind === kind).length }))
    .filter(({ count }) => count > 0)

/** What an order's page warns of, the worst first. */
const alarms = [
  'label-stopped',
  'exception',
  'returning',
  'silent',
  'callback',
  'inquiry',
  'contradiction',
  'not-of-this-bag',
  'future-time',
  'unknown',
  'refund-overdue',
] as const

/** Of the line that an alert is about. */
const lineKindOf = ({ kind }: DeskOrder['alerts'][number]) =>
  hasOwnLine(kind) || kind === 'returning' ? kind : 'exception'

/** That there should have been news of a bag by now. */
export const isSilent = ({ bookings }: Pick<DeskOrder, 'bookings'>, now: number): boolean =>
  bookings.some(({ newsBy }) => newsBy !== null && Date.parse(newsBy) <= now)

/** The worst thing that is still true of an order, as its line says it. What has happened is told for ever. */
export function worstAlarm(
  order: Pick<DeskOrder, 'timeline' | 'bookings' | 'payments' | 'alerts'>,
  now: number,
): TimelineLine | undefined {
  const { timeline, bookings, payments, alerts } = order
  const checkedAt = timeline.find(({ kind }) => kind === 'checked')?.at ?? ''
  const isStuck = bookings.some(({ state }) => state === 'EXCEPTION')
  const isOver = bookings.every(({ state }) => state === 'COLLECTED' || state === 'CANCELLED')
  const isOpen = ({ kind, at, data }: TimelineLine) =>
    alerts.some((alert) => lineKindOf(alert) === kind && alert.at === at && alert.leg === data.leg)
  const isCorrected = ({ at, data }: TimelineLine) =>
    timeline.some(
      (other) => other.data.transaction === data.transaction && other.at > at && other.data.failed === false,
    )
  const isTrue = (line: TimelineLine): boolean => {
    const { kind, at, data } = line
    switch (kind) {
      case 'label-stopped':
        return bookings.some(({ stoppedAt }) => stoppedAt !== null)
      case 'silent':
        return isSilent(order, now)
      case 'callback':
      case 'inquiry':
        return data.failed === true && data.seen !== true && !isCorrected(line)
      case 'refund-overdue':
        return payments.some(({ refunds }) => refunds.some(({ state }) => state !== 'done'))
      case 'unknown':
        return at > checkedAt && !isOver
      default:
        return isOpen(line) || (!hasOwnLine(kind) && at > checkedAt && isStuck)
    }
  }
  for (const alarm of alarms) {
    const line = timeline.find((each) => each.kind === alarm && isTrue(each))
    if (line !== undefined) return line
  }
  return undefined
}

const hourMs = 3_600_000

/** Whole hours without news, of the line that says so. */
export const hoursSilent = ({ at, data }: Pick<TimelineLine, 'at' | 'data'>, now: number): number =>
  Math.floor((now - Date.parse(at)) / hourMs) + Number(data.hours)

/** By when something is to have happened. */
export interface Deadline {
  readonly kind: 'label' | 'news' | 'refund' | 'claim'
  /** Epoch milliseconds. */
  readonly at: number
  /** Of a claim. */
  readonly number?: string
}

/** What an order waits for, the soonest first; of two bags that wait for the same the sooner. @param rows of the order in work lists */
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

/** What a bag, or an order that is not paid, waits for. */
export type Step =
  | Exclude<NonNullable<DeskOrder['bookings'][number]['state']>, 'COLLECTED' | 'CANCELLED'>
  | 'PAYMENT'

const isStep = (state: DeskOrder['bookings'][number]['state']): state is Exclude<Step, 'PAYMENT'> =>
  state !== null && state !== 'COLLECTED' && state !== 'CANCELLED'

/** What is to happen next: of two bags with two ways two steps. */
export function nextStepsOf({ status, bookings }: Pick<DeskOrder, 'status' | 'bookings'>): readonly Step[] {
  if (status === 'PENDING_PAYMENT') return ['PAYMENT']
  return [...new Set(bookings.map(({ state }) => state).filter(isStep))]
}

/** Of two readings of a timeline the newest line that only the later one has: an older line may be told late. */
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
