import { CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import type { EngineParts } from '#server/platform/database/database.ts'
import { isWordTable } from '#server/platform/database/migrate.ts'

/**
 * Reads the query plans of PostgreSQL; SQLite promises none. The question is whether a usable index exists, not whether the
 * planner prefers it, so PostgreSQL is set to avoid scans.
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
  /** Part of the statement, with `?` in place of each parameter. */
  readonly statement: string
  readonly fault: RegExp
  readonly reason: string
}

const exceptions: readonly Exception[] = [
  {
    statement: 'AS newest',
    fault: /^scans \(Index Scan (users|bookings) by \1_pkey\)$/,
    reason: 'the newest thousand rows, by their number',
  },
  {
    statement: 'delete from "desk_sessions" returning',
    fault: /^scans \(Seq Scan desk_sessions\)$/,
    reason: 'all sessions of staff end',
  },
]

export interface PlanRecorder {
  /** Records every statement that a store of the server runs through it. */
  readonly plugin: KyselyPlugin
  /** Explains each on a migrated PostgreSQL; a line for every fault that is no exception. */
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
  return /server\/(?:(?:features|desk)\/[\w-]+|platform\/database)\/([\w.-]+\.(?:store|queries)\.ts:\d+|(?:leases|pieces|history)\.ts:\d+)/.exec(
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
export async function fillForPlans({ kysely }: EngineParts): Promise<void> {
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
    const checks = await sql<{ location: string; definition: string }>`SELECT
      conrelid::regclass || '.' || attname AS location, pg_get_constraintdef(pg_constraint.oid) AS definition
      FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
      WHERE contype = 'c' AND pg_get_constraintdef(pg_constraint.oid) LIKE '%= ANY (ARRAY[%'`.execute(tx)
    for (const { location, definition } of checks.rows) {
      const words = [...definition.matchAll(/'([^']+)'/g)].map(([, word = '']) => word)
      wordsOf.set(location, words.length === 0 ? [0, 1] : words)
    }
    for (const { name, columns } of await tx.introspection.getTables()) {
      // The database lets an installation have one row.
      if (isWordTable(name) || name === 'installation') continue
      const values = columns.map((column) => drawnValue(column, wordsOf.get(`${name}.${column.name}`)))
      await sql`INSERT INTO ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column.name)))})
        SELECT ${sql.join(values)} FROM generate_series(1, 3000) AS i`.execute(tx)
    }
    await sql`ANALYZE`.execute(tx)
  })
}

/** The value of a column in the row `i`. */
function drawnValue(
  { name, dataType }: { readonly name: string; readonly dataType: string },
  words: readonly (string | number)[] | undefined,
) {
  if (words)
    return sql`(ARRAY[${sql.join(words.map((word) => sql.lit(word)))}])[1 + i % ${sql.lit(words.length)}]`
  const value = dataType.startsWith('int') ? sql`i` : sql`'x' || i`
  // Most rows are no work any more.
  if (name === 'due_at' || name === 'lease') return sql`CASE WHEN i % 50 = 0 THEN ${value} END`
  return dataType === 'bytea' ? sql`''::bytea` : value
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

/** The reads of a statement that go through every row of a table that grows. */
export function explain(
  { kysely }: EngineParts,
  { sql: text, parameters }: CompiledQuery,
): Promise<string[]> {
  // A prepared query has placeholders; the plan is the same for any value.
  const values = parameters.map((value) =>
    typeof value === 'object' && value?.constructor.name === 'Parameter' ? 0 : value,
  )
  return kysely.transaction().execute(async (tx) => {
    // No index can replace what remains of these.
    const set = (way: string, value: 'on' | 'off') =>
      sql`SELECT set_config(${`enable_${way}`}, ${value}, true)`.execute(tx)
    for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']) await set(way, 'off')
    // The partial index of the agents' lists holds every paid order.
    const indexes = await sql<{ name: string; first: string; isPartial: boolean }>`SELECT
      indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid, 1, false) AS first,
      indpred IS NOT NULL AND amname <> 'gin' AND relname <> 'orders_agent_list' AS "isPartial"
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
        CompiledQuery.raw(`EXPLAIN (FORMAT JSON) ${text}`, values),
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
