import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StartFailure } from '#server/platform/start-failure.ts'
import type { Engine, EngineParts } from './database.ts'
import { prepareNameIndex } from './name-index.ts'

/** One migration: the statements that it runs on an engine, in order. */
export interface SchemaStep {
  statementsOf(engine: Engine): readonly string[]
}

const folder = new URL('./migrations/', import.meta.url)
const files = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort()

/** All migrations: every file of the folder. Names sort in the order of application, without a gap. */
export const schemaSteps: Readonly<Record<string, SchemaStep>> = Object.fromEntries(
  await Promise.all(files.map(async (name) => [name.slice(0, -3), await import(new URL(name, folder).href)])),
)

/** A table of words that columns refer to: it is filled by migrations, never by a feature. */
export const isWordTable = (table: string) => table.endsWith('_words')

/** SHA-256 of the statements of a step. */
const hashOf = (step: SchemaStep, engine: Engine): string =>
  createHash('sha256').update(step.statementsOf(engine).join(';')).digest('hex')

const otherBuild =
  'the database was made by another build of before the first release, whose data is not taken over: delete amtiati.sqlite* in DATA_DIR, or on PostgreSQL run DROP SCHEMA public CASCADE; CREATE SCHEMA public'

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
// biome-ignore lint/suspicious/noExplicitAny: migrations know no table types
async function waitForTurn(connection: Kysely<any>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isOurs: boolean }>`SELECT pg_try_advisory_lock(${turn}) AS "isOurs"`.execute(
      connection,
    )
    if (rows[0]?.isOurs) return
    await pause(pollIntervalMs)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: migrations know no table types
async function runSteps(db: Kysely<any>, engine: Engine): Promise<void> {
  const applied = await appliedSteps(db)
  const refusal = applied.length > 0 ? await refusalOf(db, engine) : undefined
  if (refusal !== undefined) throw new StartFailure(refusal)
  const newer = applied.filter((name) => !(name in schemaSteps))
  if (newer.length > 0)
    throw new StartFailure(
      `the database is newer than this build (${newer.join(', ')}). Start the newer build, or restore the copy made before the upgrade.`,
    )
  const migrations = Object.fromEntries(
    Object.entries(schemaSteps).map(([name, step]): [string, Migration] => [
      name,
      {
        async up(kysely) {
          for (const statement of step.statementsOf(engine)) await sql.raw(statement).execute(kysely)
          await kysely
            .insertInto('schema_steps')
            .values({ step: name, hash: hashOf(step, engine) })
            .execute()
        },
      },
    ]),
  )
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/** Why a database with applied steps cannot be used: one of them had other statements than in this build; else undefined. */
// biome-ignore lint/suspicious/noExplicitAny: migrations know no table types
export async function refusalOf(db: Kysely<any>, engine: Engine): Promise<string | undefined> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'schema_steps')) return otherBuild
  const rows: { step: string; hash: string }[] = await db
    .selectFrom('schema_steps')
    .select(['step', 'hash'])
    .execute()
  const isOther = rows.some(({ step, hash }) => {
    const known = schemaSteps[step]
    return known !== undefined && hashOf(known, engine) !== hash
  })
  return isOther ? otherBuild : undefined
}

/** Names of the applied steps; none for a new database. */
// biome-ignore lint/suspicious/noExplicitAny: migrations know no table types
async function appliedSteps(kysely: Kysely<any>): Promise<string[]> {
  const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === migrationTable)) return []
  const rows = await kysely.selectFrom(migrationTable).select('name').orderBy('name').execute()
  return rows.map(({ name }) => String(name))
}
