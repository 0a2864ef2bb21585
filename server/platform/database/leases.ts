import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely'
import { type Clock, elapsedBy } from '#server/platform/clock.ts'
import type { Backlog } from '#server/platform/metrics.ts'
import type { Database } from './database.ts'
import type { Row, Schema } from './schema.ts'

/** Tables whose rows are work: a row is due at `due_at` (null: never), and leased until `leased_until`. */
export type WorkTable =
  | 'bookings'
  | 'messages'
  | 'tracked_bookings'
  | 'payment_attempts'
  | 'refunds'
  | 'claims'

const keys = {
  bookings: 'id',
  messages: 'id',
  tracked_bookings: 'booking_id',
  payment_attempts: 'id',
  refunds: 'id',
  claims: 'id',
} as const satisfies Record<WorkTable, string>

/** Epoch milliseconds of the database's time, or an expression for them. */
export type Moment = number | RawBuilder<number>

/** `claimed_at`: the database's time of the claim. */
export type Claimed<T extends WorkTable> = Row<T> & { readonly lease: string; readonly claimed_at: number }

export interface ClaimOptions {
  readonly lease?: string
  readonly now?: Moment
  readonly until: Moment
  /** Rows of this claim. */
  readonly limit?: number
  /** Where a row is due now, rows that are due by then are claimed with it. Default: now. */
  readonly dueBy?: Moment
  /** Leased rows at once, of all gateways; no row is claimed that would exceed it. */
  readonly most?: number
  /** Another column of the row that says when it was claimed. */
  readonly stamp?: string
}

/** Counting stops here, so that a scrape reads few rows. */
const mostCounted = 1_000

/** Any number; the same for all gateways. */
const lockOfClaims = 7_020

/**
 * The one protocol of background work. A worker claims a row before it works on it; every change of the row is guarded by
 * the lease, which another worker takes when it has run out. Times are the database's: gateways may differ.
 */
export function createLeases<T extends WorkTable>(database: Database, name: T) {
  const table = sql.table(name)
  const key = sql.ref(keys[name])
  const isPostgres = database.engine === 'postgres'

  const isFree = (now: Moment, by: Moment = now) =>
    sql`due_at IS NOT NULL AND due_at <= ${by} AND leased_until <= ${now}`

  function claimRows(options: ClaimOptions): RawBuilder<Claimed<T>> {
    const { lease = randomUUID(), now = database.now(), until, limit = 1, dueBy, most, stamp } = options
    const leased = sql`SELECT count(*) FROM ${table} WHERE lease IS NOT NULL AND leased_until > ${now}`
    const due = sql`SELECT ${key} FROM ${table}
      WHERE ${isFree(now, dueBy)}
      ${dueBy === undefined ? sql`` : sql`AND (SELECT due_at FROM ${table} WHERE ${isFree(now)} ORDER BY due_at LIMIT 1) IS NOT NULL`}
      ${most === undefined ? sql`` : sql`AND (${leased}) <= ${sql.lit(most - limit)}`}
      ORDER BY due_at, ${key} LIMIT ${sql.lit(limit)}`
    // An array, because PostgreSQL may read a subquery behind IN anew for each row, which then skips what this statement
    // has changed and passes the limit.
    const isDue = isPostgres
      ? sql`${key} = ANY(ARRAY(${due} FOR UPDATE SKIP LOCKED))`
      : sql`${key} IN (${due})`
    return sql`UPDATE ${table} SET lease = ${lease}, leased_until = ${until}, tries = tries + 1
      ${stamp === undefined ? sql`` : sql`, ${sql.ref(stamp)} = ${now}`}
      WHERE ${isDue} RETURNING *, CAST(${now} AS bigint) AS claimed_at`
  }

  return {
    /** Leases what has been due longest. One winner for each row. */
    async claim(options: ClaimOptions): Promise<Claimed<T>[]> {
      const run = async () => (await claimRows(options).execute(database.tables)).rows
      if (options.most === undefined || !isPostgres) return run()
      // Two claims at once would count the leases of the other neither.
      return database.transaction(async () => {
        await sql`SELECT pg_advisory_xact_lock(${sql.lit(lockOfClaims)}, hashtext(${name}))`.execute(
          database.tables,
        )
        return run()
      })
    },

    /** What is due and not leased, counted to 1,000, and since when. */
    async backlog(now: Moment = database.now()): Promise<Backlog> {
      const { rows } = await sql<{ due_at: number }>`SELECT due_at FROM ${table}
        WHERE ${isFree(now)} ORDER BY due_at LIMIT ${sql.lit(mostCounted)}`.execute(database.tables)
      return { count: rows.length, oldest: rows[0]?.due_at ?? null }
    },

    /** Changes rows under their lease. A row stays as it is when its lease was lost or it is no longer due. */
    held(ids: number | readonly number[], lease: string): UpdateQueryBuilder<Schema, T, T, UpdateResult> {
      // Kysely cannot check the columns of a table that is a parameter.
      const update = database.tables
        .updateTable(name as 'bookings')
        .where('lease', '=', lease)
        .where('due_at', 'is not', null)
      const isHeld = sql<boolean>`${key} IN (${sql.join([ids].flat())})`
      return update.where(isHeld) as never
    },
  }
}

/** Ends every lease; returns how many. For the start of the only gateway: the processes that held them are gone. */
export async function freeLeases(database: Database): Promise<number> {
  let count = 0
  for (const name of Object.keys(keys)) {
    const table = sql.table(name)
    const freed = sql`UPDATE ${table} SET lease = NULL, leased_until = 0 WHERE lease IS NOT NULL`
    count += Number((await freed.execute(database.tables)).numAffectedRows ?? 0)
  }
  return count
}

/** The database's time, after a claim: as it was then, and what has passed since, also while this gateway's clock is set. */
export function timeSince(claimedAt: number, clock: Clock): () => number {
  const begunAt = elapsedBy(clock)
  // Whole milliseconds, as columns hold them.
  return () => claimedAt + Math.round(elapsedBy(clock) - begunAt)
}

/** Columns of a row whose lease ends; it is due again at `dueAt`, or never. */
export const released = <D extends Moment | null>(dueAt: D) => ({
  lease: null,
  leased_until: 0,
  due_at: dueAt,
})

const longestReason = 200

/** A failure as `last_error` stores it and operators read it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, longestReason)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`.slice(0, longestReason)
}
