import { CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import type { EngineParts } from '#server/platform/database/database.ts'
import { isWordTable } from '#server/platform/database/migrate.ts'

/**
 * Reads the query plans of both engines. The question is whether a usable index exists, not whether the planner prefers
 * it, so PostgreSQL is set to avoid scans. SQLite plans without statistics, as in production.
 */

/** Tables that hold a few rows, independent of the number of orders. */
const small = new Set([
  'liveness',
  'installation',
  'partner_lists',
  'agents',
  'receipt_counters',
  'receipt_gaps',
  'message_restores',
  'scan_texts',
  'paused_workers',
  // What those who are signed in at the desk have taken.
  'desk_work',
])

/** An accepted fault and its reason. */
interface Exception {
  /** Part of the statement, as written for SQLite. */
  readonly statement: string
  readonly fault: RegExp
  readonly reason: string
}

const sorted = /^sorts/
const exceptions: readonly Exception[] = [
  {
    statement: 'from "payment_events" where "transaction_id" = ? order by "id"',
    fault: sorted,
    reason: 'a transaction has one event of each kind',
  },
  {
    statement: 'from "bookings" where "order_id" in (',
    fault: sorted,
    reason: 'of one page of orders',
  },
  {
    statement: 'from "payment_attempts" where "order_id" in (',
    fault: sorted,
    reason: 'of one page of orders',
  },
  {
    statement: 'from "payment_events" where "attempt_id" in (',
    fault: sorted,
    reason: 'of the attempts of one page of orders',
  },
  {
    statement: 'from "refunds" where "attempt_id" in (',
    fault: sorted,
    reason: 'of the attempts of one page of orders',
  },
  {
    statement: 'from "refunds" inner join "payment_attempts"',
    fault: sorted,
    reason: 'of one page of orders',
  },
  {
    statement: 'AS newest',
    fault: /^scans \(Index Scan (users|bookings) by \1_pkey\)$/,
    reason: 'the newest thousand rows, by their number',
  },
  {
    statement: 'from "orders" where "user_id" in (',
    fault: sorted,
    reason: 'of the twenty owners that a search shows at most',
  },
  {
    statement: 'where "bookings"."due_at" is not null and ("bookings"."stopped_at" is not null',
    fault: sorted,
    reason: 'an operator asks for it; of the bookings that have no label yet',
  },
  {
    statement: 'from "otp_challenges" where ("role" = ? and "phone" = ?)',
    fault: sorted,
    reason: 'of one phone: what it is sent is limited, and kept for a day',
  },
  {
    statement: 'from "sessions" where "role" = ? and "subject_id" = ?',
    fault: sorted,
    reason: 'of one person: each took a code, and lives a month at most',
  },
]

export interface PlanRecorder {
  /** Records every statement that a store of the server runs through it. */
  readonly plugin: KyselyPlugin
  /** Explains each on a migrated database; a line for every fault that is no exception. */
  findFaults(parts: EngineParts): Promise<string[]>
}

export function createPlanRecorder(): PlanRecorder {
  const nodes = new Map<string, { readonly location: string; readonly args: Arguments }>()
  return {
    plugin: {
      transformQuery(args) {
        const location = storeOf()
        // By line of the store and shape of the statement: lists of different lengths are one statement.
        if (location) nodes.set(`${location} ${shapeOf(args.node)}`, { location, args })
        return args.node
      },
      transformResult: async ({ result }) => result,
    },
    async findFaults(parts) {
      const executor = parts.kysely.getExecutor()
      const faults: string[] = []
      for (const { location, args } of nodes.values()) {
        const query = executor.compileQuery(args.node, args.queryId)
        const found = await explain(parts, query)
        const plain = query.sql.replaceAll(/\$\d+/g, '?')
        for (const fault of found)
          if (!exceptions.some((each) => plain.includes(each.statement) && each.fault.test(fault)))
            faults.push(`${location} ${fault}: ${plain}`)
      }
      return [...new Set(faults)]
    },
  }
}

type Arguments = Parameters<KyselyPlugin['transformQuery']>[0]

/** File and line of the store that runs the current statement; undefined for a statement of a test. */
function storeOf(): string | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 40
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  return /server\/(?:features\/[\w-]+|platform\/database)\/([\w.-]+\.store\.ts:\d+|(?:leases|pieces)\.ts:\d+)/.exec(
    stack,
  )?.[1]
}

/** The statement without its values. */
function shapeOf(node: unknown): string {
  return JSON.stringify(node, (key, value: unknown) =>
    key === 'value' || key === 'values' ? undefined : value,
  )
}

/**
 * Fills every table with a few thousand rows: PostgreSQL finds an empty one cheap to read in any way, and would choose
 * another index than it does in truth.
 */
export async function fillForPlans({ engine, kysely }: EngineParts): Promise<void> {
  if (engine === 'sqlite') return
  await kysely.transaction().execute(async (tx) => {
    // The rows refer to each other at random.
    await sql`SET LOCAL session_replication_role = replica`.execute(tx)
    const references = await sql<{ location: string; table: string }>`SELECT
      conrelid::regclass || '.' || attname AS location, confrelid::regclass::text AS table
      FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace`.execute(tx)
    const wordsOf = new Map<string, (string | number)[]>()
    for (const { location, table } of references.rows.filter((each) => isWordTable(each.table))) {
      const { rows } = await sql<{ word: string }>`SELECT word FROM ${sql.table(table)}`.execute(tx)
      wordsOf.set(
        location,
        rows.map(({ word }) => word),
      )
    }
    const switches = await sql<{ location: string }>`SELECT conrelid::regclass || '.' || attname AS location
      FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
      WHERE contype = 'c' AND pg_get_constraintdef(pg_constraint.oid) LIKE '%ARRAY[0, 1]%'`.execute(tx)
    for (const { location } of switches.rows) wordsOf.set(location, [0, 1])
    for (const { name, columns } of await tx.introspection.getTables()) {
      // The database lets an installation have one row.
      if (isWordTable(name) || name === 'installation') continue
      const values = columns.map((column) => {
        const words = wordsOf.get(`${name}.${column.name}`)
        if (words)
          return sql`(ARRAY[${sql.join(words.map((word) => sql.lit(word)))}])[1 + i % ${sql.lit(words.length)}]`
        const value = column.dataType.startsWith('int') ? sql`i` : sql`'x' || i`
        // Most rows are no work any more.
        if (column.name === 'due_at' || column.name === 'lease')
          return sql`CASE WHEN i % 50 = 0 THEN ${value} END`
        if (column.dataType === 'bytea') return sql`''::bytea`
        return value
      })
      await sql`INSERT INTO ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column.name)))})
        SELECT ${sql.join(values)} FROM generate_series(1, 3000) AS i`.execute(tx)
    }
    await sql`ANALYZE`.execute(tx)
  })
}

/** What a statement does with every row of a table that grows. */
export function explain({ engine, kysely }: EngineParts, asked: CompiledQuery): Promise<string[]> {
  // A prepared query has named parameters; the plan is the same for any value.
  const parameters = asked.parameters.map((value) =>
    typeof value === 'object' && value?.constructor.name === 'Parameter' ? 0 : value,
  )
  const query = { ...asked, parameters }
  return engine === 'sqlite' ? explainSqlite(kysely, query) : explainPostgres(kysely, query)
}

async function explainSqlite(
  kysely: EngineParts['kysely'],
  { sql: text, parameters }: CompiledQuery,
): Promise<string[]> {
  const { rows } = await kysely.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`EXPLAIN QUERY PLAN ${text}`, [...parameters]),
  )
  const partial = await sql<{ name: string }>`SELECT list.name FROM sqlite_schema AS tables
    JOIN pragma_index_list(tables.name) AS list WHERE tables.type = 'table' AND list.partial`.execute(kysely)
  const fewRows = new Set(partial.rows.map(({ name }) => name))
  // Its rows are what its own statements have found, each of which is in the plan.
  const [, recursion] = /\bWITH RECURSIVE (\w+)/.exec(text) ?? []
  return rows.flatMap(({ detail }) => {
    // `ANY` is a skip-scan: the first column of the index is not in the condition.
    if (/^SEARCH .*\(ANY\(/.test(detail)) return [`scans (${detail})`]
    if (detail.includes('AUTOMATIC')) return [`builds an index (${detail})`]
    if (/^USE TEMP B-TREE FOR .*ORDER BY/.test(detail)) return [`sorts (${detail})`]
    // An index of names, asked for what has some parts (`M`).
    if (/^SCAN \S+ VIRTUAL TABLE INDEX \d+:M/.test(detail)) return []
    // For a table with an alias SQLite names only the alias.
    const [, table = '', index = ''] = /^SCAN (\S+)(?: USING (?:COVERING )?INDEX (\S+))?/.exec(detail) ?? []
    if (
      table === '' ||
      table === 'CONSTANT' ||
      table === recursion ||
      /^\d+-ROW$/.test(table) ||
      small.has(table) ||
      fewRows.has(index)
    )
      return []
    return [`scans (${detail})`]
  })
}

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Node[]
}

/** Whether a condition names a column, or an expression that an index holds. */
const holds = (condition: string, first: string) =>
  /^\w+$/.test(first) ? new RegExp(`\\b${first}\\b`).test(condition) : condition.includes(first)

async function explainPostgres(
  kysely: EngineParts['kysely'],
  { sql: text, parameters }: CompiledQuery,
): Promise<string[]> {
  return kysely.transaction().execute(async (tx) => {
    // No index can replace what remains of these. Sorting is checked on SQLite only: here the planner avoids a sort by
    // scanning an index.
    const set = (way: string, value: 'on' | 'off') =>
      sql`SELECT set_config(${`enable_${way}`}, ${value}, true)`.execute(tx)
    for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']) await set(way, 'off')
    const indexes = await sql<{ name: string; first: string; isPartial: boolean }>`SELECT
      indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid, 1, false) AS first,
      indpred IS NOT NULL AND amname <> 'gin' AS "isPartial"
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam`.execute(tx)
    const known = new Map(indexes.rows.map((row) => [row.name, row]))
    let faults: string[] = []
    const visit = (node: Node): void => {
      const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': name = '' } = node
      const index = known.get(name)
      // A condition on a later column alone is checked against every entry of the index.
      const isBounded =
        index !== undefined && (index.isPartial || holds(node['Index Cond'] ?? '', index.first))
      const reads = /^(Seq|Index|Index Only|Bitmap Index) Scan$/.test(type)
      if (reads && !isBounded && !small.has(table))
        faults.push(`scans (${type} ${table}${name && ` by ${name}`})`)
      for (const inner of node.Plans ?? []) visit(inner)
    }
    const find = async (): Promise<string[]> => {
      const { rows } = await tx.executeQuery<{ 'QUERY PLAN': readonly { readonly Plan: Node }[] }>(
        CompiledQuery.raw(`EXPLAIN (FORMAT JSON) ${text}`, [...parameters]),
      )
      faults = []
      for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) visit(Plan)
      return faults
    }
    const found = await find()
    if (found.length === 0) return found
    // Some indexes, such as those of names, are read by no other way.
    await set('bitmapscan', 'on')
    const others = await find()
    return others.length < found.length ? others : found
  })
}
