import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely'
import type { Clock } from '#server/platform/clock.ts'
import type { Installation } from '#server/platform/modes.ts'
import type { Listen } from './listen.ts'
import type { FileLock } from './lock.ts'
import type { Schema } from './schema.ts'
import type { Servers } from './servers.ts'
import type { Transactions } from './transactions.ts'

export type Engine = 'sqlite' | 'postgres'

export const timeOf = (clock: Clock) => () => sql<number>`(SELECT CAST(${clock.now()} AS bigint))`

export interface Connections {
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
  /**
   * How long the last borrower waited for a database connection; 0 when nobody waits. It stays the same in an outage,
   * when no connection is lent.
   */
  readonly waitMs: number
  readonly most: number
}

export type Database = ReturnType<typeof createDatabase>

export interface EngineParts extends Transactions {
  readonly engine: Engine
  /** SQL for the time in epoch milliseconds: by the server's clock on PostgreSQL, by this process's clock on SQLite. */
  readonly time: () => RawBuilder<number>
  readonly run?: <R>(query: CompiledQuery<R>) => Promise<QueryResult<R>>
  connections(): Connections
  readonly assertInPlace?: () => void
  readonly servers?: Pick<Servers, 'states' | 'isSplit'>
  readonly listen: Listen
  isTransient(error: unknown): boolean
}

const tries = 4

interface Statement<R = unknown> {
  compile(tables: Kysely<Schema>): CompiledQuery<R>
}

export function createDatabase(parts: EngineParts, lock?: FileLock, installation?: Installation) {
  const { assertTransaction } = parts
  const kysely: Kysely<Schema> = parts.kysely
  let aheadMs = 0
  const kept = new Map<object, unknown>()

  /** `work` can run again after a deadlock, so it must have no effect outside the database. Throws when nested. */
  async function transaction<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await parts.transact(work)
      } catch (error) {
        if (attempt === tries || !parts.isTransient(error)) throw error
      }
    }
  }

  async function rows<R>(statement: Statement<R>): Promise<R[]> {
    return (await run(statement.compile(kysely))).rows
  }

  const run = <R>(query: CompiledQuery<R>): Promise<QueryResult<R>> =>
    parts.runHeld(query) ?? parts.run?.(query) ?? kysely.executeQuery(query)

  async function changes(statement: Compilable) {
    const { numAffectedRows } = await run(statement.compile())
    return Number(numAffectedRows ?? 0)
  }

  /** Due times and leases use the database's time, because the clocks of gateways can differ. */
  function now(afterMs = 0): RawBuilder<number> {
    const laterMs = aheadMs + afterMs
    return laterMs === 0 ? parts.time() : sql`(${parts.time()} + CAST(${laterMs} AS bigint))`
  }

  return {
    engine: parts.engine,
    isExclusive: lock !== undefined,
    installation,
    tables: kysely,
    run,
    changes,
    /** True when a guarded statement changed a row: only one of several competing callers gets true. */
    wins: async (statement: Compilable) => (await changes(statement)) > 0,
    has: async (statement: Compilable) => (await rows(statement)).length > 0,
    async count<T extends keyof Schema>(rows: SelectQueryBuilder<Schema, T, object>): Promise<number> {
      const { count } = await rows.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
      return Number(count)
    },
    transaction,
    together: parts.together,
    /**
     * Sends a write. In a transaction it travels with the next statement or the commit; when it fails, the transaction
     * fails.
     */
    async send(statement: Statement): Promise<void> {
      const query = statement.compile(kysely)
      await (parts.isInTransaction() ? parts.send(query) : run(query))
    },
    /**
     * Runs the last statement of a transaction: it is sent together with the commit, so every refusal must come before.
     */
    async last<R>(statement: Statement<R>): Promise<R[]> {
      const query = statement.compile(kysely)
      return (await (parts.isInTransaction() ? parts.last(query) : run(query))).rows
    },
    rows,
    keep<T>(key: object, make: () => T): T {
      if (!kept.has(key)) kept.set(key, make())
      return kept.get(key) as T
    },
    afterCommit(work: () => void): void {
      parts.afterCommit(work)
    },
    assertTransaction,
    /** Transactions that lock the same name run one after the other. Throws outside of a transaction. */
    async lock(name: string): Promise<void> {
      assertTransaction()
      // SQLite needs no lock, because only one transaction writes at a time.
      if (parts.engine === 'postgres')
        await rows(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
    },
    now,
    async readNow(): Promise<number> {
      const row = await kysely.selectNoFrom(now().as('now')).executeTakeFirstOrThrow()
      return row.now
    },
    setAhead(ms: number): void {
      aheadMs = ms
    },
    connections: parts.connections,
    servers: parts.servers,
    listen: parts.listen,
    async check(): Promise<number> {
      parts.assertInPlace?.()
      const { time } = await kysely
        .insertInto('liveness')
        .values({ id: 1, writes: 1 })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((row) => ({ writes: row('liveness.writes', '+', 1) })),
        )
        .returning(now().as('time'))
        .executeTakeFirstOrThrow()
      return time
    },
    async close(): Promise<void> {
      await kysely.destroy()
      lock?.release()
    },
  }
}
