import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import type { Connections } from './database.ts'
import type { Listen } from './listen.ts'
import { createSqliteNotices } from './notices.ts'

export const maxStatements = 500

export interface SqliteDriver extends Driver {
  run<R>(query: CompiledQuery): Promise<QueryResult<R>>
  connections(): Connections
  readonly listen: Listen
}

export function createSqliteDriver(file: DatabaseSync): SqliteDriver {
  const statementOf = createStatements(file)
  const notices = createSqliteNotices(file)
  let owner: Connection | undefined
  let ownerLeft = Promise.withResolvers<void>()
  let waiting = 0

  function leave(connection: DatabaseConnection) {
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
      // Another query could run a shared statement before the stream has ended, so the stream prepares its own.
      for (const row of file.prepare(sql).iterate(...(parameters as readonly SQLInputValue[])))
        yield { rows: [row as R] }
      if (!isOwner) leave(this)
    }

    async own(): Promise<void> {
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
    connections: () => ({ inUse: owner ? 1 : 0, idle: owner ? 0 : 1, waiting, waitMs: 0, most: 1 }),
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
      if (owner !== connection) return
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

// With a plain `begin`, a transaction that reads first fails at its first write when another process, such as `npm run
// ops`, has written meanwhile (SQLITE_BUSY_SNAPSHOT). `begin immediate` takes the write lock at once.
const begin = CompiledQuery.raw('begin immediate')
const commit = CompiledQuery.raw('commit')
const rollback = CompiledQuery.raw('rollback')

interface Prepared {
  readonly statement: StatementSync
  readonly answersRows: boolean
}

function createStatements(file: DatabaseSync): (sql: string) => Prepared {
  const kept = new Map<string, Prepared>()
  return (sql) => {
    const known = kept.get(sql)
    if (known) return known
    const statement = file.prepare(sql)
    const prepared = { statement, answersRows: statement.columns().length > 0 }
    if (!/^\s*(select|insert|update|delete|with|begin|commit|rollback)/i.test(sql)) return prepared
    const [oldest] = kept.keys()
    if (kept.size === maxStatements && oldest !== undefined) kept.delete(oldest)
    kept.set(sql, prepared)
    return prepared
  }
}
