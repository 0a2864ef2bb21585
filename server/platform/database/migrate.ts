import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import { StartFailure } from '#server/platform/start-failure.ts'
import type { Engine, EngineParts } from './database.ts'
import * as first from './migrations/0001-journey.ts'
import * as second from './migrations/0002-money-back.ts'
import * as third from './migrations/0003-sign-in-limits.ts'
import * as fourth from './migrations/0004-account.ts'
import * as fifth from './migrations/0005-shipment-creations.ts'
import * as sixth from './migrations/0006-wrong-amounts.ts'
import * as seventh from './migrations/0007-sign-in-shares.ts'
import * as eighth from './migrations/0008-indexes.ts'
import * as ninth from './migrations/0009-retention.ts'
import * as tenth from './migrations/0010-names.ts'
import * as eleventh from './migrations/0011-travel.ts'
import * as twelfth from './migrations/0012-messages.ts'
import * as receipts from './migrations/0013-receipts.ts'
import * as shares from './migrations/0014-shares.ts'
import * as fifteenth from './migrations/0015-tracking.ts'
import * as cancellations from './migrations/0016-cancellations.ts'
import * as push from './migrations/0017-push.ts'
import * as operatorActions from './migrations/0018-operator-actions.ts'
import * as receiptDocuments from './migrations/0019-receipt-documents.ts'
import * as bareMessages from './migrations/0020-bare-messages.ts'

/** One migration, run by both engines. Released migrations are never edited. */
export interface SchemaStep {
  /**
   * On PostgreSQL it runs outside a transaction, so that gateways of the previous build can continue to write. Each of its
   * statements must be repeatable, because an interrupted start begins the step again.
   */
  readonly isOnline?: true
  // biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
  up(kysely: Kysely<any>, engine: Engine): Promise<void>
}

/** All migrations. Names sort in the order of application, without a gap. */
export const schemaSteps: Readonly<Record<string, SchemaStep>> = {
  '0001-journey': first,
  '0002-money-back': second,
  '0003-sign-in-limits': third,
  '0004-account': fourth,
  '0005-shipment-creations': fifth,
  '0006-wrong-amounts': sixth,
  '0007-sign-in-shares': seventh,
  '0008-indexes': eighth,
  '0009-retention': ninth,
  '0010-names': tenth,
  '0011-travel': eleventh,
  '0012-messages': twelfth,
  '0013-receipts': receipts,
  '0014-shares': shares,
  '0015-tracking': fifteenth,
  '0016-cancellations': cancellations,
  '0017-push': push,
  '0018-operator-actions': operatorActions,
  '0019-receipt-documents': receiptDocuments,
  '0020-bare-messages': bareMessages,
}

/** Kysely's table of applied steps. */
const migrationTable = 'kysely_migration'

/**
 * Applies every step, except those in `without`; other gateways that start meanwhile wait. All steps are one transaction;
 * on a PostgreSQL that has tables already, each step is one, and online steps run outside.
 * @throws StartFailure for a database with unknown steps; otherwise the error of the failing step.
 */
export async function migrate(parts: EngineParts, without: readonly string[] = []): Promise<void> {
  if (parts.engine === 'sqlite') return runSteps(parts.kysely, 'sqlite', without)
  await parts.kysely.connection().execute(async (connection) => {
    // The timeout is meant for requests; a step may take longer.
    await sql`SET statement_timeout = 0`.execute(connection)
    try {
      await waitForTurn(connection)
      try {
        await runSteps(connection, 'postgres', without)
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
async function runSteps(db: Kysely<any>, engine: Engine, without: readonly string[]): Promise<void> {
  const newer = (await appliedSteps(db)).filter((name) => !(name in schemaSteps))
  if (newer.length > 0)
    throw new StartFailure(
      `the database is newer than this build (${newer.join(', ')}). Start the newer build, or restore the copy made before the upgrade.`,
    )
  const migrations: Record<string, Migration> = {}
  for (const [name, step] of Object.entries(schemaSteps))
    if (!without.includes(name)) migrations[name] = { up: (kysely) => step.up(kysely, engine) }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })

  const steps = await migrator.getMigrations()
  const pending = steps.filter(({ executedAt }) => executedAt === undefined)
  // An empty database has no other users, so one transaction is enough.
  if (engine === 'postgres' && pending.length < steps.length)
    for (const { name } of pending)
      await succeed(migrator.migrateUp({ disableTransactions: schemaSteps[name]?.isOnline === true }))
  await succeed(migrator.migrateToLatest())
}

async function succeed(run: Promise<MigrationResultSet>): Promise<void> {
  const { error } = await run
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
