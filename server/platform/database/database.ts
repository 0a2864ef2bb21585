import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  type RawBuilder,
  type SelectQueryBuilder,
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

export const timeOf = (clock: Clock) => () => sql<number>`(SELECT CAST(${clock.now()} AS bigint))`

export interface Connections {
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
  readonly most: number
}

export type Database = ReturnType<typeof createDatabase>

export interface EngineParts {
  readonly engine: Engine
  // biome-ignore lint/suspicious/noExplicitAny: tools and migrations name tables that `Schema` does not
  readonly kysely: Kysely<any>
  /** SQL for the time in epoch milliseconds, by the clock of the database server; with SQLite, of this process. */
  readonly time: () => RawBuilder<number>
  readonly run?: <R>(query: CompiledQuery<R>) => Promise<QueryResult<R>>
  connections(): Connections
  /** Checks the file of SQLite. @throws when the file was removed or replaced */
  readonly assertInPlace?: () => void
  readonly servers?: Pick<Servers, 'states' | 'isSplit'>
  readonly listen: Listen
  /** True for an error after which the whole transaction can be retried: a deadlock or a serialization failure. */
  isTransient(error: unknown): boolean
}

const tries = 4

interface OpenTransaction {
  readonly tables: Transaction<Schema>
  readonly afterCommit: (() => void)[]
}

export function createDatabase(parts: EngineParts, lock?: FileLock, installation?: Installation) {
  const { kysely } = parts
  let aheadMs = 0
  const open = new AsyncLocalStorage<OpenTransaction>()
  const kept = new Map<object, unknown>()

  /**
   * Commits all writes of `work` or rolls all back. `work` may run again after a deadlock, so it must have no effect
   * outside the database.
   * @throws when nested: the outer transaction could catch the error of the inner one and keep its writes
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

  function run<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    const transaction = open.getStore()?.tables
    return !transaction && parts.run ? parts.run(query) : (transaction ?? kysely).executeQuery(query)
  }

  async function changes(statement: Compilable) {
    const { numAffectedRows } = await run(statement.compile())
    return Number(numAffectedRows ?? 0)
  }

  function assertTransaction() {
    const transaction = open.getStore()
    if (!transaction) throw new Error('this needs a transaction of its caller')
    return transaction
  }

  /**
   * SQL for the database's time in epoch milliseconds. Due times and leases use it, because gateways' clocks may
   * differ.
   */
  function now(afterMs = 0): RawBuilder<number> {
    const laterMs = aheadMs + afterMs
    return laterMs === 0 ? parts.time() : sql`(${parts.time()} + CAST(${laterMs} AS bigint))`
  }

  return {
    engine: parts.engine,
    isExclusive: lock !== undefined,
    installation,
    /**
     * Kysely's query builder; inside `transaction` it is that of the transaction. It is a getter, because a copy of the
     * object would keep the builder of one moment.
     */
    get tables(): Kysely<Schema> {
      return open.getStore()?.tables ?? kysely
    },
    run,
    changes,
    /** True when a guarded statement changed a row. Only one of simultaneous callers gets true. */
    wins: async (statement: Compilable) => (await changes(statement)) > 0,
    has: async (rows: Compilable) => (await run(rows.compile())).rows.length > 0,
    async count<T extends keyof Schema>(rows: SelectQueryBuilder<Schema, T, object>): Promise<number> {
      const { count } = await rows.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
      return Number(count)
    },
    transaction,
    keep<T>(key: object, make: () => T): T {
      if (!kept.has(key)) kept.set(key, make())
      return kept.get(key) as T
    },
    /** Runs `work` after the commit, and never after a rollback. @throws outside of a transaction */
    afterCommit(work: () => void): void {
      assertTransaction().afterCommit.push(work)
    },
    assertTransaction,
    /** Transactions that lock the same name run one after the other. @throws outside of a transaction */
    async lock(name: string): Promise<void> {
      const { tables } = assertTransaction()
      // SQLite needs no lock, because only one transaction writes at a time.
      if (parts.engine === 'postgres')
        await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tables)
    },
    now,
    async readNow(): Promise<number> {
      const tables: Kysely<Schema> = open.getStore()?.tables ?? kysely
      const row = await tables.selectNoFrom(now().as('now')).executeTakeFirstOrThrow()
      return row.now
    },
    setAhead(ms: number): void {
      aheadMs = ms
    },
    connections: parts.connections,
    servers: parts.servers,
    listen: parts.listen,
    /**
     * Writes a row and reads the time. Rejects when the database does not answer, accepts no writes, or has lost its
     * file.
     */
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
