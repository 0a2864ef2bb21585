import { join } from 'node:path'
import { sql } from 'kysely'
import type { Installation, Mode } from '#server/platform/modes.ts'
import { StartFailure } from '#server/platform/start-failure.ts'
import { createDatabase, type Database, type EngineParts } from './database.ts'
import { claimInstallation, refuseOtherMode, type Start } from './installation.ts'
import { lockSqlite } from './lock.ts'
import { migrate } from './migrate.ts'
import { isOutage, reasonOf } from './outage.ts'
import { applicationNames, openPostgres, workingLimits } from './postgres.ts'
import { findPrimary, type Refusal, type Seen } from './servers.ts'
import { openSqlite } from './sqlite.ts'
import { nameOf } from './url.ts'

export interface DatabaseOptions {
  readonly url: string | undefined
  /** The address of the same database without a pool that shares connections between transactions. */
  readonly listenUrl?: string | undefined
  readonly dataDir: string
  readonly mode: Mode
  readonly isExclusive?: boolean
  readonly connections?: number | undefined
  readonly onIdleError: (error: Error) => void
  readonly onCreated?: (name: string) => void
  readonly onRefusal?: (refusal: Refusal) => void
  readonly onServers?: (seen: Seen) => void
}

export function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url ? openServer(options.url, options) : openFile(options)
}

async function openServer(
  url: string,
  {
    listenUrl,
    mode,
    connections,
    onIdleError,
    onCreated,
    onRefusal = () => undefined,
    onServers,
  }: DatabaseOptions,
): Promise<Database> {
  const options = { applicationName: applicationNames.gateway, onIdleError }
  const primary = await findPrimary(url, options.applicationName, onRefusal)
  const migrating = openPostgres(listenUrl ?? primary.url, { ...options, limits: workingLimits })
  let installation: Installation
  try {
    installation = await prepare(migrating, { mode, name: `PostgreSQL ${nameOf(url)}`, onCreated })
  } catch (error) {
    throw startFailureAt(listenUrl === undefined ? 'DATABASE_URL' : 'LISTEN_URL', error)
  } finally {
    await migrating.kysely.destroy()
  }
  const parts = openPostgres(url, { ...options, listenUrl, connections, used: primary.used, onServers })
  if (listenUrl !== undefined) await checkPool(parts, installation)
  return createDatabase(parts, undefined, installation)
}

function startFailureAt(variable: string, error: unknown): unknown {
  if (!isOutage(error) && !isUnknownDatabase(error)) return error
  return new StartFailure(`cannot connect to the database of ${variable}: ${reasonOf(error)}`, error)
}

/** PgBouncer does not pass on the limit of statements that the gateway asks for. */
async function checkPool({ kysely }: EngineParts, installation: Installation): Promise<void> {
  try {
    const { rows } = await sql<{ id: string | null; limit: string }>`
      SELECT (SELECT id FROM installation) AS id, current_setting('statement_timeout') AS "limit"`.execute(
      kysely,
    )
    if (rows[0]?.id !== installation.id)
      throw new StartFailure('DATABASE_URL and LISTEN_URL lead to different databases')
    if (rows[0]?.limit === '0')
      throw new StartFailure(
        "statements through DATABASE_URL have no limit of time: ALTER ROLE … SET statement_timeout = '10s'",
      )
  } catch (error) {
    await kysely.destroy()
    throw startFailureAt('DATABASE_URL', error)
  }
}

async function openFile({ dataDir, mode, isExclusive, onCreated }: DatabaseOptions): Promise<Database> {
  const path = join(dataDir, 'amtiati.sqlite')
  const closing: (() => void)[] = []
  try {
    const lock = isExclusive ? lockSqlite(path) : undefined
    if (lock) closing.push(lock.release)
    const parts = openSqlite(path)
    closing.unshift(() => void parts.kysely.destroy())
    const installation = await prepare(parts, { mode, name: `SQLite ${path}`, onCreated })
    return createDatabase(parts, lock, installation)
  } catch (error) {
    for (const close of closing) close()
    const code = String((error as { code?: unknown }).code)
    if (code === 'ERR_SQLITE_ERROR' && !(isOutage(error) || isNoDatabase(error))) throw error
    if (!/^E[A-Z_]+$/.test(code)) throw error
    throw new StartFailure(`${path} cannot be opened and written: ${reasonOf(error)}`, error)
  }
}

/** The mode must be checked before the migration: an older gateway of another mode can be using the database. */
async function prepare(parts: EngineParts, start: Start): Promise<Installation> {
  await refuseOtherMode(parts, start)
  await migrate(parts)
  return claimInstallation(parts, start)
}

const isUnknownDatabase = (error: unknown) => (error as { code?: unknown }).code === '3D000'
const isNoDatabase = (error: unknown) => [11, 26].includes(Number((error as { errcode?: unknown }).errcode))
