import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Config, ConfigError, readConfig } from '#server/platform/config.ts'
import { createDatabase, type Database, type EngineParts } from '#server/platform/database/database.ts'
import { checkSqliteFile, type Inspection, inspectDatabase } from '#server/platform/database/inspect.ts'
import { nameOfInstallation, refusalWithoutRow } from '#server/platform/database/installation.ts'
import { applicationNames, openPostgres, workingLimits } from '#server/platform/database/postgres.ts'
import { findPrimary } from '#server/platform/database/servers.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { nameOf } from '#server/platform/database/url.ts'
import type { Installation, Mode } from '#server/platform/modes.ts'
import { loadEnvironmentFile, root } from './repo.mjs'

/** Wrong arguments: the usage is printed after the message. */
export class UsageError extends Error {}

/**
 * Runs a tool: `--help`, the configuration of `npm start` (`.env`, overridden by the environment), and one line
 * per error with exit code 1.
 */
export async function runTool(
  usage: string,
  work: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    return
  }
  try {
    loadEnvironmentFile()
    await work(args)
  } catch (error) {
    console.error(
      error instanceof UsageError ? [error.message, usage].filter(Boolean).join('\n') : lineOf(error),
    )
    process.exitCode = 1
  }
}

/** `parseArgs`; its errors become a UsageError. */
export function readArguments<const T extends ParseArgsConfig['options']>(
  args: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true } as const)
  } catch (error) {
    throw new UsageError(lineOf(error))
  }
}

/** An error in one line. An AggregateError, from a failed connection, has no message. */
export function lineOf(error: unknown): string {
  if (error instanceof ConfigError) return error.reasons.join('; ')
  if (error instanceof AggregateError && !error.message) return error.errors.map(lineOf).join('; ')
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n')[0] ?? ''
}

type ToolConfig = Pick<
  Config,
  | 'DATABASE_URL'
  | 'LISTEN_URL'
  | 'DATA_DIR'
  | 'HOST'
  | 'PORT'
  | 'MOCK_PARTNER_PORT'
  | 'TRACKING_SILENCE_HOURS'
>

/**
 * The variables that tools need, parsed as in the gateway. Others are not read: an invalid key of the shipping
 * partner must not prevent finding an order.
 */
export function readToolConfig(): ToolConfig {
  const { DATABASE_URL, DATABASE_URL_FILE, LISTEN_URL, LISTEN_URL_FILE } = process.env
  const { DATA_DIR, HOST, PORT, MOCK_PARTNER_PORT, TRACKING_SILENCE_HOURS } = process.env
  return readConfig({
    DATABASE_URL,
    DATABASE_URL_FILE,
    LISTEN_URL,
    LISTEN_URL_FILE,
    DATA_DIR,
    HOST,
    PORT,
    MOCK_PARTNER_PORT,
    TRACKING_SILENCE_HOURS,
  })
}

/** Whether staff can sign in at a gateway of this mode: in a demo always, in live if DESK_OIDC_ISSUER is set. */
export const hasDesk = (mode: Mode): boolean => mode === 'demo' || Boolean(process.env.DESK_OIDC_ISSUER)

export interface PostgresLocation {
  readonly engine: 'postgres'
  readonly url: string
  readonly name: string
}

export type DatabaseLocation =
  | PostgresLocation
  | { readonly engine: 'sqlite'; readonly file: string; readonly name: string }

export async function readDatabaseLocation(): Promise<DatabaseLocation> {
  const { DATABASE_URL, LISTEN_URL: url = DATABASE_URL, DATA_DIR } = readToolConfig()
  if (url !== undefined) return await findPostgres(url)
  // Relative to the repository, where `npm` runs the gateway.
  const file = join(resolve(root, DATA_DIR), 'amtiati.sqlite')
  return { engine: 'sqlite', file, name: `SQLite ${file}` }
}

export function postgresLocation(url: string): PostgresLocation {
  return { engine: 'postgres', url, name: `PostgreSQL ${nameOf(url)}` }
}

async function findPostgres(url: string): Promise<PostgresLocation> {
  const { url: primary } = await findPrimary(url, applicationNames.tools, ({ sentence }) => {
    throw new Error(sentence)
  })
  return postgresLocation(primary)
}

/** @throws if the folder of the database is missing: the variable is wrong, or a volume is not mounted */
function checkFolder(file: string): void {
  const folder = dirname(file)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Error(`there is no folder ${folder}. Set DATA_DIR or DATABASE_URL.`)
}

export interface Source extends Inspection {
  readonly location: DatabaseLocation
  readonly parts: EngineParts
  readonly database: Database
}

/**
 * Opens a database for `work`, after printing its name, its number of orders and users, and its installation.
 * @throws when it is missing, empty, not a gateway's, of a newer build whose migrations are not additive, or of
 * an older one (unless `mayBeOlder`)
 */
export async function withSource<T>(
  location: DatabaseLocation,
  { mayBeOlder = false }: { mayBeOlder?: boolean },
  work: (source: Source) => Promise<T>,
): Promise<T> {
  const refuse = (error: unknown) => new Error(`${location.name}: ${lineOf(error)}`, { cause: error })
  if (location.engine === 'sqlite') {
    checkFolder(location.file)
    try {
      checkSqliteFile(location.file)
    } catch (error) {
      throw refuse(`${lineOf(error)}. Set DATA_DIR or DATABASE_URL.`)
    }
  }
  const parts = openParts(location)
  const database = createDatabase(parts)
  try {
    const inspection = await inspectDatabase(parts).catch((error: unknown) => {
      throw refuse(error)
    })
    const { orders, users, installation, missingSteps, newerSteps } = inspection
    const belongsTo = installation ? nameOfInstallation(installation) : 'no installation'
    console.log(
      `database: ${location.name}, ${countOf(orders, 'order')}, ${countOf(users, 'user')}, ${belongsTo}`,
    )
    if (newerSteps.length > 0)
      console.log(`schema: newer than this build, which works with it (${newerSteps.join(', ')})`)
    if (missingSteps.length > 0 && !mayBeOlder)
      throw refuse(
        `it is older than this build (${missingSteps.join(', ')} missing): start the gateway, which brings it up to date`,
      )
    return await work({ ...inspection, location, parts, database })
  } finally {
    await database.close()
  }
}

export function openParts(location: DatabaseLocation): EngineParts {
  return location.engine === 'postgres'
    ? openPostgres(location.url, {
        applicationName: applicationNames.tools,
        limits: workingLimits,
        onIdleError: () => undefined,
      })
    : openSqlite(location.file)
}

export async function withParts<T>(
  location: DatabaseLocation,
  work: (parts: EngineParts) => Promise<T>,
): Promise<T> {
  const parts = openParts(location)
  try {
    return await work(parts)
  } catch (error) {
    throw new Error(`${location.name}: ${lineOf(error)}`, { cause: error })
  } finally {
    await parts.kysely.destroy()
  }
}

/** For tools that have nothing to do on an empty database, which is probably the wrong one. */
export function refuseEmpty({ orders, users, location }: Source): void {
  if (orders === 0 && users === 0)
    throw new Error(`${location.name}: it holds no order and no user. Set DATA_DIR or DATABASE_URL.`)
}

export function requireInstallation({ installation, location }: Source): Installation {
  if (!installation) throw new Error(refusalWithoutRow(location.name))
  return installation
}

export const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
