import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from './database.ts'

// Changes to tables that may hold millions of rows, for migrations with `isOnline`. On PostgreSQL each statement blocks
// writes briefly or not at all, and can run again after an interrupted start. SQLite has one gateway, which is just
// starting, so the whole step is one transaction.

// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
type Tables = Kysely<any>

export interface IndexShape {
  readonly table: string
  readonly columns: readonly string[]
  /** SQL. SQLite uses a partial index only for a statement that repeats the condition with literals, not parameters. */
  readonly where?: string
  readonly isUnique?: true
}

/** Adds a column; with a default that is a literal neither engine rewrites the rows. */
export async function addColumn(
  kysely: Tables,
  engine: Engine,
  table: string,
  name: string,
  definition: RawBuilder<unknown>,
): Promise<void> {
  // SQLite has no IF NOT EXISTS here and needs none: an interrupted step leaves nothing.
  await sql`ALTER TABLE ${sql.table(table)}
    ADD COLUMN ${engine === 'postgres' ? sql`IF NOT EXISTS` : sql``} ${sql.ref(name)} ${definition}`.execute(
    kysely,
  )
}

/** Adds an index without blocking writes. */
export async function addIndex(
  kysely: Tables,
  engine: Engine,
  name: string,
  { table, columns, where, isUnique }: IndexShape,
): Promise<void> {
  const isConcurrent = engine === 'postgres' && !kysely.isTransaction
  // An interrupted concurrent build leaves an invalid index, which costs writes and serves no reads.
  if (isConcurrent && (await isInvalid(kysely, name)))
    await sql`DROP INDEX CONCURRENTLY ${sql.ref(name)}`.execute(kysely)
  await sql`CREATE ${isUnique ? sql`UNIQUE` : sql``} INDEX ${isConcurrent ? sql`CONCURRENTLY` : sql``} IF NOT EXISTS ${sql.ref(name)}
    ON ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    ${where === undefined ? sql`` : sql`WHERE ${sql.raw(where)}`}`.execute(kysely)
}

async function isInvalid(kysely: Tables, name: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM pg_index
    WHERE indexrelid = to_regclass(${name}) AND NOT indisvalid`.execute(kysely)
  return rows.length > 0
}

/** Drops an index without blocking writes. */
export async function dropIndex(kysely: Tables, engine: Engine, name: string): Promise<void> {
  const isConcurrent = engine === 'postgres' && !kysely.isTransaction
  await sql`DROP INDEX ${isConcurrent ? sql`CONCURRENTLY` : sql``} IF EXISTS ${sql.ref(name)}`.execute(kysely)
}

/**
 * Restricts a column to these values; a later step that calls it again replaces them.
 *
 * PostgreSQL adds the CHECK as NOT VALID, which reads no rows, and validates it while others write. SQLite cannot add a
 * CHECK without rewriting the table: two triggers refuse other values, and existing rows are not checked.
 */
export async function allowOnly(
  kysely: Tables,
  engine: Engine,
  table: string,
  column: string,
  values: readonly string[],
): Promise<void> {
  const name = `${table}_${column}_known`
  const list = sql.join(values.map((value) => sql.lit(value)))
  if (engine === 'postgres') {
    await sql`ALTER TABLE ${sql.table(table)} DROP CONSTRAINT IF EXISTS ${sql.ref(name)},
      ADD CONSTRAINT ${sql.ref(name)} CHECK (${sql.ref(column)} IN (${list})) NOT VALID`.execute(kysely)
    await sql`ALTER TABLE ${sql.table(table)} VALIDATE CONSTRAINT ${sql.ref(name)}`.execute(kysely)
    return
  }
  for (const [event, suffix] of [
    [sql`INSERT`, 'insert'],
    [sql`UPDATE OF ${sql.ref(column)}`, 'update'],
  ] as const) {
    const trigger = sql.ref(`${name}_${suffix}`)
    await sql`DROP TRIGGER IF EXISTS ${trigger}`.execute(kysely)
    await sql`CREATE TRIGGER ${trigger} BEFORE ${event} ON ${sql.table(table)}
      WHEN NEW.${sql.ref(column)} NOT IN (${list})
      BEGIN SELECT RAISE(ABORT, ${sql.lit(`CHECK constraint failed: ${name}`)}); END`.execute(kysely)
  }
}
