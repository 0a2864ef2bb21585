import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import type { EngineParts } from './database.ts'

/** Prepared statements kept per connection; the rooms have far fewer texts than this. */
const maxStatements = 500

/** Opens (and makes) the file; `:memory:` for a database that ends with the process. */
export function openSqlite(path: string): EngineParts {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const file = new DatabaseSync(path)
  file.exec('PRAGMA journal_mode = WAL')
  // FULL: an answer promises that the write survives a power cut, not only a killed process.
  file.exec('PRAGMA synchronous = FULL')
  file.exec('PRAGMA foreign_keys = ON')
  // The wait stops the whole process, and nobody but this process writes in the normal run of things.
  file.exec('PRAGMA busy_timeout = 250')
  return {
    engine: 'sqlite',
    kysely: new Kysely({
      dialect: migratingAtOnce(new SqliteDialect({ database: speakBetterSqlite(file) })),
    }),
    isTransient: () => false,
  }
}

/**
 * SQLite takes back a half-made schema as well as PostgreSQL does, but Kysely does not rely on it. A first start that
 * is killed in the middle must not leave tables behind that no later start can get past.
 */
function migratingAtOnce(dialect: SqliteDialect): SqliteDialect {
  const createAdapter = dialect.createAdapter.bind(dialect)
  dialect.createAdapter = () =>
    Object.defineProperty(createAdapter(), 'supportsTransactionalDdl', { value: true })
  return dialect
}

/** Kysely speaks the dialect of better-sqlite3; this says it in the words of `node:sqlite`. */
function speakBetterSqlite(file: DatabaseSync) {
  const prepared = new Map<string, StatementSync>()
  const statementOf = (sql: string): StatementSync => {
    const known = prepared.get(sql)
    if (known) return known
    const statement = file.prepare(sql)
    if (prepared.size >= maxStatements) prepared.clear()
    // A text that changes the schema would leave others in the cache behind it stale; it never comes twice.
    if (/^\s*(select|insert|update|delete|with)/i.test(sql)) prepared.set(sql, statement)
    return statement
  }
  const bound = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[]
  return {
    close: () => file.close(),
    prepare(sql: string) {
      const statement = statementOf(sql)
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...bound(parameters)),
        run: (parameters: readonly unknown[]) => statement.run(...bound(parameters)),
        iterate: (parameters: readonly unknown[]) =>
          statement.iterate(...bound(parameters)) as IterableIterator<unknown>,
      }
    },
  }
}
