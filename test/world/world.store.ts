import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { createDatabase, type Database, timeOf } from '#server/platform/database/database.ts'
import { addSearchText } from '#server/platform/database/search-text.ts'
import { dialectOf } from '#server/platform/database/sqlite.ts'
import { createSqliteDriver } from '#server/platform/database/sqlite-driver.ts'
import { openTables } from '#server/platform/database/transactions.ts'
import type { Program } from './reality.ts'
import { createTurns, stillUp, type Turns } from './turns.ts'

/*
 * One SQLite database in memory for all gateways of a world. No statement runs before the world draws it, and a gateway
 * that has ended runs none: what it began is rolled back. A commit is on the disk at once.
 */

export interface Store {
  /** Of the statements of all gateways. */
  readonly turns: Turns
  /** The database as one gateway has it. */
  openFor(program: Program): Database
  /** Rolls back what the program began, and forgets what it waits for. */
  drop(program: Program): void
  /** The machine of the database starts again with what was committed. */
  cutPower(): void
  /** Reads committed rows; only where `isAtRest`. */
  read<R>(sql: string): Promise<R[]>
  /** No transaction is open. */
  isAtRest(): boolean
  /** Changes with every row that is written. */
  changes(): number
  /** Gateways are told of changes as soon as they are committed. */
  readonly givesNotices: boolean
  /** Resolves when the statements that were let run have ended, or wait for each other. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** What the next statement of a transaction ends with that the power cut has ended. */
export class PowerCut extends Error {}

function load(bytes: Uint8Array): DatabaseSync {
  const file = new DatabaseSync(':memory:')
  file.deserialize(bytes)
  file.exec('PRAGMA foreign_keys = ON')
  addSearchText(file)
  return file
}

/**
 * @param tables a migrated database
 * @param now the time by which work is due, of no gateway's clock
 */
export function openStore(tables: Uint8Array, now: () => number): Store {
  let file = load(tables)
  let cuts = 0
  /** Rows that gateways write to show that the database answers: no promise is about them. */
  let signsOfLife = 0
  let driver = createSqliteDriver(file)
  /** Whose transaction is open: nothing else runs meanwhile. */
  let holder: { readonly connection: DatabaseConnection; readonly program: Program } | undefined
  /** Whose transaction the power cut ended, until its next statement. */
  const lost = new WeakSet<DatabaseConnection>()
  async function take(program: Program, connection: DatabaseConnection): Promise<void> {
    await turns.take(program, connection)
    if (lost.delete(connection)) throw new PowerCut()
  }
  const turns = createTurns(({ connection }) => holder === undefined || holder.connection === connection)

  interface Inner {
    readonly of: DatabaseConnection
    /** `cuts` at that time. */
    readonly openedAt: number
  }
  const inner = new WeakMap<DatabaseConnection, Inner>()
  const innerOf = (connection: DatabaseConnection) => inner.get(connection)?.of ?? connection

  /** An operator goes on after a power cut, on a connection to what is there then. */
  async function innerNow(connection: DatabaseConnection): Promise<DatabaseConnection> {
    const known = inner.get(connection)
    if (known?.openedAt === cuts) return known.of
    const opened = { of: await driver.acquireConnection(), openedAt: cuts }
    inner.set(connection, opened)
    return opened.of
  }

  function driverOf(program: Program): Driver {
    async function acquireConnection(): Promise<DatabaseConnection> {
      const connection: DatabaseConnection = {
        async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
          await take(program, connection)
          const own = await innerNow(connection)
          const answer = await own.executeQuery<R>(query)
          if (query.sql.includes('"liveness"')) signsOfLife += 1
          return stillUp(program, answer)
        },
        async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
          await turns.take(program, connection)
          // All rows at once: no test depends on where a stream pauses.
          yield await (await innerNow(connection)).executeQuery<R>(query)
        },
      }
      await innerNow(connection)
      return connection
    }
    return {
      init: async () => undefined,
      destroy: async () => undefined,
      acquireConnection,
      async beginTransaction(connection, settings) {
        await turns.take(program, connection)
        holder = { connection, program }
        await driver.beginTransaction(await innerNow(connection), settings)
      },
      async commitTransaction(connection) {
        await take(program, connection)
        await driver.commitTransaction(innerOf(connection))
        holder = undefined
        await stillUp(program, undefined)
      },
      async rollbackTransaction(connection) {
        if (holder?.connection !== connection) return
        await driver.rollbackTransaction(innerOf(connection))
        holder = undefined
      },
      async releaseConnection(connection) {
        await driver.releaseConnection(innerOf(connection))
      },
    }
  }

  const statements = new Map<string, StatementSync>()
  function prepared(sql: string): StatementSync {
    const known = statements.get(sql) ?? file.prepare(sql)
    statements.set(sql, known)
    return known
  }

  return {
    turns,
    openFor(program) {
      return createDatabase({
        engine: 'sqlite',
        ...openTables(dialectOf(driverOf(program))),
        time: timeOf({ now }),
        connections: () => driver.connections(),
        listen: (listener) => driver.listen(listener),
        isTransient: () => false,
      })
    },
    drop(program) {
      turns.drop(program)
      if (holder?.program !== program) return
      const connection = innerOf(holder.connection)
      holder = undefined
      void driver.rollbackTransaction(connection)
      void driver.releaseConnection(connection)
    },
    cutPower() {
      cuts += 1
      signsOfLife = 0
      if (holder) lost.add(holder.connection)
      holder = undefined
      if (file.isTransaction) file.exec('ROLLBACK')
      const bytes = file.serialize()
      file.close()
      statements.clear()
      file = load(bytes)
      driver = createSqliteDriver(file)
    },
    read: async <R>(sql: string) => prepared(sql).all() as R[],
    isAtRest: () => holder === undefined,
    givesNotices: true,
    changes: () => Number(prepared('SELECT total_changes() AS count').get()?.count) - signsOfLife,
    settled: async () => undefined,
    close: async () => file.close(),
  }
}
