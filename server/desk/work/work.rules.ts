import { maskedPhone } from '#server/platform/masks.ts'
import { claimNumber } from '#shared/claims/claims.operations.ts'
import { decidingRoles } from '#shared/desk/actions/actions.schemas.ts'
import { labelHelpAfterMs } from '#shared/desk/work/work.operations.ts'
import { workStaleMs } from '#shared/desk/work/work.schemas.ts'
import { refundHelpAfterMs } from '#shared/payments/payments.rules.ts'
import type { WorkKind } from '#shared/platform/desk-words.ts'
import { riyadhOffsetMs } from '#shared/platform/instant.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import type * as queries from './work.queries.ts'
import type { Person, TakenRow } from './work.queries.ts'

const minute = 60_000
const hour = 60 * minute

/** A row of a work list is late after `limitMs`. */
export const workRules = {
  labels: { limitMs: labelHelpAfterMs },
  refunds: { limitMs: refundHelpAfterMs },
  payments: { limitMs: hour },
  bags: { limitMs: 24 * hour },
  messages: { limitMs: 4 * hour, shownMs: 7 * 24 * hour },
  /** Only the time between 8:00 and 22:00 in Riyadh counts for approvals. */
  approvals: { limitMs: 4 * hour, from: 8 * hour, until: 22 * hour },
  refusals: { shownMs: 72 * hour },
} as const

export type WorkReason =
  | 'label-stopped'
  | 'label-late'
  | 'refund-late'
  | 'reference-mismatch'
  | 'unknown-order'
  | 'partial-refund'
  | 'hidden'
  | 'damaged'
  | 'destroyed'
  | 'missing'
  | 'cancelled'
  | 'returning'
  | 'contradiction'
  | 'not-of-this-bag'
  | 'future-time'
  | 'silent'
  | 'message-failed'
  | 'message-late'
  | 'claim'
  | 'agent'
  | 'approval'

export interface Item {
  readonly kind: WorkKind
  readonly reference: string
  readonly orderId: number | null
  readonly bookingId?: number
  readonly since: number
  readonly dueAt: number
  readonly rank: number
  readonly askedBy?: Person
  readonly reason: WorkReason
  readonly data: Readonly<Record<string, string | number | null>>
}

type Queries = typeof queries
type Rows<K extends keyof Queries> = Queries[K] extends (...args: never) => Promise<infer R> ? R : never

const inOrder = (items: readonly Item[]) =>
  items.toSorted((one, other) => one.rank - other.rank || one.since - other.since)

export function labelItems(stopped: Rows<'listStoppedLabels'>, late: Rows<'listLateLabels'>): Item[] {
  return inOrder(
    [...stopped, ...late].map((row) => {
      const since = row.stopped_at ?? row.paid_at ?? 0
      return {
        kind: 'labels',
        reference: String(row.id),
        orderId: row.order_id,
        bookingId: row.id,
        since,
        dueAt: since + workRules.labels.limitMs,
        rank: row.stopped_at === null ? 1 : 0,
        reason: row.stopped_at === null ? 'label-late' : 'label-stopped',
        data: { tries: row.creations, reason: row.last_error },
      }
    }),
  )
}

export function refundItems(rows: Rows<'listLateRefunds'>): Item[] {
  return inOrder(
    rows.map((row) => ({
      kind: 'refunds',
      reference: String(row.id),
      orderId: row.order_id,
      reason: 'refund-late',
      since: row.created_at,
      dueAt: row.created_at + workRules.refunds.limitMs,
      rank: 0,
      data: { amount: row.amount_halalas, currency: row.currency, reason: row.last_error },
    })),
  )
}

export function paymentItems(events: Rows<'listUnresolvedPayments'>, findings: Rows<'listFindings'>): Item[] {
  const of = (since: number, amount: number) => ({
    since,
    dueAt: since + workRules.payments.limitMs,
    rank: -amount,
  })
  return inOrder([
    ...events.map(
      (row): Item => ({
        kind: 'payments',
        reference: `e${row.id}`,
        orderId: row.order_id,
        ...of(row.received_at, row.amount_halalas),
        reason: row.outcome as WorkReason,
        data: { amount: row.amount_halalas, currency: row.currency, transaction: row.transaction_id },
      }),
    ),
    ...findings.map(
      (row): Item => ({
        kind: 'payments',
        reference: `f${row.id}`,
        orderId: row.order_id,
        reason: 'hidden',
        ...of(row.noticed_at, row.amount_halalas),
        data: { amount: row.amount_halalas, currency: 'SAR', transaction: null },
      }),
    ),
  ])
}

const worstFirst: readonly WorkReason[] = ['missing', 'destroyed', 'damaged']

export function bagItems(
  alarms: Rows<'listAlarms'>,
  silent: Rows<'listSilentBags'>,
  silenceMs: number,
): Item[] {
  const rankOf = (reason: WorkReason) => {
    const place = worstFirst.indexOf(reason)
    return place === -1 ? worstFirst.length : place
  }
  const found: Item[] = [
    ...alarms.map((row) => ({
      kind: 'bags' as const,
      reference: String(row.booking_id),
      orderId: row.order_id,
      bookingId: row.booking_id,
      since: row.noticed_at,
      rank: rankOf(row.kind),
      reason: row.kind,
      dueAt: row.noticed_at + workRules.bags.limitMs,
      data: { code: row.code, place: row.place },
    })),
    ...silent.map((row) => ({
      kind: 'bags' as const,
      reference: String(row.booking_id),
      orderId: row.order_id,
      bookingId: row.booking_id,
      since: row.heard_at ?? 0,
      rank: worstFirst.length,
      dueAt: (row.heard_at ?? 0) + silenceMs,
      reason: 'silent' as const,
      data: { code: null, place: null },
    })),
  ]
  const bags = new Map<string, Item>()
  for (const one of found) {
    const known = bags.get(one.reference)
    const worst = known === undefined || one.rank < known.rank ? one : known
    const first = (of: 'since' | 'dueAt') => Math.min(one[of], known?.[of] ?? one[of])
    bags.set(one.reference, { ...worst, since: first('since'), dueAt: first('dueAt') })
  }
  return inOrder([...bags.values()])
}

export function messageItems(rows: Rows<'listFailedMessages'>): Item[] {
  return inOrder(
    rows.map((row) => {
      const since = row.ended_at ?? 0
      return {
        kind: 'messages',
        reference: String(row.id),
        orderId: row.order_id || null,
        ...(row.booking_id > 0 && { bookingId: row.booking_id }),
        since,
        dueAt: since + workRules.messages.limitMs,
        rank: row.kind === 'at-branch' ? 0 : 1,
        reason: row.state === 'failed' ? 'message-failed' : 'message-late',
        data: { about: row.kind, reason: row.last_error },
      }
    }),
  )
}

export function claimItems(rows: Rows<'listOpenClaims'>): Item[] {
  return rows
    .map(
      (row): Item => ({
        kind: 'claims',
        reference: String(row.id),
        orderId: row.order_id,
        bookingId: row.booking_id,
        since: row.opened_at,
        dueAt: row.late_since ?? row.answer_by,
        rank: row.answer_by,
        reason: 'claim',
        data: { number: claimNumber(row.id), kind: row.kind },
      }),
    )
    .toSorted((one, other) => one.dueAt - other.dueAt || one.since - other.since)
}

/** Rows of agents are never late, because staff act only when the agent calls. */
export function agentItems(rows: Rows<'listAgentAlerts'>): Item[] {
  return inOrder(
    rows.map((row) => ({
      kind: 'agents',
      reference: String(row.id),
      orderId: null,
      reason: 'agent',
      rank: 0,
      since: row.noticed_at,
      dueAt: row.ends_at,
      data: {
        agent: row.partner_agent_id,
        name: row.name,
        phone: maskedPhone(row.phone),
        wrong: row.wrong_codes,
        sends: row.sends,
      },
    })),
  )
}

export function afterDeskHours(since: number, { limitMs, from, until } = workRules.approvals): number {
  const day = 24 * hour
  const midnight = Math.floor((since + riyadhOffsetMs) / day) * day - riyadhOffsetMs
  const begins = Math.max(since, midnight + from)
  const left = Math.max(0, midnight + until - begins)
  return left >= limitMs ? begins + limitMs : midnight + day + from + limitMs - left
}

export function approvalItems(rows: Rows<'listWaitingApprovals'>): Item[] {
  return inOrder(
    rows.map((row) => ({
      kind: 'approvals',
      reference: String(row.id),
      orderId: row.order_id,
      reason: 'approval',
      since: row.asked_at,
      dueAt: afterDeskHours(row.asked_at),
      rank: 0,
      askedBy: { issuer: row.asked_issuer, subject: row.asked_subject },
      data: { act: row.act, by: row.asked_by, amount: row.halalas, currency: 'SAR' },
    })),
  )
}

export const isOf = ({ issuer, subject }: Person, row: Person): boolean =>
  row.issuer === issuer && row.subject === subject

export const waitsFor =
  (person: Person & { readonly roles: readonly StaffRole[] }) =>
  ({ askedBy }: Pick<Item, 'askedBy'>) =>
    askedBy === undefined ||
    (!isOf(person, askedBy) && person.roles.some((role) => decidingRoles.includes(role)))

export const isStale = ({ moved_at }: Pick<TakenRow, 'moved_at'>, now: number) =>
  moved_at <= now - workStaleMs
