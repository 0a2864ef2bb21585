import type { Row } from '#server/platform/database/schema.ts'
import { claimNumber } from '#shared/claims/claims.operations.ts'
import type { overtakenBy } from '#shared/desk/actions/actions.errors.ts'
import type { CheckTone } from '#shared/desk/actions/actions.schemas.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { Carriage, HandOverCount } from '#shared/orders/travel.rules.ts'
import type { ApprovalAct } from '#shared/platform/desk-words.ts'
import { currency } from '#shared/platform/money.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import type { CheckKind } from './approvals.texts.ts'

const minute = 60_000
const hour = 60 * minute

/** One limit and one sum cover all acts that return or promise money. */
export const moneyActs: readonly ApprovalAct[] = ['refund', 'write-off', 'cancel', 'compensation']

export const actionRules = {
  moneyActs: { count: 20, windowMs: hour },
  approvalMs: 72 * hour,
  /** The limit for money without approval counts the acts of a staff member within `soloMs`. */
  soloMs: 24 * hour,
  sameReceiverMs: minute,
  creations: 2,
  listed: 50,
} as const

/** A request is approved only while its facts are the same as when it was made. */
export interface Facts {
  readonly status: string
  readonly refunds: readonly string[]
  readonly bookings: readonly string[]
  readonly paid: string
  readonly claim?: string
  readonly compensated?: number
  /** The state of the subject of a request without an order, such as an account. */
  readonly subject?: string
}

export const factsWithoutOrder = (subject: string): Facts => ({
  status: '',
  refunds: [],
  bookings: [],
  paid: '',
  subject,
})

export interface FactRows {
  readonly order: Pick<Row<'orders'>, 'payment' | 'ended' | 'handed_over' | 'transaction_id'>
  readonly bookings: readonly Pick<
    Row<'bookings'>,
    'reference' | 'state' | 'stopped_at' | 'creations_allowed' | 'carriage' | 'uncertain_until'
  >[]
  readonly refunds: readonly Pick<
    Row<'refunds'>,
    'transaction_id' | 'amount_halalas' | 'currency' | 'state' | 'written_off_at'
  >[]
  readonly events: readonly Pick<
    Row<'payment_events'>,
    'transaction_id' | 'kind' | 'outcome' | 'amount_halalas'
  >[]
  readonly claims: readonly (Pick<Row<'claims'>, 'id' | 'state'> & {
    readonly step: number | null
    readonly compensated: number
  })[]
}

interface Requested {
  readonly act: ApprovalAct
  readonly about: string
  readonly halalas?: number
}

const arrived: readonly Carriage[] = ['at-branch', 'collected']

const atBranch = ', at its branch'
const handedOver = (count: HandOverCount) => `handed over: ${count}`

const isReturn = ({ kind }: FactRows['events'][number]) => kind === 'refunded' || kind === 'voided'

/** Leaves out facts that change by themselves: attempts of a refund, scans on the way, and whether a claim is late. */
export function factsOf(
  { order, bookings, refunds, events, claims }: FactRows,
  { act, about }: Requested,
): Facts {
  const paid = halalasOf(events.filter(({ kind }) => kind === 'succeeded'))
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
        // A request to change the receiver remains valid when the airway bill is printed.
        if (act === 'receiver') return `${row.reference}${place}`
        const state = row.stopped_at === null ? row.state : 'stopped'
        return `${row.reference} ${state} ${row.creations_allowed}${place}`
      }),
    ],
    paid: [
      `${order.transaction_id} ${paid}`,
      ...returns.map(({ transaction_id, kind, outcome }) => `${transaction_id} ${kind} ${outcome}`),
    ].join(),
    ...(act === 'compensation' && { claim: `${claim?.state} ${claim?.step}` }),
    ...(compensated > 0 && { compensated }),
  }
}

export type Overtaking = keyof typeof overtakenBy

const statusChanges: Readonly<Record<string, Overtaking>> = {
  PAID: 'order-paid',
  CANCELLED: 'order-cancelled',
  EXPIRED: 'order-expired',
  REFUNDED: 'order-refunded',
}

const changeOf: { readonly [F in keyof Required<Facts>]: (before: Facts, now: Facts) => Overtaking } = {
  status: (_before, { status }) => statusChanges[status] ?? 'status',
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

export function overtakingOf(before: Facts, now: Facts): Overtaking | undefined {
  const names = Object.keys(changeOf) as (keyof Facts)[]
  const changed = names.find((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
  return changed && changeOf[changed](before, now)
}

export interface Check {
  readonly kind: CheckKind
  readonly tone: CheckTone
  readonly data: Readonly<Record<string, string | number>>
}

export interface SubjectReading {
  readonly state: string
  readonly checks: readonly Check[]
}

const checkOf =
  (tone: CheckTone) =>
  (kind: CheckKind, data: Check['data'] = {}): Check => ({ kind, tone, data })
export const [good, note, bad] = [checkOf('good'), checkOf('note'), checkOf('bad')]

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)

const halalasOf = (rows: readonly { readonly amount_halalas: number }[]) =>
  sumOf(rows.map(({ amount_halalas }) => amount_halalas))

const compensatedOf = (claims: FactRows['claims']) => sumOf(claims.map(({ compensated }) => compensated))

export interface Ledger {
  readonly captured: number
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
  // A partial return counts as the whole payment, because its sum is not stored.
  const byProvider = new Set(events.filter(isReturn).map(({ transaction_id }) => transaction_id))
  const others = [...byProvider].filter((transaction) => !inOurs.includes(transaction))
  return {
    captured: sumOf([...payments.values()]),
    returned: halalasOf(ordered) + sumOf(others.map((id) => payments.get(id) ?? 0)),
    compensated: compensatedOf(claims),
  }
}

export const leftOfCapture = ({ captured, returned, compensated }: Ledger): number =>
  Math.max(0, captured - returned - compensated)

function ledgerChecks(rows: FactRows, halalas: number): Check[] {
  const ledger = ledgerOf(rows)
  if (halalas <= leftOfCapture(ledger)) return []
  const amount = ledger.returned + ledger.compensated + halalas
  return [note('above-capture', { amount, captured: ledger.captured, currency })]
}

function moneyChecks({ order, events, refunds, claims }: FactRows): Check[] {
  const paid = events.filter(({ kind }) => kind === 'succeeded')
  const back = refunds.filter((row) => row.written_off_at === null)
  const isPartlyBack = events.some(({ outcome }) => outcome === 'partial-refund')
  const compensated = compensatedOf(claims)
  return [
    paid.length === 1
      ? good('paid-once', { amount: halalasOf(paid), currency })
      : note('paid-often', { count: paid.length, amount: halalasOf(paid), currency }),
    ...(isPartlyBack ? [note('partly-back')] : []),
    ...(back.length > 0 ? [note('gone-back', { amount: halalasOf(back), currency })] : []),
    ...(back.length === 0 && !isPartlyBack ? [good('nothing-back')] : []),
    ...(compensated > 0 ? [note('compensated', { amount: compensated, currency })] : []),
    order.handed_over === 'none' || order.handed_over === 'void'
      ? good('not-handed-over')
      : note('handed-over'),
  ]
}

export function checksOf({ act, about, halalas = 0 }: Requested, rows: FactRows): Check[] {
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

export const remainingSoloLimit = (
  roles: readonly StaffRole[],
  { ordered, limit }: { readonly ordered: number; readonly limit: number },
): number => (roles.includes('money') ? Math.max(0, limit - ordered) : 0)

export const isSecondReissue = (
  bookings: readonly { readonly stopped_at: number | null; readonly creations_allowed: number }[],
): boolean => bookings.some((row) => row.stopped_at !== null && row.creations_allowed > actionRules.creations)

/** The courier can have been asked for an airway bill. Staff must then notify the courier of a change themselves. */
export const isPrinted = (bookings: readonly { readonly uncertain_until: number }[]): boolean =>
  bookings.some((row) => row.uncertain_until !== 0)

export const isArrived = (bookings: readonly { readonly carriage: Carriage }[]): boolean =>
  bookings.some((row) => arrived.includes(row.carriage))

export const userIdOf = ({ act, about }: Pick<Row<'approvals'>, 'act' | 'about'>): number | undefined =>
  act === 'number' ? Number(about) : undefined

export const eventOf = (
  request: Pick<Row<'approvals'>, 'id' | 'act' | 'about' | 'halalas' | 'order_id'>,
  order?: { readonly user_id: number },
) => ({
  orderId: request.order_id ?? undefined,
  userId: order?.user_id ?? userIdOf(request),
  data: {
    approvalId: request.id,
    act: request.act,
    about: request.about,
    halalas: request.halalas,
  },
})
