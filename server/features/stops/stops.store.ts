import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Sale } from '#shared/stops/stops.rules.ts'

export type StopRow = Row<'stops'>
/** With the time at which it was read. */
export type OpenStop = StopRow & { readonly now: number }
export type AddedStop = Omit<StopRow, 'id' | 'ended_at' | 'ended_by' | 'ended_because'>

/** For the transaction that makes a sale. */
export interface SaleGuard {
  /** Is selected before the sale: no stop is set from here to the end of the transaction. Undefined where none could be. */
  readonly lock: Expression<unknown> | undefined
  /** A condition of the statement that makes the sale: no stop is in force for it. */
  readonly isSold: Expression<SqlBool>
}

const lockName = sql`hashtextextended('stops', 0)`

export type StopsStore = ReturnType<typeof createStopsStore>

/** What is not sold. All times are the database's, in epoch milliseconds. */
export function createStopsStore(database: Database) {
  const open = () => database.tables.selectFrom('stops').where('ended_at', 'is', null)

  return {
    /** The conditions under which a sale is made; `isInForce` and `stopOf` of stops.rules.ts in SQL. */
    guardOf(sale: Sale): SaleGuard {
      const holding = open()
        .select('id')
        .where('from_at', '<=', database.now())
        .where(({ or, eb }) => or([eb('until_at', 'is', null), eb('until_at', '>', database.now())]))
        .where(({ or, and, eb }) =>
          or([
            eb('what', '=', 'all'),
            ...(['city', 'branch', 'agent'] as const).map((what) =>
              and([eb('what', '=', what), eb('code', '=', sale[what] ?? '')]),
            ),
          ]),
        )
      return {
        // SQLite has one writer at a time.
        lock: database.engine === 'postgres' ? sql`pg_advisory_xact_lock_shared(${lockName})` : undefined,
        isSold: sql<SqlBool>`not exists ${holding}`,
      }
    },

    /** Inside a transaction: waits for the sales that are being made, and holds up others until it ends. */
    async lockSales(): Promise<void> {
      database.assertTransaction()
      if (database.engine === 'postgres')
        await sql`select pg_advisory_xact_lock(${lockName})`.execute(database.tables)
    },

    readTime: database.readNow,

    /** What was not taken back, in the order in which it was set: some of it may begin later, or be over. */
    listOpen: (): Promise<OpenStop[]> =>
      open().selectAll().select(database.now().as('now')).orderBy('id').execute(),

    async addStops(rows: readonly AddedStop[]): Promise<void> {
      await database.tables.insertInto('stops').values(rows).execute()
    },

    /** What is over by itself keeps that end. */
    async endStops(
      ids: readonly number[],
      end: { readonly at: number; readonly by: string; readonly because: string },
    ): Promise<void> {
      await database.tables
        .updateTable('stops')
        .set({
          ended_at: sql<number>`case when until_at < cast(${end.at} as bigint) then until_at else cast(${end.at} as bigint) end`,
          ended_by: end.by,
          ended_because: end.because,
        })
        .where('id', 'in', ids)
        .execute()
    },

    /** The stop that ended last. */
    findLastEnded: (): Promise<StopRow | undefined> =>
      database.tables
        .selectFrom('stops')
        .selectAll()
        .where('ended_at', 'is not', null)
        .orderBy('ended_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
  }
}
