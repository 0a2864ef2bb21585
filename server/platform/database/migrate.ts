import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StartFailure } from '#server/platform/start-failure.ts'
import type { Engine, EngineParts } from './database.ts'
import { prepareNameIndex } from './name-index.ts'

/** One migration, run by both engines. None is edited (test/repo/migrations.test.ts). */
export interface SchemaStep {
  // biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
  up(kysely: Kysely<any>, engine: Engine): Promise<void>
}

const folder = new URL('./migrations/', import.meta.url)
const files = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort()

/** All migrations: every file of the folder. Names sort in the order of application, without a gap. */
export const schemaSteps: Readonly<Record<string, SchemaStep>> = Object.fromEntries(
  await Promise.all(files.map(async (name) => [name.slice(0, -3), await import(new URL(name, folder).href)])),
)

/** A table of words that columns refer to: it is filled by migrations, never by a feature. */
export const isWordTable = (table: string) => table.endsWith('_words')

/** The first step of the builds before `0001-schema`, none of which was released. */
const firstStepOfTrials = '0001-journey'

/** How a database of a trial is refused; undefined for any other. */
export const refusalOfTrial = (applied: readonly string[]): string | undefined =>
  applied.includes(firstStepOfTrials)
    ? 'it was made by a trial build, whose data is not taken over: delete amtiati.sqlite* in DATA_DIR, or on PostgreSQL run DROP SCHEMA public CASCADE; CREATE SCHEMA public'
    : undefined

/** Kysely's table of applied steps. */
const migrationTable = 'kysely_migration'

/**
 * Applies every step in one transaction; other gateways that start meanwhile wait.
 * @throws StartFailure for a database with unknown steps; otherwise the error of the failing step.
 */
export async function migrate(parts: EngineParts): Promise<void> {
  if (parts.engine === 'sqlite') return runSteps(parts.kysely, 'sqlite')
  await parts.kysely.connection().execute(async (connection) => {
    // The timeout is meant for requests; a step may take longer.
    await sql`SET statement_timeout = 0`.execute(connection)
    try {
      await waitForTurn(connection)
      try {
        await prepareNameIndex(connection)
        await runSteps(connection, 'postgres')
      } finally {
        await sql`SELECT pg_advisory_unlock(${turn})`.execute(connection)
      }
    } finally {
      await sql`RESET statement_timeout`.execute(connection)
    }
  })
}

const turn = sql.lit(7_302_026)
const pollIntervalMs = 200

/**
 * Polls the lock: the migrator's own lock waits inside a statement, and CREATE INDEX CONCURRENTLY waits for every earlier
 * statement, which would be a deadlock.
 */
// biome-ignore lint/suspicious/noExplicitAny: as above
async function waitForTurn(connection: Kysely<any>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isOurs: boolean }>`SELECT pg_try_advisory_lock(${turn}) AS "isOurs"`.execute(
      connection,
    )
    if (rows[0]?.isOurs) return
    await pause(pollIntervalMs)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function runSteps(db: Kysely<any>, engine: Engine): Promise<void> {
  const applied = await appliedSteps(db)
  const refusal = refusalOfTrial(applied)
  if (refusal !== undefined) throw new StartFailure(`the database cannot be used: ${refusal}`)
  const newer = applied.filter((name) => !(name in schemaSteps))
  if (newer.length > 0)
    throw new StartFailure(
      `the database is newer than this build (${newer.join(', ')}). Start the newer build, or restore the copy made before the upgrade.`,
    )
  const migrations = Object.fromEntries(
    Object.entries(schemaSteps).map(([name, step]): [string, Migration] => [
      name,
      { up: (kysely) => step.up(kysely, engine) },
    ]),
  )
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/** Names of the applied steps; none for a new database. */
// biome-ignore lint/suspicious/noExplicitAny: as above
async function appliedSteps(kysely: Kysely<any>): Promise<string[]> {
  const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === migrationTable)) return []
  const rows = await kysely.selectFrom(migrationTable).select('name').orderBy('name').execute()
  return rows.map(({ name }) => String(name))
}
