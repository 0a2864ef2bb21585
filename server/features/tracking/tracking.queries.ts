import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import { type Claimed, createLeases, released } from '#server/platform/database/leases.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { CodeText } from './tracking.provider.ts'

export type TrackedRow = Row<'tracked_bookings'>
export type NewAlert = Omit<Row<'scan_alerts'>, 'id' | 'closed_at' | 'noticed_at'>

interface Release {
  readonly bookingIds: readonly number[]
  readonly silentPolls: number
  readonly inMs: number
  readonly isMoving: boolean
}

const mostCounted = 1_000

const isSilent = (before: number) =>
  sql<boolean>`(heard_at IS NOT NULL AND heard_at < ${before} AND (checked_at IS NULL OR checked_at < ${before}))`

/** At most this many calls to the courier run simultaneously, over all gateways. */
export const callsAtOnce = 2

export async function untrackBags({ database }: QueryCore, bookingIds: readonly number[]): Promise<void> {
  if (bookingIds.length === 0) return
  await database.tables.deleteFrom('tracked_bookings').where('booking_id', 'in', bookingIds).execute()
}

/** When a bag is due, bags that become due within `slackMs` are leased with it, so that one call polls more bags. */
export function leaseDueBags(
  { database }: QueryCore,
  lease: string,
  { leaseMs, slackMs, limit }: { leaseMs: number; slackMs: number; limit: number },
): Promise<Claimed<'tracked_bookings'>[]> {
  const [until, dueBy] = [database.now(leaseMs), database.now(slackMs)]
  return createLeases(database, 'tracked_bookings').claim({
    lease,
    until,
    dueBy,
    limit,
    most: callsAtOnce * limit,
  })
}

export async function releaseBags(
  { database }: QueryCore,
  lease: string,
  { bookingIds, silentPolls, inMs, isMoving }: Release,
  now: number,
): Promise<void> {
  await createLeases(database, 'tracked_bookings')
    .held(bookingIds, lease)
    .set({
      ...released(database.now(inMs)),
      silent_polls: silentPolls,
      heard_at: isMoving ? sql<number>`coalesce(heard_at, cast(${now} as bigint))` : null,
    })
    .execute()
}

/** @param report `lastScanAt`: null when no further scan is expected, undefined when the report has no scan */
export async function noteReport(
  { database }: QueryCore,
  bookingId: number,
  { seen, lastScanAt }: { readonly seen?: string; readonly lastScanAt?: number | null },
): Promise<void> {
  if (seen === undefined && lastScanAt === undefined) return
  await database.tables
    .updateTable('tracked_bookings')
    .set({ ...(seen !== undefined && { seen }), ...(lastScanAt !== undefined && { heard_at: lastScanAt }) })
    .where('booking_id', '=', bookingId)
    .execute()
}

export async function readOverdueMs({ database }: QueryCore): Promise<number> {
  const row = await database.tables
    .selectFrom('tracked_bookings')
    .select(sql<number>`${database.now()} - due_at`.as('overdue'))
    .where('due_at', 'is not', null)
    .where('due_at', '<=', database.now())
    .orderBy('due_at')
    .orderBy('booking_id')
    .limit(1)
    .executeTakeFirst()
  return Number(row?.overdue ?? 0)
}

export async function countSilentBags({ database }: QueryCore, before: number): Promise<number> {
  const rows = await database.tables
    .selectFrom('tracked_bookings')
    .select('booking_id')
    .where(isSilent(before))
    .limit(mostCounted)
    .execute()
  return rows.length
}

export const listSilentBags = ({ database }: QueryCore, before: number, limit: number) =>
  database.tables
    .selectFrom('tracked_bookings')
    .innerJoin('bookings', 'bookings.id', 'tracked_bookings.booking_id')
    .select(['bookings.order_id', 'bookings.awb', 'bookings.carriage', 'tracked_bookings.heard_at'])
    .where(isSilent(before))
    .orderBy('tracked_bookings.heard_at')
    .orderBy('tracked_bookings.booking_id')
    .limit(limit)
    .execute()

const bagsOf = ({ database }: QueryCore, orderId: number) =>
  database.tables.selectFrom('bookings').select('bookings.id').where('bookings.order_id', '=', orderId)

export async function addAlerts(
  { database }: QueryCore,
  alerts: readonly NewAlert[],
  now: number,
): Promise<NewAlert[]> {
  if (alerts.length === 0) return []
  return database.tables
    .insertInto('scan_alerts')
    .values(alerts.map((alert) => ({ ...alert, noticed_at: now })))
    .onConflict((conflict) => conflict.columns(['booking_id', 'event_key', 'kind']).doNothing())
    .returning(['booking_id', 'event_key', 'kind', 'code', 'text', 'place', 'at'])
    .execute()
}

export const listAlerts = ({ database }: QueryCore, limit: number) =>
  database.tables
    .selectFrom('scan_alerts')
    .innerJoin('bookings', 'bookings.id', 'scan_alerts.booking_id')
    .select([
      'bookings.order_id',
      'bookings.awb',
      'scan_alerts.kind',
      'scan_alerts.code',
      'scan_alerts.place',
      'scan_alerts.at',
      'scan_alerts.noticed_at',
    ])
    .where('scan_alerts.closed_at', 'is', null)
    .orderBy('scan_alerts.noticed_at')
    .orderBy('scan_alerts.id')
    .limit(limit)
    .execute()

export async function listAlertsOfOrder(core: QueryCore, orderId: number) {
  const rows = await core.database.tables
    .selectFrom('scan_alerts')
    .select(['id', 'kind', 'code', 'text', 'place', 'at'])
    .where('booking_id', 'in', bagsOf(core, orderId))
    .where('closed_at', 'is', null)
    .execute()
  return rows.toSorted((a, b) => a.id - b.id).map(({ id: _, ...alert }) => alert)
}

export async function countAlerts({ database }: QueryCore): Promise<number> {
  const rows = await database.tables
    .selectFrom('scan_alerts')
    .select('id')
    .where('closed_at', 'is', null)
    .limit(mostCounted)
    .execute()
  return rows.length
}

/**
 * Needs a transaction. Closes the alerts of bags that an operator has checked, and measures silence from now.
 * @returns how many alerts and silent bags it closed
 */
export async function checkBags(
  core: QueryCore,
  orderId: number,
  now: number,
  silentBefore: number,
): Promise<number> {
  const { database } = core
  database.assertTransaction()
  const closed = await database.changes(
    database.tables
      .updateTable('scan_alerts')
      .set({ closed_at: now })
      .where('booking_id', 'in', bagsOf(core, orderId))
      .where('closed_at', 'is', null),
  )
  const moving = database.tables
    .updateTable('tracked_bookings')
    .set({ checked_at: now })
    .where('booking_id', 'in', bagsOf(core, orderId))
  const silent = await database.changes(moving.where(isSilent(silentBefore)))
  await moving.where('heard_at', 'is not', null).execute()
  return closed + silent
}

export async function saveCodeTexts(
  { database }: QueryCore,
  texts: readonly CodeText[],
  now: number,
): Promise<void> {
  if (texts.length === 0) return
  // A statement must not change a row twice, so each code needs one row.
  const rows = [...new Map(texts.map((text) => [text.code, text])).values()]
  await database.tables
    .insertInto('scan_texts')
    .values(rows.map(({ code, ar, en }) => ({ code, ar: ar ?? null, en: en ?? null, fetched_at: now })))
    .onConflict((conflict) =>
      conflict.column('code').doUpdateSet((excluded) => ({
        ar: excluded.ref('excluded.ar'),
        en: excluded.ref('excluded.en'),
        fetched_at: excluded.ref('excluded.fetched_at'),
      })),
    )
    .execute()
}

export async function readCodeTexts({
  database,
}: QueryCore): Promise<{ texts: ReadonlyMap<string, CodeText>; fetchedAt: number }> {
  const rows = await database.tables.selectFrom('scan_texts').selectAll().execute()
  return {
    texts: new Map(
      rows.map(({ code, ar, en }) => [code, { code, ar: ar ?? undefined, en: en ?? undefined }]),
    ),
    fetchedAt: Math.max(0, ...rows.map(({ fetched_at }) => fetched_at)),
  }
}
