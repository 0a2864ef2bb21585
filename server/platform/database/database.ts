import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, Transaction } from 'kysely'

export type Engine = 'sqlite' | 'postgres'

/** The two engines behind one door. Rooms name their own tables: `database.tables<OrdersTables>()`. */
export interface Database {
  readonly engine: Engine
  /** A query builder over a room's tables; inside `transaction` it is the transaction's. */
  tables<T>(): Kysely<T>
  /**
   * Everything `work` writes is kept, or nothing. Joins a transaction that is already open. `work` may run again
   * after a deadlock, so it must do nothing but talk to the database.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>
  /** Rejects when the database does not answer or does not take writes. */
  check(): Promise<void>
  close(): Promise<void>
}

/** What an engine must bring; everything else is shared. */
export interface EngineParts {
  readonly engine: Engine
  // biome-ignore lint/suspicious/noExplicitAny: the rooms' tables are known only to the rooms
  readonly kysely: Kysely<any>
  /** True for an error that a second try of the whole transaction may pass: deadlock, serialization. */
  isTransient(error: unknown): boolean
}

const tries = 4

export function createDatabase(parts: EngineParts): Database {
  const { kysely } = parts
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const open = new AsyncLocalStorage<Transaction<any>>()

  async function transaction<T>(work: () => Promise<T>): Promise<T> {
    if (open.getStore()) return work()
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await kysely.transaction().execute((tx) => open.run(tx, work))
      } catch (error) {
        if (attempt === tries || !parts.isTransient(error)) throw error
      }
    }
  }

  return {
    engine: parts.engine,
    tables: <T>() => (open.getStore() ?? kysely) as Kysely<T>,
    transaction,
    async check() {
      await kysely
        .insertInto('liveness')
        .values({ id: 1, writes: 1 })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((row) => ({ writes: row('liveness.writes', '+', 1) })),
        )
        .execute()
    },
    close: () => kysely.destroy(),
  }
}
