import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { type Claimed, createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { CodeText } from './tracking.provider.ts'

export type TrackedRow = Row<'tracked_bookings'>
export type NewAlert = Omit<Row<'scan_alerts'>, 'id' | 'closed_at' | 'noticed_at'>

/** When the next poll of bags with the same fate is due. */
interface Release {
  readonly bookingIds: readonly number[]
  readonly silentPolls: number
  readonly inMs: number
  readonly isMoving: boolean
}

export type TrackingStore = ReturnType<typeof createTrackingStore>

export function createTrackingStore(database: Database) {
  return { ...createPolls(database), ...createAlerts(database), ...createTexts(database) }
}

/** Gauges count no further: beyond it the number is not what matters. */
const mostCounted = 1_000

/** Of a bag on its way: no news before this time, and no look since. */
const isSilent = (before: number) =>
  sql<boolean>`(heard_at IS NOT NULL AND heard_at < ${before} AND (checked_at IS NULL OR checked_at < ${before}))`

/** So many full calls to the courier at a time, of all gateways: their bags are what is counted. */
export const callsAtOnce = 2

function createPolls(database: Database) {
  const leases = createLeases(database, 'tracked_bookings')
  return {
    /** Begins to ask about bookings; those that are tracked already stay as they are. Returns how many were new. */
    async track(
      bookings: readonly { readonly bookingId: number; readonly awb: string }[],
      dueAt: Moment,
      trackedUntil: number,
    ): Promise<number> {
      if (bookings.length === 0) return 0
      return database.changes(
        database.tables
          .insertInto('tracked_bookings')
          .values(
            bookings.map(({ bookingId, awb }) => ({
              booking_id: bookingId,
              awb,
              due_at: dueAt,
              tracked_until: trackedUntil,
              silent_polls: 0,
            })),
          )
          .onConflict((conflict) => conflict.column('booking_id').doNothing()),
      )
    },

    async untrack(bookingIds: readonly number[]): Promise<void> {
      if (bookingIds.length === 0) return
      await database.tables.deleteFrom('tracked_bookings').where('booking_id', 'in', bookingIds).execute()
    },

    /** There is news of a booking that did not come from a poll: the next one is soon, and tracking goes on. */
    async hasten(
      bookingId: number,
      { pollAt, trackedUntil, heardAt }: { pollAt: Moment; trackedUntil: number; heardAt: number },
    ): Promise<void> {
      await database.tables
        .updateTable('tracked_bookings')
        .set({
          due_at: sql<number>`case when due_at > ${pollAt} then cast(${pollAt} as bigint) else due_at end`,
          tracked_until: trackedUntil,
          silent_polls: 0,
          heard_at: heardAt,
        })
        .where('booking_id', '=', bookingId)
        .execute()
    },

    /**
     * Leases the bookings that have been due longest, with those due within `slackMs`, at most `limit`; none unless one is
     * due now. One winner per booking.
     */
    leaseDue(
      lease: string,
      { leaseMs, slackMs, limit }: { leaseMs: number; slackMs: number; limit: number },
    ): Promise<Claimed<'tracked_bookings'>[]> {
      const [until, dueBy] = [database.now(leaseMs), database.now(slackMs)]
      return leases.claim({ lease, until, dueBy, limit, most: callsAtOnce * limit })
    },

    /** Ends a lease of bookings. Changes nothing where the lease was lost. */
    async release(
      lease: string,
      { bookingIds, silentPolls, inMs, isMoving }: Release,
      now: number,
    ): Promise<void> {
      await leases
        .held(bookingIds, lease)
        .set({
          ...released(database.now(inMs)),
          silent_polls: silentPolls,
          heard_at: isMoving ? sql<number>`coalesce(heard_at, cast(${now} as bigint))` : null,
        })
        .execute()
    },

    /**
     * There was news of a booking at `heardAt`; null: its silence is no worry; absent: there was none. `seen`: fingerprint of the recorded answer,
     * so that the same answer is not recorded again.
     */
    async noteHeard(
      bookingId: number,
      news: { readonly seen?: string; readonly heardAt?: number | null },
    ): Promise<void> {
      const { seen, heardAt } = news
      if (seen === undefined && heardAt === undefined) return
      await database.tables
        .updateTable('tracked_bookings')
        .set({ ...(seen !== undefined && { seen }), ...(heardAt !== undefined && { heard_at: heardAt }) })
        .where('booking_id', '=', bookingId)
        .execute()
    },

    /** How many milliseconds the poll that is overdue longest is due; 0 when none is. */
    async readOverdueMs(): Promise<number> {
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
    },

    /** Bags on their way that were last heard of, or looked at, before `before`; counts to 1,000. */
    async countSilent(before: number): Promise<number> {
      const rows = await database.tables
        .selectFrom('tracked_bookings')
        .select('booking_id')
        .where(isSilent(before))
        .limit(mostCounted)
        .execute()
      return rows.length
    },

    /** Those that were not heard of for longest. */
    listSilent(before: number, limit: number) {
      return database.tables
        .selectFrom('tracked_bookings')
        .innerJoin('bookings', 'bookings.id', 'tracked_bookings.booking_id')
        .select(['bookings.order_id', 'bookings.awb', 'bookings.carriage', 'tracked_bookings.heard_at'])
        .where(isSilent(before))
        .orderBy('tracked_bookings.heard_at')
        .orderBy('tracked_bookings.booking_id')
        .limit(limit)
        .execute()
    },
  }
}

function createAlerts(database: Database) {
  const bagsOf = (orderId: number) =>
    database.tables.selectFrom('bookings').select('bookings.id').where('bookings.order_id', '=', orderId)

  return {
    /** Stores what a person must look at, each once; returns those that are new. */
    async addAlerts(alerts: readonly NewAlert[], now: number): Promise<NewAlert[]> {
      if (alerts.length === 0) return []
      return database.tables
        .insertInto('scan_alerts')
        .values(alerts.map((alert) => ({ ...alert, noticed_at: now })))
        .onConflict((conflict) => conflict.columns(['booking_id', 'event_key', 'kind']).doNothing())
        .returning(['booking_id', 'event_key', 'kind', 'code', 'text', 'place', 'at'])
        .execute()
    },

    /** Open ones, oldest first. */
    listAlerts(limit: number) {
      return database.tables
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
    },

    /** Open ones of an order. */
    async listAlertsOfOrder(orderId: number) {
      const rows = await database.tables
        .selectFrom('scan_alerts')
        .select(['id', 'kind', 'code', 'text', 'place', 'at'])
        .where('booking_id', 'in', bagsOf(orderId))
        .where('closed_at', 'is', null)
        .execute()
      return rows.toSorted((a, b) => a.id - b.id).map(({ id: _, ...alert }) => alert)
    },

    /** Counts open ones to 1,000. */
    async countAlerts(): Promise<number> {
      const rows = await database.tables
        .selectFrom('scan_alerts')
        .select('id')
        .where('closed_at', 'is', null)
        .limit(mostCounted)
        .execute()
      return rows.length
    },

    /**
     * Inside a transaction: a person has looked at the bags of an order. Their alerts are closed, and silence counts anew.
     * Returns how many alerts were open, and how many bags were silent since before `silentBefore`.
     */
    async checkBags(orderId: number, now: number, silentBefore: number): Promise<number> {
      database.assertTransaction()
      const closed = await database.changes(
        database.tables
          .updateTable('scan_alerts')
          .set({ closed_at: now })
          .where('booking_id', 'in', bagsOf(orderId))
          .where('closed_at', 'is', null),
      )
      const moving = database.tables
        .updateTable('tracked_bookings')
        .set({ checked_at: now })
        .where('booking_id', 'in', bagsOf(orderId))
      const silent = await database.changes(moving.where(isSilent(silentBefore)))
      await moving.where('heard_at', 'is not', null).execute()
      return closed + silent
    },
  }
}

function createTexts(database: Database) {
  return {
    /** Replaces the texts of these codes; those of other codes stay. */
    async saveTexts(texts: readonly CodeText[], now: number): Promise<void> {
      if (texts.length === 0) return
      // One row per code: a statement must not change a row twice.
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
    },

    /** All texts, and when the newest was fetched; 0 when there are none. */
    async readTexts(): Promise<{ texts: ReadonlyMap<string, CodeText>; fetchedAt: number }> {
      const rows = await database.tables.selectFrom('scan_texts').selectAll().execute()
      return {
        texts: new Map(
          rows.map(({ code, ar, en }) => [code, { code, ar: ar ?? undefined, en: en ?? undefined }]),
        ),
        fetchedAt: Math.max(0, ...rows.map(({ fetched_at }) => fetched_at)),
      }
    },
  }
}
