import { mkdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type Dialect,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import { type EngineParts, timeOf } from './database.ts'
import { createFlushes } from './flushes.ts'
import { addSearchText } from './search-text.ts'
import { createSqliteDriver } from './sqlite-driver.ts'
import { steadyClock, uncertaintyIn } from './steady-clock.ts'

/** Opens or creates the file; `:memory:` for a database that ends with the process. */
export function openSqlite(path: string, clock?: Clock): EngineParts {
  if (path === ':memory:') return partsOf(new DatabaseSync(path), { clock })
  mkdirSync(dirname(path), { recursive: true })
  return partsOf(new DatabaseSync(path), { log: openLog(`${path}-wal`), clock })
}

/** What an open database consists of. Without its log nothing waits for the disk. */
export function partsOf(
  file: DatabaseSync,
  { log, clock = systemClock }: { log?: Log | undefined; clock?: Clock | undefined } = {},
): EngineParts {
  file.exec('PRAGMA journal_mode = WAL')
  // A response promises that its write survives a power cut. The driver waits for a flush of the log, which several
  // transactions share and which does not block the process. FULL would flush inside every commit and block it.
  file.exec('PRAGMA synchronous = NORMAL')
  file.exec('PRAGMA foreign_keys = ON')
  // Waiting blocks the process; normally no other process writes.
  file.exec('PRAGMA busy_timeout = 250')
  addSearchText(file)
  const { run, connections, settled, listen, ...driver } = createSqliteDriver(
    file,
    log && createFlushes(log.flush),
  )
  const destroy = async () => {
    await log?.close()
    await driver.destroy()
  }
  const kysely = new Kysely({ dialect: dialectOf({ ...driver, destroy }) })
  // Kysely destroys only a driver that it has connected, and `run` goes past it. There is nothing that could fail.
  void kysely.connection().execute(async () => undefined)
  return {
    engine: 'sqlite',
    time: timeOf(steadyClock(clock, uncertaintyIn(file))),
    kysely,
    run,
    connections,
    settled,
    listen,
    isTransient: () => false,
  }
}

class Adapter extends SqliteAdapter {
  /** The driver serialises transactions itself; Kysely would hold the connection during the flush. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /**
   * SQLite rolls back schema changes, but Kysely does not rely on it. A first start that is killed must not leave tables
   * that make later starts fail.
   */
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

interface Log {
  flush(): Promise<void>
  close(): Promise<void>
}

/**
 * A second descriptor of SQLite's log: flushing it writes the data of every descriptor. SQLite creates the file with the
 * first statement and keeps it while a connection is open. Closing it here is safe, because SQLite's locks are on the
 * other two files (POSIX drops a process's locks on a file when any of its descriptors is closed).
 */
function openLog(path: string): Log {
  let opened: Promise<FileHandle> | undefined
  let isClosed = false
  async function close() {
    isClosed = true
    const log = await opened?.catch(() => undefined)
    await log?.close()
  }
  return {
    async flush() {
      opened ??= open(path, 'r+')
      await (await opened).datasync()
      // Of a transaction that ended while the database was being closed.
      if (isClosed) await close()
    },
    close,
  }
}
