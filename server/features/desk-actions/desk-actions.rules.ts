import type { OrderMessage } from '#server/features/messages/messages.queries.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { type ClaimState, claimNumber } from '#shared/claims/claims.schemas.ts'
import type { overtakenBy } from '#shared/desk-actions/desk-actions.errors.ts'
import type { ApprovalAct, CheckTone } from '#shared/desk-actions/desk-actions.schemas.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { OrderEnd, OrderPayment } from '#shared/orders/orders.schemas.ts'
import { type Carriage, type HandOverCount, isCarried } from '#shared/orders/travel.rules.ts'
import type { EventOutcome } from '#shared/payments/payments.schemas.ts'
import { currency } from '#shared/platform/money.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'

const minute = 60_000
const hour = 60 * minute

/** Acts that return money or promise it; they are counted and added up together. */
export const moneyActs: readonly ApprovalAct[] = ['refund', 'write-off', 'cancel', 'compensation']

export const actionRules = {
  /** Money acts of a person, asked for or done, in an hour. */
  moneyActs: { count: 20, windowMs: hour },
  /** An approval that was not given ends by itself. */
  approvalMs: 72 * hour,
  /** In which what a person does alone is counted. */
  aloneMs: 24 * hour,
  /** Messages of an owner are sent again so often in `resendMs`. */
  resendings: 3,
  resendMs: 24 * hour,
  /** One that was sent may still arrive. */
  sentLatelyMs: 10 * minute,
  /** A receiver that a colleague named so lately is not replaced unseen. */
  sameReceiverMs: minute,
  /** Creations that a booking has by itself; more: one was permitted before. */
  creations: 2,
  /** Rows of a page of the list. */
  listed: 50,
} as const

/** What an approval is asked on. It is given only while all of it is the same. */
export interface Facts {
  readonly status: string
  readonly refunds: readonly string[]
  readonly bookings: readonly string[]
  readonly paid: string
  /** Of a compensation its claim. */
  readonly claim?: string
  /** Halalas of the compensations of the order, where there are any. */
  readonly compensated?: number
  /** State of what a request without an order is about. */
  readonly subject?: string
}

/** Facts of a request that is about no order. */
export const factsWithoutOrder = (subject: string): Facts => ({
  status: '',
  refunds: [],
  bookings: [],
  paid: '',
  subject,
})

export interface FactRows {
  readonly order: {
    readonly payment: OrderPayment
    readonly ended: OrderEnd | null
    readonly handed_over: HandOverCount
    readonly transaction_id: string | null
  }
  readonly bookings: readonly {
    readonly reference: string
    readonly state: string
    readonly stopped_at: number | null
    readonly creations_allowed: number
    readonly carriage: Carriage
    readonly uncertain_until: number
  }[]
  readonly refunds: readonly {
    readonly transaction_id: string
    readonly amount_halalas: number
    readonly currency: string
    readonly state: string
    readonly written_off_at: number | null
  }[]
  readonly events: readonly {
    readonly transaction_id: string
    readonly kind: string
    readonly outcome: EventOutcome
    readonly amount_halalas: number
  }[]
  /** About the bags of the order. */
  readonly claims: readonly {
    readonly id: number
    readonly state: ClaimState
    /** The event of the last one that a person took. */
    readonly step: number | null
    /** Halalas in all. */
    readonly compensated: number
  }[]
}

/** What an approval is about. */
export interface AskedFor {
  readonly act: ApprovalAct
  readonly about: string
  /** What it moves. */
  readonly halalas?: number
}

const arrived: readonly Carriage[] = ['at-branch', 'collected']

const atBranch = ', at its branch'
const handedOver = (count: HandOverCount) => `handed over: ${count}`

const isReturn = ({ kind }: FactRows['events'][number]) => kind === 'refunded' || kind === 'voided'

/**
 * Without what changes by itself and changes no decision: tries of a refund, scans of a bag on its way, that a claim is late.
 */
export function factsOf(
  { order, bookings, refunds, events, claims }: FactRows,
  { act, about }: AskedFor,
): Facts {
  const paid = events.filter(({ kind }) => kind === 'succeeded').map(({ amount_halalas }) => amount_halalas)
  const returns = events.filter(isReturn)
  const claim = claims.find(({ id }) => claimNumber(id) === about)
  const compensated = compensatedOf(claims)
  return {
    status: statusOf(order),
    refunds: refunds.map((row) => {
      const end = row.state !== 'done' ? 'open' : row.written_off_at === null ? 'done' : 'written off'
      return `${row.transaction_id} ${row.amount_halalas} ${end}`
    }),
    bookings: [
      handedOver(order.handed_over),
      ...bookings.map((row) => {
        const place = arrived.includes(row.carriage) ? atBranch : ''
        // A receiver is changed before printing and after it.
        if (act === 'receiver') return `${row.reference}${place}`
        const state = row.stopped_at === null ? row.state : 'stopped'
        return `${row.reference} ${state} ${row.creations_allowed}${place}`
      }),
    ],
    paid: [
      `${order.transaction_id} ${paid.reduce((sum, halalas) => sum + halalas, 0)}`,
      // What the provider says has gone back, of all or of a part.
      ...returns.map(({ transaction_id, kind, outcome }) => `${transaction_id} ${kind} ${outcome}`),
    ].join(),
    ...(act === 'compensation' && { claim: `${claim?.state} ${claim?.step}` }),
    ...(compensated > 0 && { compensated }),
  }
}

/** What happened since, by which its text is made; the name of a fact where nothing plainer can be said of it. */
export type Overtaking = keyof typeof overtakenBy

const statusNews: Readonly<Record<string, Overtaking>> = {
  PAID: 'order-paid',
  CANCELLED: 'order-cancelled',
  EXPIRED: 'order-expired',
  REFUNDED: 'order-refunded',
}

/** Of the facts that are not the same, the first that has changed: what it is now is what happened. */
const newsOf: { readonly [F in keyof Required<Facts>]: (before: Facts, now: Facts) => Overtaking } = {
  status: (_before, { status }) => statusNews[status] ?? 'status',
  refunds(before, now) {
    const [changed = ''] = now.refunds.filter((refund) => !before.refunds.includes(refund))
    if (changed.endsWith(' open')) return 'refund-ordered'
    if (changed.endsWith(' done')) return 'refund-done'
    return changed.endsWith(' written off') ? 'refund-written-off' : 'refunds'
  },
  bookings(before, now) {
    const changed = now.bookings.filter((booking) => !before.bookings.includes(booking))
    if (changed.some((booking) => booking.endsWith(atBranch))) return 'bag-arrived'
    if (changed.includes(handedOver('all'))) return 'bag-handed-over'
    return 'bookings'
  },
  paid: (before, now) => (now.paid.startsWith(`${before.paid},`) ? 'money-back' : 'paid'),
  claim: () => 'claim',
  compensated: () => 'compensated',
  subject: () => 'subject',
}

/** What has happened to the facts; undefined where they are the same. */
export function overtakingOf(before: Facts, now: Facts): Overtaking | undefined {
  const names = Object.keys(newsOf) as (keyof Facts)[]
  const changed = names.find((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
  return changed && newsOf[changed](before, now)
}

export type CheckKind =
  | 'paid-once'
  | 'paid-often'
  | 'nothing-back'
  | 'gone-back'
  | 'partly-back'
  | 'compensated'
  | 'above-capture'
  | 'everyone'
  | 'unconfirmed'
  | 'confirmed'
  | 'handed-over'
  | 'not-handed-over'
  | 'claim-open'
  | 'claim-closed'
  | 'recorded'
  | 'no-money-back'
  | 'other-currency'
  | 'looked-up'
  | 'by-hand'
  | 'not-printed'
  | 'arrived'
  | 'number-free'
  | 'number-taken'
  | 'number-notified'
  | 'number-not-notified'
  | 'number-replaces'
  | 'account-deleted'

/** A fact that who decides looks at, by which its text is made. */
export interface Check {
  readonly kind: CheckKind
  readonly tone: CheckTone
  readonly data: Readonly<Record<string, string | number>>
}

const checkOf =
  (tone: CheckTone) =>
  (kind: CheckKind, data: Check['data'] = {}): Check => ({ kind, tone, data })
const [good, note, bad] = [checkOf('good'), checkOf('note'), checkOf('bad')]

const inHalalas = (rows: readonly { readonly amount_halalas: number }[]) => ({
  amount: rows.reduce((sum, { amount_halalas }) => sum + amount_halalas, 0),
  currency,
})

const compensatedOf = (claims: FactRows['claims']) =>
  claims.reduce((sum, claim) => sum + claim.compensated, 0)

/** What was captured of an order, what goes back, and what was promised beside it; halalas. */
export interface Ledger {
  readonly captured: number
  /** Refunds that were ordered and not written off, and what the provider returned by itself. */
  readonly returned: number
  readonly compensated: number
}

export function ledgerOf({
  events,
  refunds,
  claims,
}: Pick<FactRows, 'events' | 'refunds' | 'claims'>): Ledger {
  const payments = new Map(
    events
      .filter(({ kind }) => kind === 'succeeded')
      .map(({ transaction_id, amount_halalas }) => [transaction_id, amount_halalas]),
  )
  const ordered = refunds.filter((row) => row.written_off_at === null)
  const inOurs = ordered.map((row) => row.transaction_id)
  // The sum of a part is not stored: it counts as the whole.
  const byProvider = new Set(events.filter(isReturn).map(({ transaction_id }) => transaction_id))
  const others = [...byProvider].filter((transaction) => !inOurs.includes(transaction))
  return {
    captured: sumOf([...payments.values()]),
    returned:
      sumOf(ordered.map((row) => row.amount_halalas)) + sumOf(others.map((id) => payments.get(id) ?? 0)),
    compensated: compensatedOf(claims),
  }
}

/** What can still leave for an order before more leaves than was captured. */
export const leftOfCapture = ({ captured, returned, compensated }: Ledger): number =>
  Math.max(0, captured - returned - compensated)

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)

/** Both sums, where a wish makes more leave than was captured. */
function ledgerChecks(rows: FactRows, halalas: number): Check[] {
  const ledger = ledgerOf(rows)
  if (halalas <= leftOfCapture(ledger)) return []
  const amount = ledger.returned + ledger.compensated + halalas
  return [note('above-capture', { amount, captured: ledger.captured, currency })]
}

/** What was paid for an order, what has gone back or was compensated, and who has its bag. */
function moneyChecks({ order, events, refunds, claims }: FactRows): Check[] {
  const paid = events.filter(({ kind }) => kind === 'succeeded')
  // What was written off did not go back.
  const back = refunds.filter((row) => row.written_off_at === null)
  const isPartlyBack = events.some(({ outcome }) => outcome === 'partial-refund')
  const compensated = compensatedOf(claims)
  return [
    paid.length === 1
      ? good('paid-once', inHalalas(paid))
      : note('paid-often', { count: paid.length, ...inHalalas(paid) }),
    ...(isPartlyBack ? [note('partly-back')] : []),
    ...(back.length > 0 ? [note('gone-back', inHalalas(back))] : []),
    ...(back.length === 0 && !isPartlyBack ? [good('nothing-back')] : []),
    ...(compensated > 0 ? [note('compensated', { amount: compensated, currency })] : []),
    order.handed_over === 'none' || order.handed_over === 'void'
      ? good('not-handed-over')
      : note('handed-over'),
  ]
}

/** What who decides about a wish looks at, beside what has changed since it was asked for. */
export function checksOf({ act, about, halalas = 0 }: AskedFor, rows: FactRows): Check[] {
  const open = rows.claims.filter(({ state }) => state !== 'CLOSED').map(({ id }) => claimNumber(id))
  const claims = open.map((number) => note('claim-open', { number }))
  const money = [...moneyChecks(rows), ...ledgerChecks(rows, halalas)]
  if (act === 'refund' || act === 'cancel') return [...money, ...claims]
  if (act === 'compensation')
    return [
      ...money,
      open.includes(about) ? good('claim-open', { number: about }) : bad('claim-closed', { number: about }),
      note('recorded'),
    ]
  if (act === 'write-off') {
    const others = rows.refunds.filter((row) => row.transaction_id === about && row.currency !== currency)
    const sums = others.map((row) =>
      note('other-currency', { amount: row.amount_halalas, currency: row.currency }),
    )
    return [note('no-money-back'), ...sums, ...claims]
  }
  if (act === 'reissue') return [good('looked-up')]
  if (isArrived(rows.bookings)) return [bad('arrived')]
  return [isPrinted(rows.bookings) ? note('by-hand') : good('not-printed')]
}

/** What a person may still move without a second one: who returns money by role, within a sum. */
export const leftAlone = (
  roles: readonly StaffRole[],
  { ordered, alone }: { ordered: number; alone: number },
): number => (roles.includes('money') ? Math.max(0, alone - ordered) : 0)

/** Whether a stopped airway bill was allowed another creation before. */
export const isSecondReissue = (
  bookings: readonly { readonly stopped_at: number | null; readonly creations_allowed: number }[],
): boolean => bookings.some((row) => row.stopped_at !== null && row.creations_allowed > actionRules.creations)

/** Whether the shipping partner may have been asked for one of the airway bills: then it is told by hand. */
export const isPrinted = (bookings: readonly { readonly uncertain_until: number }[]): boolean =>
  bookings.some((row) => row.uncertain_until !== 0)

export const isArrived = (bookings: readonly { readonly carriage: Carriage }[]): boolean =>
  bookings.some((row) => arrived.includes(row.carriage))

type Message = OrderMessage

const isOver = ({ state }: Pick<Message, 'state'>) => state === 'failed' || state === 'dropped'
const isOvertaken = ({ state, last_error }: Message) => state === 'dropped' && last_error === 'overtaken'
const isSent = ({ state }: Pick<Message, 'state'>) => state === 'accepted' || state === 'delivered'

/** Of the messages about an order those to send again: what did not arrive, or the one of this number; none that was before. */
export function toSendAgain(messages: readonly Message[], id: number | undefined): readonly Message[] {
  const newest = messages.filter(
    (row) =>
      !messages.some(
        (later) =>
          later.id > row.id &&
          later.reported_event_id === row.reported_event_id &&
          later.recipient === row.recipient &&
          later.channel === row.channel,
      ),
  )
  return newest.filter((row) =>
    id === undefined
      ? isOver(row) && !isOvertaken(row)
      : row.id === id && !isOvertaken(row) && (isOver(row) || isSent(row)),
  )
}

export const isSentLately = (row: Pick<Message, 'state' | 'asked_at' | 'ended_at'>, now: number): boolean =>
  isSent(row) && (row.asked_at ?? row.ended_at ?? now) > now - actionRules.sentLatelyMs

interface NewsFacts {
  /** All about the order. */
  readonly messages: readonly Pick<Message, 'claim_id' | 'reported_event_id'>[]
  readonly order: { readonly payment: OrderPayment; readonly ended: OrderEnd | null }
  readonly bookings: readonly Pick<Row<'bookings'>, 'id' | 'carriage' | 'receiver_phone'>[]
  readonly claims: readonly Pick<Row<'claims'>, 'id' | 'state' | 'late_since'>[]
}

/** Whether what a message says is still so. A letter about the account is no message about an order. */
export function isStillSo(
  message: Pick<Message, 'kind' | 'booking_id' | 'claim_id' | 'reported_event_id'>,
  { order, bookings, claims, messages }: NewsFacts,
): boolean {
  const { kind, booking_id, claim_id } = message
  const isPaid = statusOf(order) === 'PAID'
  const bag = bookings.find(({ id }) => id === booking_id)
  const at = bag?.carriage ?? 'none'
  // Of a claim its last news is so at most.
  const isLast = !messages.some(
    (other) => other.claim_id === claim_id && other.reported_event_id > message.reported_event_id,
  )
  const claim = isLast ? claims.find(({ id }) => id === claim_id) : undefined
  const named = at !== 'none' && at !== 'void' && bag?.receiver_phone != null
  const so: Readonly<Record<MessageKind, boolean>> = {
    paid: isPaid,
    'label-issued': isPaid,
    documents: isPaid,
    refunded: order.payment === 'returned',
    'refund-failed': order.payment === 'paid' && order.ended === 'cancelled',
    cancelled: order.ended === 'cancelled',
    'wrong-amount': true,
    'handed-over': isCarried(at),
    'at-branch': at === 'at-branch',
    collected: at === 'collected',
    exception: at === 'exception',
    late: isPaid && (at === 'received' || at === 'moving' || at === 'exception'),
    'receiver-named': named && !arrived.includes(at),
    'receiver-at-branch': named && at === 'at-branch',
    'claim-opened': claim?.state === 'OPEN' && claim.late_since === null,
    'claim-late': claim?.state === 'OPEN' && claim.late_since !== null,
    'claim-question': claim?.state === 'ANSWERED',
    'claim-answered': claim?.state === 'ANSWERED',
    'claim-closed': claim?.state === 'CLOSED',
    'receiver-changed': false,
    'receiver-changed-letter': false,
    'number-changed': false,
    'email-changed': false,
    'number-changed-letter': false,
    'email-changed-letter': false,
    'email-added-letter': false,
    'number-waits': false,
    'number-waits-letter': false,
  }
  return so[kind]
}

/** The account that a request without an order is about. */
export const userIdOf = ({ act, about }: Pick<Row<'approvals'>, 'act' | 'about'>): number | undefined =>
  act === 'number' ? Number(about) : undefined

/** Ids of the order and the account that an event of a request is about. */
export const subjectOf = (
  row: Pick<Row<'approvals'>, 'act' | 'about' | 'order_id'>,
  order?: { readonly user_id: number },
) => ({
  orderId: row.order_id ?? undefined,
  userId: order?.user_id ?? userIdOf(row),
})

/** What each event of a request says of it. */
export const dataOf = ({
  id,
  act,
  about,
  halalas,
}: Pick<Row<'approvals'>, 'id' | 'act' | 'about' | 'halalas'>) => ({
  approvalId: id,
  act,
  about,
  halalas,
})
