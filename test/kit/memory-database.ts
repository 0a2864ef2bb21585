import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '#server/platform/clock.ts'
import { createDatabase, type Database, type EngineParts } from '#server/platform/database/database.ts'
import { claimInstallation, readInstallation } from '#server/platform/database/installation.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { partsOf } from '#server/platform/database/sqlite.ts'

/** A database as the first start of a demo leaves it. */
export async function migrateForTests(parts: EngineParts): Promise<void> {
  await migrate(parts)
  await claimInstallation(parts, { mode: 'demo', name: 'the database of a test' })
}

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
    await migrateForTests(parts)
    return file.serialize()
  } finally {
    await parts.kysely.destroy()
  }
}

/** A SQLite database in memory with all tables. */
export async function openMemoryParts(clock?: Clock): Promise<EngineParts> {
  const file = new DatabaseSync(':memory:')
  file.deserialize(await migratedBytes())
  return partsOf(file, { clock })
}

/** The same, as the features use it. */
export async function openMemory(clock?: Clock): Promise<Database> {
  const parts = await openMemoryParts(clock)
  return createDatabase(parts, undefined, await readInstallation(parts.kysely))
}
