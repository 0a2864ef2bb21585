import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SelectQueryNode,
} from 'kysely'
import { createDatabase, type EngineParts, timeOf } from '#server/platform/database/database.ts'
import { openPostgres } from '#server/platform/database/postgres.ts'
import { openTables } from '#server/platform/database/transactions.ts'
import { never, type Program } from './reality.ts'
import { createTurns, stillUp } from './turns.ts'
import type { Store } from './world.store.ts'

/*
 * A real PostgreSQL for all gateways of a world. Statements begin in the order that is drawn, but several run at once, and
 * when each ends is the server's affair: the same seed is not the same world.
 */

/** A statement that has run so long waits for the lock of another, most probably. */
const patienceMs = 20
/** After it a statement is left alone: what it waits for takes time of the world. */
const lockMs = 2_000

/** Checking every promise takes a dozen statements. */
const changesPerCheck = 20

/** Of a gateway, as in production. */
const mostConnections = 10

/** Without limits: their timers would count time of the world. */
const open = (url: string) =>
  openPostgres(url, {
    applicationName: 'amtiati-world',
    connections: mostConnections,
    limits: { connectMs: 0, statementMs: 0, answerMs: 0 },
    onIdleError: () => undefined,
  })

interface Lent {
  readonly program: Program
  readonly own: DatabaseConnection
  isInTransaction: boolean
  giveBack(): void
}

/**
 * @param url of a migrated database, which is the world's own
 * @param now the time by which work is due, of no gateway's clock
 */
export function openPostgresStore(url: string, now: () => number): Store {
  const reader = open(url)
  /** The connections of each program. */
  const pools = new Map<Program, EngineParts>()
  const turns = createTurns(() => true)
  const lent = new Map<DatabaseConnection, Lent>()
  /** What programs wait for, each a connection that is still to be lent. */
  const asked = new Map<Promise<Lent>, Program>()
  let underWay = 0
  let changes = 0

  async function during<T>(work: () => Promise<T>): Promise<T> {
    underWay += 1
    try {
      return await work()
    } finally {
      underWay -= 1
    }
  }

  function lend(program: Program, { kysely }: EngineParts): Promise<Lent> {
    const one = new Promise<Lent>((resolve, reject) => {
      kysely
        .getExecutor()
        .provideConnection(
          (own) =>
            new Promise<void>((giveBack) => resolve({ program, own, isInTransaction: false, giveBack })),
        )
        .catch(reject)
    }).finally(() => asked.delete(one))
    asked.set(one, program)
    return one
  }
  const of = (connection: DatabaseConnection): Lent => {
    const found = lent.get(connection)
    if (!found) throw new Error('the connection was given back')
    return found
  }

  function driverOf(program: Program, pool: EngineParts): Driver {
    async function run<R>(connection: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<R>> {
      await turns.take(program, connection)
      // An error of a program that has ended reaches none of its code.
      const result = await during(() => of(connection).own.executeQuery<R>(query)).catch((error) => {
        if (program.isUp) throw error
        return never<QueryResult<R>>()
      })
      if (!SelectQueryNode.is(query.query)) changes += 1
      return stillUp(program, result)
    }
    const tell = (text: string) => async (connection: DatabaseConnection) => {
      if (text === 'begin') of(connection).isInTransaction = true
      await run(connection, CompiledQuery.raw(text))
      if (text !== 'begin') of(connection).isInTransaction = false
    }
    return {
      init: async () => undefined,
      destroy: async () => undefined,
      async acquireConnection() {
        if (!program.isUp) return never()
        const connection: DatabaseConnection = {
          executeQuery: (query) => run(connection, query),
          async *streamQuery<R>(query: CompiledQuery) {
            yield await run<R>(connection, query)
          },
        }
        // Where all are lent, one is given back by a statement that has yet to be drawn.
        const own = () => lend(program, pool)
        const hasFree = pool.connections().inUse < mostConnections
        const one = await (hasFree ? during(own) : own())
        if (!program.isUp) {
          one.giveBack()
          return never()
        }
        lent.set(connection, one)
        return connection
      },
      beginTransaction: tell('begin'),
      commitTransaction: tell('commit'),
      rollbackTransaction: tell('rollback'),
      async releaseConnection(connection) {
        of(connection).giveBack()
        lent.delete(connection)
      },
    }
  }

  return {
    turns,
    openFor(program) {
      const pool = open(url)
      pools.set(program, pool)
      return createDatabase({
        ...pool,
        ...openTables({
          createAdapter: () => new PostgresAdapter(),
          createDriver: () => driverOf(program, pool),
          createIntrospector: (db) => new PostgresIntrospector(db),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        }),
        time: timeOf({ now }),
        // Notices come by real time: a world could come to rest before they do.
        listen: () => async () => undefined,
      })
    },
    drop(program) {
      turns.drop(program)
      for (const [connection, { own, isInTransaction, giveBack, program: of }] of lent) {
        if (of !== program) continue
        lent.delete(connection)
        if (!isInTransaction) giveBack()
        // A connection that fails is closed by its pool.
        else void during(() => own.executeQuery(CompiledQuery.raw('rollback'))).then(giveBack, giveBack)
      }
      const pool = pools.get(program)
      pools.delete(program)
      // A pool that is closed answers no one who still waits for a connection.
      const waiting = [...asked].filter(([, of]) => of === program).map(([one]) => one)
      void Promise.allSettled(waiting).then(() => pool?.kysely.destroy())
    },
    cutPower() {
      throw new Error('power is not cut on PostgreSQL')
    },
    read: async <R>(text: string) => (await reader.kysely.executeQuery<R>(CompiledQuery.raw(text))).rows,
    isAtRest: () => underWay === 0,
    givesNotices: false,
    changes: () => Math.floor(changes / changesPerCheck),
    async settled() {
      const [seconds, nanoseconds] = process.hrtime()
      const passedMs = () => {
        const [s, n] = process.hrtime([seconds, nanoseconds])
        return s * 1_000 + n / 1e6
      }
      while (underWay > 0 && passedMs() < (turns.ready() > 0 ? patienceMs : lockMs))
        await new Promise<void>((resolve) => setImmediate(resolve))
    },
    async close() {
      for (const { giveBack } of lent.values()) giveBack()
      await Promise.all([reader, ...pools.values()].map(({ kysely }) => kysely.destroy()))
    },
  }
}
