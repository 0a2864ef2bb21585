import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '#server/platform/clock.ts'
import { createDatabase, type Database, type EngineParts } from '#server/platform/database/database.ts'
import { claimInstallation } from '#server/platform/database/installation.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { partsOf } from '#server/platform/database/sqlite.ts'
import type { Installation } from '#server/platform/modes.ts'

let template: Promise<Uint8Array> | undefined

/** A migrated SQLite database as bytes: loading it is many times as fast as running all migrations. */
export function migratedBytes(): Promise<Uint8Array> {
  template ??= migrated()
  return template
}

async function migrated(): Promise<Uint8Array> {
  const file = new DatabaseSync(':memory:')
  const parts = partsOf(file)
  try {
    await migrate(parts)
    return file.serialize()
  } finally {
    await parts.kysely.destroy()
  }
}

/** A SQLite database in memory with all tables. */
export async function openMemoryParts(clock?: Clock): Promise<EngineParts> {
  const file = new DatabaseSync(':memory:')
  file.deserialize(await migratedBytes())
  return partsOf(file, clock)
}

/** The same, as the features use it after the first start of a demo. */
export async function openMemory(clock?: Clock): Promise<Database> {
  const parts = await openMemoryParts(clock)
  return createDatabase(parts, undefined, await claimForDemo(parts))
}

/** Writes the row of the first start of a demo, without which the calls of testers are refused. */
export const claimForDemo = (parts: EngineParts): Promise<Installation> =>
  claimInstallation(parts, { mode: 'demo', name: 'the database of a test' })
