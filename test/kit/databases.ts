import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, inject } from 'vitest'
import {
  createDatabase,
  type Database,
  type Engine,
  type EngineParts,
} from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openPostgres } from '#server/platform/database/postgres.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import type {} from './postgres.ts'

/** Every engine the gateway runs on. */
export const engines: readonly Engine[] = ['sqlite', 'postgres']

/** A place where a database can be: opening it twice gives two connections to the same data. */
export interface DatabasePlace {
  open(): EngineParts
  remove(): Promise<void>
}

/** A fresh, empty place on the engine. @throws when the engine does not start: an absent engine is a failure. */
export async function freshPlace(engine: Engine): Promise<DatabasePlace> {
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'amtiati-sqlite-'))
    return {
      open: () => openSqlite(join(folder, 'test.sqlite')),
      remove: () => rm(folder, { recursive: true, force: true }),
    }
  }
  const response = await fetch(inject('freshPostgres'))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  // The server lives as long as the run, and ends with all its databases.
  return { open: () => openPostgres(text, rethrow), remove: async () => undefined }
}

function rethrow(error: Error): never {
  throw error
}

/** Opens a fresh database with all tables; it is closed and removed after the test. */
export type OpenDatabase = () => Promise<Database>

/** Runs `laws` once per engine, each in a group named by the engine. */
export function forEachEngine(laws: (engine: Engine, open: OpenDatabase) => void): void {
  for (const engine of engines) describe(`on ${engine}`, () => laws(engine, openerOf(engine)))
}

function openerOf(engine: Engine): OpenDatabase {
  const closing = new Set<() => Promise<void>>()
  afterEach(async () => {
    await Promise.all([...closing].map((close) => close()))
    closing.clear()
  })
  return async () => {
    const place = await freshPlace(engine)
    const parts = place.open()
    const database = createDatabase(parts)
    closing.add(async () => {
      await database.close()
      await place.remove()
    })
    await migrate(parts)
    return database
  }
}

/** A migrated SQLite database in memory: what rooms run on in their own tests. */
export async function openMemory(): Promise<Database> {
  const parts = openSqlite(':memory:')
  await migrate(parts)
  return createDatabase(parts)
}

/** How often a race is run: often enough to trust in a full run, a taste of it otherwise. */
export const raceRounds = process.env.TEST_FULL ? 20 : 3
