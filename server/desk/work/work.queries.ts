import { type RawBuilder, sql } from 'kysely'
import type { Core } from '#server/core.ts'
import { journeysOf } from '#server/features/history/bag-events.ts'
import { storedEventOf } from '#server/features/history/history.ts'
import { needsPerson } from '#server/platform/database/refunds-for-person.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { rolesIn } from '#server/platform/staff-roles.ts'
import { workCountedTo } from '#shared/desk/work/work.schemas.ts'
import type { WorkKind } from '#shared/platform/desk-words.ts'

export type TakenRow = Row<'desk_work'>
export interface Person {
  readonly issuer: string
  readonly subject: string
}
export interface RowKey {
  readonly kind: WorkKind
  readonly reference: string
}

// The literals let the planner use the partial indexes.
const isWaiting = sql<boolean>`state = 'waiting'`
const isOpenClaim = sql<boolean>`state = 'OPEN'`
const isUnresolved = sql<boolean>`(payment_events.outcome = 'reference-mismatch' OR payment_events.outcome = 'unknown-order' OR payment_events.outcome = 'partial-refund')`
const didNotArrive = sql<boolean>`(messages.state = 'failed' OR (messages.state = 'dropped' AND messages.last_error = 'too late'))`
const isImportant = sql<boolean>`(messages.kind IN ('paid', 'label-issued', 'at-branch', 'exception', 'late', 'refunded', 'refund-failed') OR messages.kind LIKE 'claim-%')`
const arrivedLater = sql<boolean>`EXISTS (SELECT 1 FROM messages AS later WHERE later.order_id = messages.order_id
  AND later.booking_id = messages.booking_id AND later.kind = messages.kind AND later.id > messages.id
  AND later.state = 'delivered')`

const refusalsShown = 20

export type RowsOf = { readonly id: number } | { readonly orderId: number }

interface Query<Q> {
  orderBy(column: RawBuilder<unknown>): Q
  where(condition: RawBuilder<boolean>): Q
  limit(most: number): Q
}

function part<Q extends Query<Q>>(
  query: Q,
  of: RowsOf | undefined,
  { id, orderId, by }: { readonly id: string; readonly orderId: string; readonly by: readonly string[] },
): Q {
  if (of === undefined)
    return by.reduce((sorted, column) => sorted.orderBy(sql.ref(column)), query).limit(workCountedTo)
  const [column, value] = 'id' in of ? [id, of.id] : [orderId, of.orderId]
  return query.where(sql<boolean>`${sql.ref(column)} = ${value}`)
}

// Every query of a work list must use an index.

const ofBag = { id: 'bookings.id', orderId: 'bookings.order_id' }

const bookings = ({ database }: Core) =>
  database.tables
    .selectFrom('bookings')
    .innerJoin('orders', 'orders.id', 'bookings.order_id')
    .select([
      'bookings.id',
      'bookings.order_id',
      'bookings.stopped_at',
      'bookings.creations',
      'bookings.last_error',
      'orders.paid_at',
    ])

export const listStoppedLabels = (core: Core, of?: RowsOf) =>
  bookings(core)
    .where('bookings.stopped_at', 'is not', null)
    .$call((all) => part(all, of, { ...ofBag, by: ['bookings.stopped_at'] }))
    .execute()

export const listLateLabels = (core: Core, paidBefore: number, of?: RowsOf) =>
  bookings(core)
    .where('bookings.due_at', 'is not', null)
    .where('bookings.stopped_at', 'is', null)
    .where('orders.paid_at', '<', paidBefore)
    .$call((all) => part(all, of, { ...ofBag, by: ['bookings.due_at', 'bookings.id'] }))
    .execute()

export const listAlarms = ({ database }: Core, of?: RowsOf) =>
  database.tables
    .selectFrom('scan_alerts')
    .innerJoin('bookings', 'bookings.id', 'scan_alerts.booking_id')
    .select([
      'scan_alerts.booking_id',
      'bookings.order_id',
      'scan_alerts.kind',
      'scan_alerts.code',
      'scan_alerts.place',
      'scan_alerts.noticed_at',
    ])
    .where('scan_alerts.closed_at', 'is', null)
    .$call((all) => part(all, of, { ...ofBag, by: ['scan_alerts.noticed_at', 'scan_alerts.id'] }))
    .execute()

export const listSilentBags = ({ database }: Core, before: number, of?: RowsOf) =>
  database.tables
    .selectFrom('tracked_bookings')
    .innerJoin('bookings', 'bookings.id', 'tracked_bookings.booking_id')
    .select(['tracked_bookings.booking_id', 'bookings.order_id', 'tracked_bookings.heard_at'])
    .where('tracked_bookings.heard_at', '<', before)
    .where('tracked_bookings.heard_at', 'is not', null)
    .where(sql<boolean>`(tracked_bookings.checked_at IS NULL OR tracked_bookings.checked_at < ${before})`)
    .$call((all) =>
      part(all, of, { ...ofBag, by: ['tracked_bookings.heard_at', 'tracked_bookings.booking_id'] }),
    )
    .execute()

/** Lists agents whose phones have used up their sign-in codes of a day. */
export async function listAgentAlerts({ database }: Core, now: number, of?: RowsOf) {
  if (of !== undefined && 'orderId' in of) return []
  return database.tables
    .selectFrom('agent_alerts')
    .select(['id', 'phone', 'partner_agent_id', 'name', 'wrong_codes', 'sends', 'noticed_at', 'ends_at'])
    .where('ends_at', '>', now)
    .$call((all) => part(all, of, { id: 'id', orderId: 'id', by: ['ends_at', 'id'] }))
    .execute()
}

export const listOpenClaims = ({ database }: Core, of?: RowsOf) =>
  database.tables
    .selectFrom('claims')
    .select(['id', 'order_id', 'booking_id', 'kind', 'opened_at', 'answer_by', 'late_since'])
    .where(isOpenClaim)
    .$call((all) => part(all, of, { id: 'id', orderId: 'order_id', by: ['answer_by'] }))
    .execute()

export async function listBags({ database }: Core, orderIds: readonly number[]) {
  if (orderIds.length === 0) return []
  const rows = await database.tables
    .selectFrom('bookings')
    .select(['id', 'order_id', 'leg', 'awb', 'destination', 'carriage', 'last_event_at'])
    .where('order_id', 'in', orderIds)
    .execute()
  return rows.toSorted((one, other) => one.order_id - other.order_id || one.leg - other.leg)
}

export async function listLastScans({ database }: Core, bookingIds: readonly number[]) {
  if (bookingIds.length === 0) return []
  const rows = await database.tables
    .selectFrom('bookings')
    .innerJoin('events', (join) =>
      join.onRef('events.booking_id', '=', 'bookings.id').onRef('events.at', '=', 'bookings.last_event_at'),
    )
    .selectAll('events')
    .where('bookings.id', 'in', bookingIds)
    .orderBy('events.id')
    .execute()
  return [...journeysOf(rows.map(storedEventOf)).values()].flat()
}

/** A written-off refund of a cancelled order is listed until another refund is ordered. */
export const listLateRefunds = ({ database }: Core, orderedBy: number, of?: RowsOf) =>
  database.tables
    .selectFrom('refunds')
    .innerJoin('payment_attempts', 'payment_attempts.id', 'refunds.attempt_id')
    .select([
      'refunds.id',
      'payment_attempts.order_id',
      'refunds.amount_halalas',
      'refunds.currency',
      'refunds.state',
      'refunds.last_error',
      'refunds.created_at',
    ])
    .where(needsPerson(orderedBy))
    .$call((all) =>
      part(all, of, {
        id: 'refunds.id',
        orderId: 'payment_attempts.order_id',
        by: ['refunds.created_at'],
      }),
    )
    .execute()

export const listWaitingApprovals = ({ database }: Core, now: number, of?: RowsOf) =>
  database.tables
    .selectFrom('approvals')
    .select(['id', 'order_id', 'act', 'halalas', 'asked_at', 'asked_by', 'asked_issuer', 'asked_subject'])
    .where(isWaiting)
    .where('expires_at', '>', now)
    .$call((all) => part(all, of, { id: 'id', orderId: 'order_id', by: ['asked_at', 'id'] }))
    .execute()

export const listRefused = ({ database }: Core, { issuer, subject }: Person, after: number) =>
  database.tables
    .selectFrom('approvals')
    .select(['id', 'order_id', 'act', 'halalas', 'decided_by', 'decided_at', 'decision'])
    .where('asked_issuer', '=', issuer)
    .where('asked_subject', '=', subject)
    .where('decided_at', '>', after)
    .where('state', '=', 'refused')
    .orderBy('decided_at', 'desc')
    .limit(refusalsShown)
    .execute()

export const listUnresolvedPayments = ({ database }: Core, of?: RowsOf) =>
  database.tables
    .selectFrom('payment_events')
    .leftJoin('payment_attempts', 'payment_attempts.id', 'payment_events.attempt_id')
    .select([
      'payment_events.id',
      'payment_attempts.order_id',
      'payment_events.transaction_id',
      'payment_events.outcome',
      'payment_events.amount_halalas',
      'payment_events.currency',
      'payment_events.received_at',
    ])
    .where('payment_events.seen_at', 'is', null)
    .where(isUnresolved)
    .$call((all) =>
      part(all, of, {
        id: 'payment_events.id',
        orderId: 'payment_attempts.order_id',
        by: ['payment_events.received_at', 'payment_events.id'],
      }),
    )
    .execute()

export const listFindings = ({ database }: Core, of?: RowsOf) =>
  database.tables
    .selectFrom('payment_findings')
    .innerJoin('payment_attempts', 'payment_attempts.id', 'payment_findings.attempt_id')
    .select([
      'payment_findings.id',
      'payment_attempts.order_id',
      'payment_findings.amount_halalas',
      'payment_findings.noticed_at',
    ])
    .where('payment_findings.closed_at', 'is', null)
    .$call((all) =>
      part(all, of, {
        id: 'payment_findings.id',
        orderId: 'payment_attempts.order_id',
        by: ['payment_findings.noticed_at', 'payment_findings.id'],
      }),
    )
    .execute()

/** Lists failed messages, without those after which a message of the same kind was delivered. */
export const listFailedMessages = ({ database }: Core, endedAfter: number, of?: RowsOf) =>
  database.tables
    .selectFrom('messages')
    .select(['id', 'order_id', 'booking_id', 'kind', 'state', 'last_error', 'ended_at'])
    .where('seen_at', 'is', null)
    .where(didNotArrive)
    .where('ended_at', '>', endedAfter)
    .where(isImportant)
    .where(sql<boolean>`NOT ${arrivedLater}`)
    .$call((all) =>
      part(all, of, { id: 'messages.id', orderId: 'messages.order_id', by: ['ended_at', 'id'] }),
    )
    .execute()

export function markSeen(
  { database }: Core,
  table: 'payment_events' | 'messages',
  id: number,
  now: number,
): Promise<boolean> {
  return database.wins(
    table === 'messages'
      ? database.tables
          .updateTable('messages')
          .set({ seen_at: now })
          .where('id', '=', id)
          .where('seen_at', 'is', null)
      : database.tables
          .updateTable('payment_events')
          .set({ seen_at: now })
          .where('id', '=', id)
          .where('seen_at', 'is', null),
  )
}

export const closeFinding = ({ database }: Core, id: number, now: number): Promise<boolean> =>
  database.wins(
    database.tables
      .updateTable('payment_findings')
      .set({ closed_at: now })
      .where('id', '=', id)
      .where('closed_at', 'is', null),
  )

const hasHolder = (now: number) =>
  sql<boolean>`EXISTS (SELECT 1 FROM desk_sessions AS s WHERE s.issuer = desk_work.issuer
    AND s.subject = desk_work.subject AND s.idle_until > ${now} AND s.ends_at > ${now})`
const isOf = ({ issuer, subject }: Person) =>
  sql<boolean>`(desk_work.issuer = ${issuer} AND desk_work.subject = ${subject})`
const ofRow = ({ kind, reference }: RowKey) =>
  sql<boolean>`(desk_work.kind = ${kind} AND desk_work.reference = ${reference})`

export const listTaken = ({ database }: Core, now: number): Promise<TakenRow[]> =>
  database.tables.selectFrom('desk_work').selectAll().where(hasHolder(now)).execute()

export const findTaken = ({ database }: Core, row: RowKey, now: number): Promise<TakenRow | undefined> =>
  database.tables
    .selectFrom('desk_work')
    .selectAll()
    .where(ofRow(row))
    .where(hasHolder(now))
    .executeTakeFirst()

/**
 * @returns false when a signed-in colleague of `by` holds the row, took it after `over` and touched it after
 * `staleBefore`
 */
export async function giveRow(
  { database }: Core,
  row: TakenRow,
  { by, now, staleBefore, over }: { by: Person; now: number; staleBefore: number; over: number | null },
): Promise<boolean> {
  const { kind: _, reference: __, ...given } = row
  const isSame = sql<boolean>`(desk_work.issuer = excluded.issuer AND desk_work.subject = excluded.subject)`
  return database.wins(
    database.tables
      .insertInto('desk_work')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'reference'])
          .doUpdateSet({
            ...given,
            taken_at: sql<number>`CASE WHEN ${isSame} THEN desk_work.taken_at ELSE excluded.taken_at END`,
            handed_by: sql<
              string | null
            >`CASE WHEN ${isSame} THEN coalesce(excluded.handed_by, desk_work.handed_by) ELSE excluded.handed_by END`,
            note: sql<
              string | null
            >`CASE WHEN ${isSame} THEN coalesce(excluded.note, desk_work.note) ELSE excluded.note END`,
          })
          .where((known) =>
            known.or([
              ...(over === null ? [] : [known('desk_work.taken_at', '<=', over)]),
              isOf(by),
              known('desk_work.moved_at', '<=', staleBefore),
              known.not(hasHolder(now)),
            ]),
          ),
      ),
  )
}

export const releaseRow = ({ database }: Core, row: RowKey, person: Person): Promise<boolean> =>
  database.wins(database.tables.deleteFrom('desk_work').where(ofRow(row)).where(isOf(person)))

export const releaseAll = ({ database }: Core, { issuer, subject }: Person): Promise<TakenRow[]> =>
  database.tables
    .deleteFrom('desk_work')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returningAll()
    .execute()

export async function listPeople({ database }: Core, now: number) {
  const rows = await database.tables
    .selectFrom('desk_sessions')
    .select(['issuer', 'subject', 'name', 'roles'])
    .where('idle_until', '>', now)
    .where('ends_at', '>', now)
    .execute()
  const people = rows.map(({ roles, ...person }) => ({ ...person, roles: rolesIn(roles) }))
  const each = new Map(people.map((person) => [`${person.issuer} ${person.subject}`, person]))
  return [...each.values()].toSorted((one, other) => one.name.localeCompare(other.name))
}
