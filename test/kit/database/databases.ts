import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Clock } from '#server/platform/clock.ts'
import {
  createDatabase,
  type Database,
  type Engine,
  type EngineParts,
  timeOf,
} from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { contractNoon, manualClock } from '../basics/clock.ts'
import { isFull } from '../basics/full-run.ts'
import { freshPostgresUrl } from './fresh-postgres.ts'
import { openPatientPostgres } from './open-postgres.ts'
import { createPlanRecorder, type PlanRecorder } from './plans.ts'
import { clearRows, countRelations } from './rows.ts'

/** Every engine the gateway runs on. */
export const engines: readonly Engine[] = ['sqlite', 'postgres']

/** Where a database is. Opening it twice gives two connections to the same data. */
export interface DatabaseOptions {
  open(): EngineParts
  remove(): Promise<void>
}

/** An empty database. @throws when the engine does not start: a missing engine fails the test. */
export async function freshDatabase(engine: Engine): Promise<DatabaseOptions> {
  return engine === 'sqlite' ? freshSqlite() : postgresAt(await freshPostgresUrl())
}

async function freshSqlite(): Promise<DatabaseOptions & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-sqlite-'))
  const path = join(folder, 'test.sqlite')
  return {
    path,
    open: () => openSqlite(path),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The file of a migrated SQLite database: copying it is faster than running all migrations. */
let migratedFile: Promise<Buffer> | undefined

async function readMigratedFile(): Promise<Buffer> {
  const { path, open, remove } = await freshSqlite()
  const parts = open()
  await migrate(parts)
  // Closing the only connection moves the log into the file.
  await parts.kysely.destroy()
  const bytes = await readFile(path)
  await remove()
  return bytes
}

async function migratedSqlite(): Promise<DatabaseOptions> {
  migratedFile ??= readMigratedFile()
  const location = await freshSqlite()
  await writeFile(location.path, await migratedFile)
  return location
}

/** The server ends after the run with all its databases, so there is nothing to remove. */
export const postgresAt = (url: string): DatabaseOptions => ({
  open: () => openPatientPostgres(url, rethrow),
  remove: async () => undefined,
})

function rethrow(error: Error): never {
  throw error
}

/**
 * Opens a new database with all tables, which is closed and removed after the test. Its time is that of `clock`, which
 * stands still where none is given.
 */
export type OpenDatabase = (clock?: Clock) => Promise<Database>

/**
 * Runs `contract` once per engine, each in a group named by the engine. Fails when a statement that a store ran
 * meanwhile on PostgreSQL reads every row of a table that grows.
 */
export function forEachEngine(contract: (engine: Engine, open: OpenDatabase) => void): void {
  for (const engine of engines)
    describe(`on ${engine}`, () => {
      const plans = createPlanRecorder()
      contract(engine, openerOf(engine, plans))
      if (engine === 'sqlite') return
      it('finds every row by an index', async () => {
        const parts = postgresAt(await freshPostgresUrl('filled')).open()
        try {
          expect(await plans.findFaults(parts)).toEqual([])
        } finally {
          await parts.kysely.destroy()
        }
      })
    })
}

/** Tables, indexes and sequences of a migrated PostgreSQL database. */
let relationCount: number | undefined

function openerOf(engine: Engine, plans: PlanRecorder): OpenDatabase {
  const closing = new Set<() => Promise<void>>()
  afterEach(async () => {
    await Promise.all([...closing].map((close) => close()))
    closing.clear()
  })
  const used: string[] = []
  async function openMigrated(): Promise<{ parts: EngineParts; remove(): Promise<void> }> {
    if (engine === 'sqlite') {
      const location = await migratedSqlite()
      return { parts: location.open(), remove: location.remove }
    }
    const url = used.pop()
    if (url === undefined) {
      const fresh = await freshPostgresUrl('migrated')
      const parts = openPatientPostgres(fresh, rethrow)
      relationCount ??= await countRelations(parts)
      return { parts, remove: async () => void used.push(fresh) }
    }
    const parts = openPatientPostgres(url, rethrow)
    if (await clearRows(parts, relationCount)) return { parts, remove: async () => void used.push(url) }
    await parts.kysely.destroy()
    return openMigrated()
  }
  return async (clock = manualClock(contractNoon)) => {
    const { parts, remove } = await openMigrated()
    const database = createDatabase({
      ...parts,
      kysely: parts.kysely.withPlugin(plans.plugin),
      time: timeOf(clock),
    })
    closing.add(async () => {
      await database.close()
      await remove()
    })
    return database
  }
}

/** The rounds of a race: three in `npm test`, twenty in `npm run test:full`. */
export const raceRounds = isFull ? 20 : 3
