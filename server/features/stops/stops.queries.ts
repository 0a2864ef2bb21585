import { type Expression, type SqlBool, sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Sale } from '#shared/stops/stops.rules.ts'

export type StopRow = Row<'stops'>
export type OpenStop = StopRow & { readonly now: number }
export type AddedStop = Omit<StopRow, 'id' | 'ended_at' | 'ended_by' | 'ended_because'>

export interface SaleGuard {
  /** A sale must select this lock first, so that no stop is set during its transaction. */
  readonly lock: Expression<unknown> | undefined
  readonly isSold: Expression<SqlBool>
}

const lockName = sql`hashtextextended('stops', 0)`

const open = ({ database }: QueryCore) => database.tables.selectFrom('stops').where('ended_at', 'is', null)

/** This SQL must follow the same rules as `isInForce` and `stopOf` (shared/stops). */
export function readStopGuard(core: QueryCore, sale: Sale): SaleGuard {
  const { database } = core
  const holding = open(core)
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
    lock: database.engine === 'postgres' ? sql`pg_advisory_xact_lock_shared(${lockName})` : undefined,
    isSold: sql<SqlBool>`not exists ${holding}`,
  }
}

/** Inside a transaction: waits for running sales, and blocks others until the transaction ends. */
export async function lockSales({ database }: QueryCore): Promise<void> {
  database.assertTransaction()
  if (database.engine === 'postgres')
    await sql`select pg_advisory_xact_lock(${lockName})`.execute(database.tables)
}

/** A stop in this list can begin later or have run out. */
export const listOpenStops = (core: QueryCore): Promise<OpenStop[]> =>
  open(core).selectAll().select(core.database.now().as('now')).orderBy('id').execute()

export async function addStops({ database }: QueryCore, rows: readonly AddedStop[]): Promise<void> {
  await database.tables.insertInto('stops').values(rows).execute()
}

export async function endStops(
  { database }: QueryCore,
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
}

export const findLastEndedStop = ({ database }: QueryCore): Promise<StopRow | undefined> =>
  database.tables
    .selectFrom('stops')
    .selectAll()
    .where('ended_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
