import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type pg from 'pg'
import { monotonicClock } from '#server/platform/clock.ts'
import { type Answer, Flight, type Statement } from './flight.ts'
import { nameOfPrepared } from './prepared.ts'

interface Ticket extends Statement {
  resolve(answer: Answer): void
  reject(error: unknown): void
}

export interface PostgresDriverParts {
  readonly pool: pg.Pool
  readonly types: object
  /** False when the next transaction can run on a connection that does not have a prepared statement. */
  readonly isPrepared: boolean
  readonly answerMs: number
  end(): Promise<void>
}

const changing = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

export const isOutdatedPlan = (error: unknown) =>
  (error as { code?: unknown })?.code === '0A000' &&
  (error as { routine?: unknown })?.routine === 'RevalidateCachedQuery'

const goesAlone = ({ text, values }: Statement) => values.length === 0 && text.includes(';')

/**
 * Sends together the statements that are called without waiting for each other (flight.ts). BEGIN waits for the first
 * statement of its transaction.
 */
export function createPostgresDriver({ pool, types, isPrepared, answerMs, end }: PostgresDriverParts) {
  /**
   * After a migration PostgreSQL can refuse a prepared statement. All prepared statements then get new names, and the
   * refused one or its transaction runs again.
   */
  let edition = 0
  let waitedMs = 0

  class Connection implements DatabaseConnection {
    readonly #client: pg.PoolClient
    #waiting: Ticket[] = []
    #isUnderWay = false
    #isBroken = false
    /**
     * After a failure no further statement of the transaction runs, even if the server has not begun the transaction.
     */
    #failure: { readonly cause: unknown } | undefined

    constructor(client: pg.PoolClient) {
      this.#client = client
    }

    async executeQuery<R>({ sql: text, parameters: values }: CompiledQuery): Promise<QueryResult<R>> {
      try {
        const { command, rowCount, rows } = await this.#ask({
          text,
          values,
          name: isPrepared ? nameOfPrepared(text) : undefined,
        })
        const isChange = command !== null && changing.includes(command)
        return { ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }), rows: (rows ?? []) as R[] }
      } catch (error) {
        throw withCaller(error)
      }
    }

    // biome-ignore lint/correctness/useYield: PostgreSQL needs a cursor for it, and nothing streams
    async *streamQuery(): AsyncIterableIterator<never> {
      throw new Error('no statement is streamed from PostgreSQL')
    }

    begin(): void {
      this.#add({ text: 'begin', values: [] }).catch(() => undefined)
    }

    async commit(): Promise<void> {
      const { command } = await this.#ask({ text: 'commit', values: [] })
      if (command === 'ROLLBACK') throw new Error('a statement failed, so the transaction was rolled back')
    }

    async rollback(): Promise<void> {
      const unsent = this.#waiting.splice(0)
      for (const { reject } of unsent) reject(new Error('the transaction was rolled back'))
      if (unsent[0]?.text === 'begin') return
      try {
        await this.#ask({ text: 'rollback', values: [] })
        this.#failure = undefined
      } catch (error) {
        this.#isBroken = true
        throw error
      }
    }

    release(): void {
      this.#client.release(this.#isBroken)
    }

    #add(statement: Statement): Promise<Answer> {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      this.#waiting.push({ ...statement, resolve, reject })
      return promise
    }

    #ask(statement: Statement): Promise<Answer> {
      const answer = this.#add(statement)
      // This runs after all statements that the present code calls without waiting, so that they are sent together.
      process.nextTick(() => void this.#depart())
      return answer
    }

    async #depart(): Promise<void> {
      if (this.#isUnderWay || this.#waiting.length === 0) return
      this.#isUnderWay = true
      const alone = this.#waiting.findIndex(goesAlone)
      const tickets = this.#waiting.splice(0, alone === -1 ? this.#waiting.length : Math.max(1, alone))
      try {
        if (this.#failure && tickets[0]?.text !== 'rollback') throw abortedBy(this.#failure)
        const answers = await this.#send(tickets)
        for (const [index, { resolve }] of tickets.entries()) resolve(answers[index] as Answer)
      } catch (error) {
        for (const { reject } of tickets) reject(error)
      }
      this.#isUnderWay = false
      process.nextTick(() => void this.#depart())
    }

    async #send(tickets: readonly Ticket[]): Promise<readonly Answer[]> {
      const [first] = tickets
      if (first && goesAlone(first))
        return this.#answered(this.#client.query(first.text).then((answer) => [answer]))
      const isInTransaction = this.#isInTransaction(first)
      const asked = edition
      try {
        return await this.#fly(tickets)
      } catch (error) {
        const isOutdated = isOutdatedPlan(error)
        if (isOutdated && edition === asked) edition += 1
        if (isInTransaction) this.#failure = { cause: error }
        else if (isOutdated) return this.#fly(tickets)
        throw error
      }
    }

    #isInTransaction(first: Ticket | undefined): boolean {
      return first?.text === 'begin' || this.#client.getTransactionStatus() !== 'I'
    }

    #fly(statements: readonly Statement[]): Promise<readonly Answer[]> {
      const named = statements.map(({ text, values, name }) => ({
        text,
        values,
        name: name && `${name}.${edition}`,
      }))
      return this.#answered(this.#client.query(new Flight(named, types)).outcome)
    }

    /**
     * Ends a connection that does not answer, so that the pool replaces it. With `query_timeout` of `pg` it would stay
     * in the pool.
     */
    async #answered<T>(answer: Promise<T>): Promise<T> {
      if (answerMs === 0) return answer
      let isSilent = false
      const timer = setTimeout(() => {
        isSilent = true
        void this.#client.end()
      }, answerMs)
      try {
        return await answer
      } catch (error) {
        if (!isSilent) throw error
        const message = `the database did not answer within ${answerMs} ms`
        throw Object.assign(new Error(message, { cause: error }), { code: 'ETIMEDOUT' })
      } finally {
        clearTimeout(timer)
      }
    }
  }

  const own = (connection: DatabaseConnection) => connection as Connection
  const driver: Driver = {
    init: async () => undefined,
    async acquireConnection(): Promise<DatabaseConnection> {
      const askedAt = monotonicClock.now()
      const client = await pool.connect()
      waitedMs = monotonicClock.now() - askedAt
      return new Connection(client)
    },
    beginTransaction: async (connection) => own(connection).begin(),
    commitTransaction: (connection) => own(connection).commit(),
    rollbackTransaction: (connection) => own(connection).rollback(),
    releaseConnection: async (connection) => own(connection).release(),
    destroy: end,
  }
  return { driver, waitMs: () => (pool.waitingCount === 0 ? 0 : waitedMs) }
}

const abortedBy = (failure: { readonly cause: unknown }) =>
  Object.assign(new Error('the transaction has failed', failure), { code: '25P02' })

/** Adds the caller's stack to an error of `pg`, whose own stack leads only to its socket. */
function withCaller(error: unknown): unknown {
  if (!(error instanceof Error) || error.stack?.includes(withCaller.name)) return error
  error.stack = [error.stack, ...(new Error().stack?.split('\n').slice(1) ?? [])].join('\n')
  return error
}
