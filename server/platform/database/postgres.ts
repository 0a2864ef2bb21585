import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { EngineParts } from './database.ts'

const int8 = 20
/** Ids, halalas and epoch milliseconds all stay below 2^53. */
const numberOfInt8 = (text: string): number => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new Error('a bigint of the database exceeds 2^53')
  return number
}

const deadlock = '40P01'
const serialization = '40001'

const mostConnections = 10

/** @param onIdleError called when an idle connection of the pool breaks; the pool replaces it. */
export function openPostgres(url: string, onIdleError: (error: Error) => void): EngineParts {
  const pool = new pg.Pool({
    connectionString: url,
    max: mostConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        oid === int8 && format !== 'binary'
          ? numberOfInt8
          : pg.types.getTypeParser(oid, format as 'text' | undefined),
    },
  })
  pool.on('error', onIdleError)
  // A connection that breaks during a transaction fails its next query. It also emits an error event, which without a
  // listener ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    engine: 'postgres',
    kysely: new Kysely({ dialect: new PostgresDialect({ pool }) }),
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: mostConnections,
    }),
    isTransient: (error) => [deadlock, serialization].includes(String((error as { code?: unknown })?.code)),
  }
}
