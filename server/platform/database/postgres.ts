import { hostname } from 'node:os'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import pg from 'pg'
import type { EngineParts } from './database.ts'
import { listenOnPostgres } from './notices.ts'
import { createPostgresDriver, isOutdatedPlan } from './postgres-driver.ts'
import { type FollowOptions, followPrimary } from './servers.ts'
import { openTables } from './transactions.ts'
import { serversOf } from './url.ts'

const int8 = 20
const numberOfInt8 = (text: string) => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new Error('a bigint of the database exceeds 2^53')
  return number
}

const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === int8 && format !== 'binary'
      ? numberOfInt8
      : pg.types.getTypeParser(oid, format as 'text' | undefined),
}

const deadlock = '40P01'
const serialization = '40001'

/** 0 means no limit. */
export interface DatabaseLimits {
  readonly connectMs: number
  /** The database server enforces this limit for a statement and for an idle transaction. */
  readonly statementMs: number
  /** The gateway enforces this longer limit, because a broken link returns neither an answer nor an error. */
  readonly answerMs: number
}

const servingLimits: DatabaseLimits = { connectMs: 5_000, statementMs: 10_000, answerMs: 12_000 }
/** Migrations and tools lift the server's limit for single statements, so the gateway sets no limit for an answer. */
export const workingLimits: DatabaseLimits = { ...servingLimits, answerMs: 0 }

export const applicationNames = { gateway: `amtiati-gateway-${hostname()}`, tools: 'amtiati-ops' } as const

export interface PostgresOptions {
  readonly applicationName: string
  /**
   * The address for `LISTEN`. When it is set, `url` is a pool such as PgBouncer, which can run each transaction on
   * another connection, so no statement is prepared.
   */
  readonly listenUrl?: string | undefined
  readonly connections?: number | undefined
  readonly limits?: DatabaseLimits
  readonly onIdleError: (error: Error) => void
  readonly used?: FollowOptions['used']
  readonly onServers?: FollowOptions['onChange']
}

export function openPostgres(
  url: string,
  {
    applicationName,
    listenUrl,
    connections = 10,
    limits = servingLimits,
    onIdleError,
    used,
    onServers,
  }: PostgresOptions,
): EngineParts {
  const [first = url, ...others] = serversOf(url)
  const servers =
    others.length > 0 ? followPrimary(url, { applicationName, used, onChange: onServers }) : undefined
  const Client = servers?.Client ?? pg.Client
  const each = {
    connectionString: first,
    application_name: applicationName,
    connectionTimeoutMillis: limits.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
  const pool = new pg.Pool({
    ...each,
    Client,
    max: connections,
    idleTimeoutMillis: 30_000,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: limits.statementMs,
    types,
  })
  pool.on('error', onIdleError)
  // The pool's error listener is empty: without one, a broken connection would end the process. Its next query fails
  // anyway.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const { driver, waitMs } = createPostgresDriver({
    pool,
    types,
    isPrepared: listenUrl === undefined,
    answerMs: limits.answerMs,
    end: async () => void (await Promise.all([pool.end(), servers?.end()])),
  })
  return {
    engine: 'postgres',
    // The database's time must be a subquery, which runs once per statement. The function alone would run for each row,
    // without an index.
    time: () => sql<number>`(SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)`,
    ...openTables(
      {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (kysely) => new PostgresIntrospector(kysely),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      { isPipelined: true },
    ),
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      waitMs: waitMs(),
      most: connections,
    }),
    ...(servers && { servers }),
    listen: (listener) =>
      listenOnPostgres(
        (options) => new Client({ ...each, ...options, connectionString: listenUrl ?? first }),
        listener,
        onIdleError,
      ),
    isTransient: (error) =>
      isOutdatedPlan(error) ||
      [deadlock, serialization].includes(String((error as { code?: unknown })?.code)),
  }
}
