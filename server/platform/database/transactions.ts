import { AsyncLocalStorage } from 'node:async_hooks'
import { type CompiledQuery, type DatabaseConnection, type Dialect, Kysely, type QueryResult } from 'kysely'

interface Held {
  readonly connection: DatabaseConnection
  readonly isTransaction: boolean
  readonly afterCommit: (() => void)[]
  commitNow(): Promise<void>
  failure?: { readonly error: unknown }
  commit?: Promise<void>
  isOver?: true
}

export type Transactions = ReturnType<typeof openTables>

/**
 * @param isPipelined statements that are called without waiting for each other run in their order, and none runs after
 * a statement that failed
 */
export function openTables(dialect: Dialect, { isPipelined = false } = {}) {
  const driver = dialect.createDriver()
  const store = new AsyncLocalStorage<Held>()

  const held = () => store.getStore()

  const shared = {
    ...driver,
    acquireConnection: async () => held()?.connection ?? driver.acquireConnection(),
    async releaseConnection(connection: DatabaseConnection) {
      if (connection !== held()?.connection) await driver.releaseConnection(connection)
    },
  }

  async function hold<T>(
    isTransaction: boolean,
    work: (own: Held, connection: DatabaseConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await driver.acquireConnection()
    const own: Held = {
      connection: guarded(connection, () => own.isOver),
      isTransaction,
      afterCommit: [],
      commitNow: () => driver.commitTransaction(connection),
    }
    try {
      return await work(own, connection)
    } finally {
      own.isOver = true
      await driver.releaseConnection(connection)
    }
  }

  async function commitAfter<T>(own: Held, connection: DatabaseConnection, work: () => Promise<T>) {
    try {
      await driver.beginTransaction(connection, {})
      const result = await store.run(own, work)
      own.isOver = true
      await (own.commit ?? own.commitNow())
      return result
    } catch (error) {
      own.isOver = true
      // The failure must be read before the rollback, which refuses the statements that were not sent yet.
      const cause = own.failure ? own.failure.error : error
      // A connection that cannot roll back is closed.
      await driver.rollbackTransaction(connection).catch(() => undefined)
      throw cause
    }
  }

  function inTransaction(): Held {
    const own = held()
    if (!own?.isTransaction) throw new Error('this needs a transaction of its caller')
    return own
  }

  return {
    // biome-ignore lint/suspicious/noExplicitAny: tools and migrations name tables that `Schema` does not
    kysely: new Kysely<any>({
      dialect: {
        createAdapter: () => dialect.createAdapter(),
        createDriver: () => shared,
        createIntrospector: (db) => dialect.createIntrospector(db),
        createQueryCompiler: () => dialect.createQueryCompiler(),
      },
    }),

    runHeld<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> | undefined {
      return held()?.connection.executeQuery(query)
    },

    isInTransaction: (): boolean => held()?.isTransaction === true,

    assertTransaction(): void {
      inTransaction()
    },

    afterCommit(work: () => void): void {
      inTransaction().afterCommit.push(work)
    },

    /** Refuses a nested transaction: an outer one could catch the error of the inner one and keep its writes. */
    async transact<T>(work: () => Promise<T>): Promise<T> {
      if (held()) throw new Error('a transaction began inside a transaction')
      const { result, afterCommit } = await hold(true, async (own, connection) => ({
        result: await commitAfter(own, connection, work),
        afterCommit: own.afterCommit,
      }))
      for (const run of afterCommit) run()
      return result
    },

    /**
     * Sends the reads in `work` that do not wait for each other together on one connection. `work` must not start
     * anything that outlives it.
     */
    together<T>(work: () => Promise<T>): Promise<T> {
      if (!isPipelined || held()) return work()
      return hold(false, (own) => store.run(own, work))
    },

    async send(query: CompiledQuery): Promise<void> {
      const own = inTransaction()
      const answer = own.connection.executeQuery(query)
      if (!isPipelined) return void (await answer)
      answer.catch((error: unknown) => {
        own.failure ??= { error }
      })
    },

    async last<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
      const own = inTransaction()
      const answer = own.connection.executeQuery<R>(query)
      own.isOver = true
      if (!isPipelined) return answer
      own.commit = own.commitNow()
      const [result] = await Promise.all([answer, own.commit])
      return result
    },
  }
}

/** A statement of code that outlives its transaction must not reach the next user of the connection. */
const guarded = (connection: DatabaseConnection, isOver: () => boolean | undefined): DatabaseConnection => ({
  async executeQuery<R>(query: CompiledQuery) {
    if (isOver()) throw new Error('a statement came after the last one of its transaction')
    return connection.executeQuery<R>(query)
  },
  streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
})
