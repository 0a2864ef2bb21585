import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Dialect, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import { type EngineParts, timeOf } from './database.ts'
import { addSearchText } from './search-text.ts'
import { createSqliteDriver } from './sqlite-driver.ts'
import { steadyClock, uncertaintyIn } from './steady-clock.ts'
import { openTables } from './transactions.ts'

export function openSqlite(path: string, clock?: Clock): EngineParts {
  if (path === ':memory:') return partsOf(new DatabaseSync(path), clock)
  mkdirSync(dirname(path), { recursive: true })
  const parts = partsOf(new DatabaseSync(path), clock)
  const opened = inodeOf(path)
  function assertInPlace() {
    if (inodeOf(path) !== opened)
      throw new Error(`${path} was removed or replaced, and what is written now is lost: stop the gateway`)
  }
  return { ...parts, assertInPlace }
}

function inodeOf(path: string) {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}

export function partsOf(file: DatabaseSync, clock: Clock = systemClock): EngineParts {
  file.exec('PRAGMA journal_mode = WAL')
  // A commit must be on the disk before it is confirmed.
  file.exec('PRAGMA synchronous = FULL')
  file.exec('PRAGMA foreign_keys = ON')
  // The `busy_timeout` is short, because the process is blocked while it waits for another writer.
  file.exec('PRAGMA busy_timeout = 250')
  addSearchText(file)
  const { run, connections, listen, ...driver } = createSqliteDriver(file)
  const tables = openTables(dialectOf(driver))
  // Kysely destroys a driver only after it has connected, and `run` bypasses Kysely. So Kysely connects here, which
  // cannot fail.
  void tables.kysely.connection().execute(async () => undefined)
  return {
    engine: 'sqlite',
    time: timeOf(steadyClock(clock, uncertaintyIn(file))),
    ...tables,
    run,
    connections,
    listen,
    isTransient: () => false,
  }
}

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** Kysely expects that SQLite cannot roll back schema changes. A first start that is killed must not leave tables. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

export const dialectOf = (driver: Driver): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => driver,
  createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})
