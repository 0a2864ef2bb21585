import { join } from 'node:path'
import { createDatabase, type Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export interface DatabasePlace {
  /** `postgres://…`; without it a SQLite file in `dataDir`. */
  readonly url: string | undefined
  readonly dataDir: string
  readonly onIdleError: (error: Error) => void
}

/** Opens the database and brings it to the newest migration. @throws when it cannot be reached or migrated. */
export async function openDatabase(place: DatabasePlace): Promise<Database> {
  const parts = place.url
    ? openPostgres(place.url, place.onIdleError)
    : openSqlite(join(place.dataDir, 'amtiati.sqlite'))
  await migrate(parts)
  return createDatabase(parts)
}
