import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StartFailure } from '#server/platform/start-failure.ts'
import type { Engine, EngineParts } from './database.ts'
import { prepareNameIndex } from './name-index.ts'

export interface SchemaStep {
  /**
   * True when older builds still work with the schema after this step, while newer builds write to it
   * (CONTRIBUTING.md).
   */
  readonly isAdditive: boolean
  statementsOf(engine: Engine): readonly string[]
}

export type SchemaSteps = Readonly<Record<string, SchemaStep>>

export interface NewerSteps {
  readonly names: readonly string[]
  readonly areAdditive: boolean
}

const folder = new URL('./migrations/', import.meta.url)
const files = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort()

export const schemaSteps: SchemaSteps = Object.fromEntries(
  await Promise.all(files.map(async (name) => [name.slice(0, -3), await import(new URL(name, folder).href)])),
)

export const isWordTable = (table: string) => table.endsWith('_words')

export const hashOf = (step: SchemaStep, engine: Engine): string =>
  createHash('sha256').update(step.statementsOf(engine).join(';')).digest('hex')

const otherBuild =
  'the database was made by another build of before the first release, whose data is not taken over: delete amtiati.sqlite* in DATA_DIR, or on PostgreSQL run DROP SCHEMA public CASCADE; CREATE SCHEMA public'

export const sentenceAbout = ({ names }: NewerSteps) =>
  `the database is newer than this build (${names.join(', ')}). Start the newer build, or restore the copy made before the upgrade.`

const migrationTable = 'kysely_migration'

/**
 * Runs all missing steps in one transaction, while other starting gateways wait. Does not change a newer database when
 * all its unknown steps are additive.
 */
export async function migrate(
  parts: Pick<EngineParts, 'engine' | 'kysely'>,
  steps: SchemaSteps = schemaSteps,
): Promise<void> {
  if (parts.engine === 'sqlite') return runSteps(parts.kysely, 'sqlite', steps)
  await parts.kysely.connection().execute(async (connection) => {
    // The statement timeout is meant for requests; a migration can take longer.
    await sql`SET statement_timeout = 0`.execute(connection)
    try {
      await waitForTurn(connection)
      try {
        await prepareNameIndex(connection)
        await runBesideRequests(connection, steps)
      } finally {
        await sql`RESET lock_timeout`.execute(connection)
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
 * Polls, because CREATE INDEX CONCURRENTLY waits for every earlier statement: a statement that waits for the lock would
 * cause a deadlock.
 */
// biome-ignore lint/suspicious/noExplicitAny: migrations know no table types
async function waitForTurn(connection: Kysely<any>) {
  for (;;) {
    const { rows } = await sql<{ isOurs: boolean }>`SELECT pg_try_advisory_lock(${turn}) AS "isOurs"`.execute(
      connection,
    )
    if (rows[0]?.isOurs) return
    await pause(pollIntervalMs)
  }
}

const tableWaitMs = 500
const attempts = 60
const tableIsInUse = (error: unknown) =>
  ['55P03', '40P01'].includes(String((error as { code?: unknown })?.code))

/**
 * A migration that waits for a table also blocks requests, so it gives up after a short time, and then runs all its
 * steps again.
 */
// biome-ignore lint/suspicious/noExplicitAny: migrations know no table types
async function runBesideRequests(connection: Kysely<any>, steps: SchemaSteps) {
  await sql`SET lock_timeout = ${sql.lit(tableWaitMs)}`.execute(connection)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runSteps(connection, 'postgres', steps)
    } catch (error) {
      if (!tableIsInUse(error)) throw error
      if (attempt === attempts)
        throw new StartFailure(
          'a transaction holds a table that has to be migrated. End it (pg_stat_activity shows it), or stop all gateways, and start again.',
          error,
        )
      await pause(tableWaitMs)
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: migrations know no table types
async function runSteps(db: Kysely<any>, engine: Engine, steps: SchemaSteps) {
  if ((await appliedSteps(db)).length > 0) {
    const refusal = await refusalOf(db, engine, steps)
    if (refusal !== undefined) throw new StartFailure(refusal)
    const newer = await readNewerSteps(db, steps)
    if (!newer.areAdditive) throw new StartFailure(sentenceAbout(newer))
    // A newer build has migrated the database, and Kysely would refuse its steps as unknown.
    if (newer.names.length > 0) return
  }
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, step]): [string, Migration] => [
      name,
      {
        async up(kysely) {
          for (const statement of step.statementsOf(engine)) await sql.raw(statement).execute(kysely)
          await kysely
            .insertInto('schema_steps')
            .values({
              step: name,
              hash: hashOf(step, engine),
              additive: step.isAdditive ? 1 : 0,
            })
            .execute()
        },
      },
    ]),
  )
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

export async function refusalOf(
  // biome-ignore lint/suspicious/noExplicitAny: migrations know no table types
  db: Kysely<any>,
  engine: Engine,
  steps: SchemaSteps = schemaSteps,
): Promise<string | undefined> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'schema_steps')) return otherBuild
  const rows: { step: string; hash: string }[] = await db
    .selectFrom('schema_steps')
    .select(['step', 'hash'])
    .execute()
  const isOther = rows.some(({ step, hash }) => {
    const known = steps[step]
    return known !== undefined && hashOf(known, engine) !== hash
  })
  return isOther ? otherBuild : undefined
}

/**
 * Steps that this build does not know are additive only when each of them says so and the database has all steps of
 * this build.
 */
export async function readNewerSteps(
  // biome-ignore lint/suspicious/noExplicitAny: migrations know no table types
  db: Kysely<any>,
  steps: SchemaSteps = schemaSteps,
): Promise<NewerSteps> {
  const { rows } = await sql<{ name: string; additive: number | null }>`
    SELECT name, additive FROM ${sql.table(migrationTable)} LEFT JOIN schema_steps ON step = name ORDER BY name`.execute(
    db,
  )
  const newer = rows.filter(({ name }) => !(name in steps))
  const hasOwn = rows.length - newer.length === Object.keys(steps).length
  return {
    names: newer.map(({ name }) => name),
    areAdditive: newer.length === 0 || (hasOwn && newer.every(({ additive }) => additive === 1)),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: migrations know no table types
async function appliedSteps(kysely: Kysely<any>) {
  const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === migrationTable)) return []
  const rows = await kysely.selectFrom(migrationTable).select('name').orderBy('name').execute()
  return rows.map(({ name }) => String(name))
}
