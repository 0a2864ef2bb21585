import { hostname } from 'node:os'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { EngineParts } from './database.ts'
import { listenOnPostgres } from './notices.ts'
import { nameOfPrepared } from './prepared.ts'
import { type FollowOptions, followPrimary } from './servers.ts'
import { serversOf } from './url.ts'

const int8 = 20
/** Ids, halalas and epoch milliseconds all stay below 2^53. */
const numberOfInt8 = (text: string) => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new Error('a bigint of the database exceeds 2^53')
  return number
}

const deadlock = '40P01'
const serialization = '40001'

/** Limits in milliseconds; 0 means no limit. */
export interface DatabaseLimits {
  readonly connectMs: number
  /** The server enforces this limit for a statement and for an idle transaction. */
  readonly statementMs: number
  /** The gateway enforces this longer limit, because a broken link returns neither an answer nor an error. */
  readonly answerMs: number
}

const servingLimits: DatabaseLimits = { connectMs: 5_000, statementMs: 10_000, answerMs: 12_000 }
/**
 * Limits for migrations and tools. They lift the server's limit for single statements, so the gateway sets no limit.
 */
export const workingLimits: DatabaseLimits = { ...servingLimits, answerMs: 0 }

export const applicationNames = { gateway: `amtiati-gateway-${hostname()}`, tools: 'amtiati-ops' } as const

export interface PostgresOptions {
  readonly applicationName: string
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
    // A firewall or NAT forgets a connection that is silent for minutes.
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
    types: {
      getTypeParser: (oid: number, format?: string) =>
        oid === int8 && format !== 'binary'
          ? numberOfInt8
          : pg.types.getTypeParser(oid, format as 'text' | undefined),
    },
  })
  pool.on('error', onIdleError)
  const edition = { number: 0 }
  pool.on('connect', (client) => {
    // A connection that breaks during a transaction fails its next query. Without a listener its error event would end
    // the process.
    client.on('error', () => undefined)
    const own = client as pg.PoolClient & pg.Client
    prepareNamed(own, edition)
    if (limits.answerMs > 0) endWhenSilent(own, limits.answerMs)
  })
  return {
    engine: 'postgres',
    // The subquery runs once per statement. The function alone would be called for each row, and no index would be
    // used.
    time: () => sql<number>`(SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)`,
    kysely: new Kysely({
      dialect: new PostgresDialect({
        pool: {
          options: pool.options,
          connect: () => pool.connect(),
          end: async () => void (await Promise.all([pool.end(), servers?.end()])),
        },
      }),
    }),
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: connections,
    }),
    ...(servers && { servers }),
    listen: (listener) =>
      listenOnPostgres((options) => new Client({ ...each, ...options }), listener, onIdleError),
    isTransient: (error) =>
      isOutdatedPlan(error) ||
      [deadlock, serialization].includes(String((error as { code?: unknown })?.code)),
  }
}

type Ask = (text: string, values?: unknown[]) => Promise<pg.QueryResult>

const isOutdatedPlan = (error: unknown) =>
  (error as { code?: unknown })?.code === '0A000' &&
  (error as { routine?: unknown })?.routine === 'RevalidateCachedQuery'

/**
 * Statements of `prepared` are parsed and planned once. After a migration PostgreSQL may refuse a statement. All
 * prepared statements of the pool then get new names, and the refused statement or its transaction runs again.
 */
function prepareNamed(client: pg.Client, edition: { number: number }) {
  const query = client.query.bind(client) as unknown as (query: pg.QueryConfig) => Promise<pg.QueryResult>
  const send = (text: string, values: unknown[] | undefined, name?: string) =>
    query({ text, ...(values && { values }), ...(name !== undefined && { name }) })

  const ask: Ask = async (text, values) => {
    const name = nameOfPrepared(text)
    if (name === undefined) return send(text, values)
    const asked = edition.number
    const isInTransaction = client.getTransactionStatus() !== 'I'
    try {
      return await send(text, values, `${name}.${edition.number}`)
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error
      if (edition.number === asked) edition.number += 1
      if (isInTransaction) throw error
      return send(text, values, `${name}.${edition.number}`)
    }
  }
  Object.assign(client, { query: ask })
}

/**
 * Ends a connection that does not answer, so that the pool replaces it. With `query_timeout` of `pg` it would stay in
 * the pool, and later queries would wait behind the unanswered one.
 */
function endWhenSilent(client: pg.Client, answerMs: number) {
  const query = client.query as unknown as Ask
  async function limited(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    let isSilent = false
    const timer = setTimeout(() => {
      isSilent = true
      void client.end()
    }, answerMs)
    try {
      return await query(text, values)
    } catch (error) {
      if (!isSilent) throw error
      const message = `the database did not answer within ${answerMs} ms`
      throw Object.assign(new Error(message, { cause: error }), { code: 'ETIMEDOUT' })
    } finally {
      clearTimeout(timer)
    }
  }
  Object.assign(client, { query: limited })
}
