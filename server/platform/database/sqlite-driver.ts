import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import type { Connections } from './database.ts'
import type { Listen } from './listen.ts'
import { createSqliteNotices } from './notices.ts'

/** Prepared statements kept. The features have fewer texts. */
export const maxStatements = 500

export interface SqliteDriver extends Driver {
  /** Runs a statement outside transactions, bypassing Kysely. */
  run<R>(query: CompiledQuery): Promise<QueryResult<R>>
  /** There is one: in use during a transaction, for which other queries wait. */
  connections(): Connections
  /** Called after each commit. */
  readonly listen: Listen
}

/**
 * Kysely's driver for one connection of `node:sqlite`. Statements are prepared once. A transaction owns the connection from
 * BEGIN to COMMIT; other queries wait for that.
 */
export function createSqliteDriver(file: DatabaseSync): SqliteDriver {
  const statementOf = createStatements(file)
  const notices = createSqliteNotices(file)
  let owner: Connection | undefined
  let ownerLeft = Promise.withResolvers<void>()
  let waiting = 0

  function leave(connection: DatabaseConnection): void {
    if (owner !== connection) return
    owner = undefined
    ownerLeft.resolve()
    ownerLeft = Promise.withResolvers()
  }

  function execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, answersRows } = statementOf(sql)
    const bound = parameters as readonly SQLInputValue[]
    if (answersRows) return { rows: statement.all(...bound) as R[] }
    const { changes, lastInsertRowid } = statement.run(...bound)
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
  }

  class Connection implements DatabaseConnection {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (owner === this) return execute(query)
      while (owner) {
        waiting += 1
        await ownerLeft.promise
        waiting -= 1
      }
      const result = execute<R>(query)
      notices.commit()
      return result
    }

    async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      const isOwner = owner === this
      if (!isOwner) await this.own()
      // Not a kept statement: another query could run that one before this stream has ended.
      for (const row of file.prepare(sql).iterate(...(parameters as readonly SQLInputValue[])))
        yield { rows: [row as R] }
      if (!isOwner) leave(this)
    }

    async own(): Promise<void> {
      // No await between the last check and the assignment.
      while (owner) {
        waiting += 1
        await ownerLeft.promise
        waiting -= 1
      }
      owner = this
    }
  }

  const outside = new Connection()
  return {
    run: (query) => outside.executeQuery(query),
    listen: notices.listen,
    connections: () => ({ inUse: owner ? 1 : 0, idle: owner ? 0 : 1, waiting, most: 1 }),
    init: async () => undefined,
    acquireConnection: async () => new Connection(),
    async beginTransaction(connection) {
      await (connection as Connection).own()
      execute(begin)
    },
    async commitTransaction(connection) {
      execute(commit)
      leave(connection)
      notices.commit()
    },
    async rollbackTransaction(connection) {
      // The connection belongs to another transaction if something failed after the commit.
      if (owner !== connection) return
      // A full disk ends a transaction by itself.
      if (file.isTransaction) execute(rollback)
      notices.rollback()
    },
    async releaseConnection(connection) {
      leave(connection)
    },
    async destroy() {
      while (owner) await ownerLeft.promise
      file.close()
    },
  }
}

// Takes the lock of writers at once, which `busy_timeout` waits for. One that begins with a read and writes later fails
// without waiting if another process, such as `npm run ops`, has written meanwhile (SQLITE_BUSY_SNAPSHOT).
const begin = CompiledQuery.raw('begin immediate')
const commit = CompiledQuery.raw('commit')
const rollback = CompiledQuery.raw('rollback')

interface Prepared {
  readonly statement: StatementSync
  readonly answersRows: boolean
}

/** Prepared statements by text; where there are too many, the one prepared first is dropped. */
function createStatements(file: DatabaseSync): (sql: string) => Prepared {
  const kept = new Map<string, Prepared>()
  return (sql) => {
    const known = kept.get(sql)
    if (known) return known
    const statement = file.prepare(sql)
    const prepared = { statement, answersRows: statement.columns().length > 0 }
    // Statements that change the schema are not kept.
    if (!/^\s*(select|insert|update|delete|with|begin|commit|rollback)/i.test(sql)) return prepared
    const [oldest] = kept.keys()
    if (kept.size === maxStatements && oldest !== undefined) kept.delete(oldest)
    kept.set(sql, prepared)
    return prepared
  }
}
