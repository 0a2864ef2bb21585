import { type RawBuilder, sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely'
import { type Clock, elapsedBy } from '#server/platform/clock.ts'
import type { Backlog } from '#server/platform/metrics.ts'
import type { Database } from './database.ts'
import type { Row, Schema } from './schema.ts'

/** A row of background work is due at `due_at` (null: never), and leased until `leased_until`. */
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

export type Moment = number | RawBuilder<number>

export type Claimed<T extends WorkTable> = Row<T> & { readonly lease: string; readonly claimed_at: number }

export interface ClaimOptions {
  readonly lease: string
  readonly now?: Moment
  readonly until: Moment
  readonly limit?: number
  /** When at least one row of work is due now, rows that are due by this time are claimed, too. */
  readonly dueBy?: Moment
  /** At most this many rows of a table are leased at the same time, over all gateways. */
  readonly most?: number
  readonly stamp?: string
}

const mostCounted = 1_000

const lockOfClaims = 7_020

/** A worker changes a row only under its lease. After the lease has expired, another worker can claim the row. */
export function createLeases<T extends WorkTable>(database: Database, name: T) {
  const table = sql.table(name)
  const key = sql.ref(keys[name])
  const isPostgres = database.engine === 'postgres'

  const isFree = (now: Moment, by: Moment = now) =>
    sql`due_at IS NOT NULL AND due_at <= ${by} AND leased_until <= ${now}`

  function claimRows(options: ClaimOptions): RawBuilder<Claimed<T>> {
    const { lease, now = database.now(), until, limit = 1, dueBy, most, stamp } = options
    const leased = sql`SELECT count(*) FROM ${table} WHERE lease IS NOT NULL AND leased_until > ${now}`
    const due = sql`SELECT ${key} FROM ${table}
      WHERE ${isFree(now, dueBy)}
      ${dueBy === undefined ? sql`` : sql`AND (SELECT due_at FROM ${table} WHERE ${isFree(now)} ORDER BY due_at LIMIT 1) IS NOT NULL`}
      ${most === undefined ? sql`` : sql`AND (${leased}) <= ${sql.lit(most - limit)}`}
      ORDER BY due_at, ${key} LIMIT ${sql.lit(limit)}`
    // The due rows must be an array: PostgreSQL can run a subquery behind IN again for each row, skip rows that this
    // statement has changed, and so exceed the limit of claimed rows.
    const isDue = isPostgres
      ? sql`${key} = ANY(ARRAY(${due} FOR UPDATE SKIP LOCKED))`
      : sql`${key} IN (${due})`
    return sql`UPDATE ${table} SET lease = ${lease}, leased_until = ${until}, tries = tries + 1
      ${stamp === undefined ? sql`` : sql`, ${sql.ref(stamp)} = ${now}`}
      WHERE ${isDue} RETURNING *, CAST(${now} AS bigint) AS claimed_at`
  }

  return {
    async claim(options: ClaimOptions): Promise<Claimed<T>[]> {
      const claim = claimRows(options)
      if (options.most === undefined || !isPostgres) return (await claim.execute(database.tables)).rows
      // Without the lock, simultaneous claims would not count each other's leases.
      return database.transaction(async () => {
        await database.send(sql`SELECT pg_advisory_xact_lock(${sql.lit(lockOfClaims)}, hashtext(${name}))`)
        return database.last(claim)
      })
    },

    async backlog(now: Moment = database.now()): Promise<Backlog> {
      const { rows } = await sql<{ due_at: number }>`SELECT due_at FROM ${table}
        WHERE ${isFree(now)} ORDER BY due_at LIMIT ${sql.lit(mostCounted)}`.execute(database.tables)
      return { count: rows.length, oldest: rows[0]?.due_at ?? null }
    },

    held(ids: number | readonly number[], lease: string): UpdateQueryBuilder<Schema, T, T, UpdateResult> {
      const update = database.tables
        .updateTable(name as 'bookings')
        .where('lease', '=', lease)
        .where('due_at', 'is not', null)
      const isLeased = sql<boolean>`${key} IN (${sql.join([ids].flat())})`
      return update.where(isLeased) as never
    },
  }
}

/** When the only gateway of a database starts, no process that held a lease still runs. */
export async function freeLeases(database: Database): Promise<number> {
  let count = 0
  for (const name of Object.keys(keys)) {
    const table = sql.table(name)
    const freed = sql`UPDATE ${table} SET lease = NULL, leased_until = 0 WHERE lease IS NOT NULL`
    count += Number((await freed.execute(database.tables)).numAffectedRows ?? 0)
  }
  return count
}

/**
 * Returns a clock that continues from the database's time of a claim, and stays right when the machine's clock is set.
 */
export function timeSince(claimedAt: number, clock: Clock): () => number {
  const begunAt = elapsedBy(clock)
  return () => claimedAt + Math.round(elapsedBy(clock) - begunAt)
}

export const released = <D extends Moment | null>(dueAt: D) => ({
  lease: null,
  leased_until: 0,
  due_at: dueAt,
})

const longestReason = 200

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, longestReason)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`.slice(0, longestReason)
}
