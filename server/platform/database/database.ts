import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely'
import type { Clock } from '#server/platform/clock.ts'
import type { Installation } from '#server/platform/modes.ts'
import type { Listen } from './listen.ts'
import type { FileLock } from './lock.ts'
import type { Schema } from './schema.ts'
import type { Servers } from './servers.ts'

export type Engine = 'sqlite' | 'postgres'

/** The time of a clock of this process, as an expression of a statement. */
export const timeOf = (clock: Clock) => () => sql<number>`(SELECT CAST(${clock.now()} AS bigint))`

/** Connections to the database, and queries that wait for one. */
export interface Connections {
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
  readonly most: number
}

export type Database = ReturnType<typeof createDatabase>

/** The part of a database that differs by engine. */
export interface EngineParts {
  readonly engine: Engine
  // biome-ignore lint/suspicious/noExplicitAny: tools and migrations name tables that `Schema` does not
  readonly kysely: Kysely<any>
  /** Epoch milliseconds, as an expression: by the clock of the database server; with SQLite, of this process. */
  readonly time: () => RawBuilder<number>
  /** A faster path than Kysely's for compiled queries outside transactions. */
  readonly run?: <R>(query: CompiledQuery<R>) => Promise<QueryResult<R>>
  connections(): Connections
  /** SQLite: @throws when its file was removed or replaced. */
  readonly assertInPlace?: () => void
  /** Where the database has several, of which one is used. */
  readonly servers?: Pick<Servers, 'states' | 'isSplit'>
  readonly listen: Listen
  /** True for an error after which the whole transaction can be retried: deadlock, serialization. */
  isTransient(error: unknown): boolean
}

const tries = 4

interface OpenTransaction {
  readonly tables: Transaction<Schema>
  /** Runs after the commit, in this order. */
  readonly afterCommit: (() => void)[]
}

/**
 * One interface to both engines.
 * @param lock keeps other gateways from the file; released when the database is closed.
 * @param installation as the start of a gateway found or wrote it.
 */
export function createDatabase(parts: EngineParts, lock?: FileLock, installation?: Installation) {
  const { kysely } = parts
  let aheadMs = 0
  const open = new AsyncLocalStorage<OpenTransaction>()
  const kept = new Map<object, unknown>()

  /**
   * Commits everything `work` writes, or nothing. `work` runs again after a deadlock, so it must have no effect outside the
   * database. @throws inside a transaction: an error of the inner one that the outer one catches would keep its writes.
   */
  async function transaction<T>(work: () => Promise<T>): Promise<T> {
    if (open.getStore()) throw new Error('a transaction began inside a transaction')
    for (let attempt = 1; ; attempt += 1) {
      const afterCommit: (() => void)[] = []
      let result: T
      try {
        result = await kysely.transaction().execute((tables) => open.run({ tables, afterCommit }, work))
      } catch (error) {
        if (attempt === tries || !parts.isTransient(error)) throw error
        continue
      }
      for (const run of afterCommit) run()
      return result
    }
  }

  /** Runs a compiled query; inside `transaction` as part of it. */
  function run<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    const transaction = open.getStore()?.tables
    return !transaction && parts.run ? parts.run(query) : (transaction ?? kysely).executeQuery(query)
  }

  /** Runs a statement that changes rows; returns how many it changed. */
  async function changes(statement: Compilable): Promise<number> {
    const { numAffectedRows } = await run(statement.compile())
    return Number(numAffectedRows ?? 0)
  }

  /**
   * The time by which work is due and leased: one clock for all gateways, whose own may differ. Epoch milliseconds,
   * `afterMs` from now, as an expression of a statement.
   */
  function now(afterMs = 0): RawBuilder<number> {
    const laterMs = aheadMs + afterMs
    return laterMs === 0 ? parts.time() : sql`(${parts.time()} + CAST(${laterMs} AS bigint))`
  }

  return {
    engine: parts.engine,
    /** True if no other gateway can use the same data while this one lives. */
    isExclusive: lock !== undefined,
    installation,
    /**
     * A query builder over every table; inside `transaction` it is the transaction's. A getter: `{ ...database }` would hold
     * the builder of one moment.
     */
    get tables(): Kysely<Schema> {
      return open.getStore()?.tables ?? kysely
    },
    run,
    changes,
    /** Runs a guarded statement; true when it changed a row. When several callers run it at once, one wins. */
    wins: async (statement: Compilable): Promise<boolean> => (await changes(statement)) > 0,
    transaction,
    /** The value of the first `make` with this key. */
    keep<T>(key: object, make: () => T): T {
      if (!kept.has(key)) kept.set(key, make())
      return kept.get(key) as T
    },
    /** Runs `work` once the open transaction is committed, and never after a rollback. @throws outside of a transaction */
    afterCommit(work: () => void): void {
      const transaction = open.getStore()
      if (!transaction) throw new Error('this needs a transaction of its caller')
      transaction.afterCommit.push(work)
    },
    /** For functions that need the transaction of their caller. @throws outside of one. */
    assertTransaction(): void {
      if (!open.getStore()) throw new Error('this needs a transaction of its caller')
    },
    now,
    /** That time, read once. */
    async readNow(): Promise<number> {
      const tables: Kysely<Schema> = open.getStore()?.tables ?? kysely
      const row = await tables.selectNoFrom(now().as('now')).executeTakeFirstOrThrow()
      return row.now
    },
    /** How far that time is ahead of real time: for demos and tests. */
    setAhead(ms: number): void {
      aheadMs = ms
    },
    /** At this moment, in this process. */
    connections: parts.connections,
    servers: parts.servers,
    /** Notices of committed changes: of all gateways on PostgreSQL, of this process on SQLite. */
    listen: parts.listen,
    /** Writes a row and reads the time. Rejects when the database does not answer, accepts no writes, or has lost its file. */
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
