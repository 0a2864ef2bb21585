import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database, EngineParts } from '#server/platform/database/database.ts'
import { isWordTable } from '#server/platform/database/migrate.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { eventually } from '../basics/eventually.ts'
import type { Stack } from '../programs/stack.ts'
import { openPatientPostgres } from './open-postgres.ts'

/** Reads and changes the database of a stack, beside its gateways. */
export interface Rows {
  /** The rows of a statement; also for statements that change rows. */
  read<T>(statement: RawBuilder<T>): Promise<readonly T[]>
  /** The same as a template: values are parameters. */
  ask<T>(text: TemplateStringsArray, ...values: readonly unknown[]): Promise<readonly T[]>
  /** A fingerprint of every row by table, without what changes by itself. */
  snapshot(): Promise<ReadonlyMap<string, readonly string[]>>
  /** Every cell of every table as text, with `table.column` before it. */
  cells(): Promise<readonly { column: string; text: string }[]>
  close(): Promise<void>
}

/** Tables that count refusals and readings, or that grow without a request. */
const counting =
  /^(liveness|otp_\w+|readings|partner_lists|tracked_bookings|scan_texts|kysely_\w+|migrations?)$/

/** Columns that change with time or by workers, without a request. */
const restless = new Set([
  ...['last_seen_at', 'idle_until', 'inquiry_step', 'inquired_at'],
  ...['due_at', 'lease', 'leased_until', 'tries', 'last_error'],
])

export function openRows(
  stack: Pick<Stack, 'dataDir'> & { readonly database?: Database },
  databaseUrl?: string,
): Rows {
  const { kysely, close } = stack.database
    ? { kysely: stack.database.tables as unknown as Kysely<AnyTables>, close: async () => undefined }
    : openBeside(stack.dataDir, databaseUrl)

  const tables = async () => (await kysely.introspection.getTables()).map(({ name }) => name).sort()
  const rowsOf = (table: string): Promise<readonly Record<string, unknown>[]> =>
    kysely.selectFrom(table).selectAll().execute()

  const read: Rows['read'] = async (statement) => (await statement.execute(kysely)).rows
  return {
    read,
    ask: <T>(text: TemplateStringsArray, ...values: readonly unknown[]) => read(sql<T>(text, ...values)),
    async snapshot() {
      // A worker writes the document of a receipt seconds after the payment.
      await eventually(async () => {
        const unwritten = await kysely
          .selectFrom('receipts')
          .select('number')
          .where('document', '=', '')
          .execute()
        // Messages are sent by themselves, and deleted where nothing can send them. So is the letter to a new address.
        const unsent = await kysely
          .selectFrom('messages')
          .select('id')
          .where((message) =>
            message.or([
              message('due_at', '<=', Date.now()),
              message.and([message('kind', '=', 'email-added-letter'), message('ended_at', 'is', null)]),
            ]),
          )
          .execute()
        return unwritten.length + unsent.length === 0 ? true : undefined
      })
      const taken = new Map<string, readonly string[]>()
      for (const table of await tables()) {
        if (counting.test(table)) continue
        taken.set(table, (await rowsOf(table)).map(fingerprintOf).sort())
      }
      return taken
    },
    async cells() {
      const found: { column: string; text: string }[] = []
      for (const table of await tables())
        for (const row of await rowsOf(table))
          for (const [column, value] of Object.entries(row))
            found.push({ column: `${table}.${column}`, text: textOf(value) })
      return found
    },
    close,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tables of every feature are read by name
type AnyTables = any

function openBeside(dataDir: string, databaseUrl: string | undefined) {
  const { kysely } =
    databaseUrl === undefined ? openSqlite(join(dataDir, 'amtiati.sqlite')) : openPatientPostgres(databaseUrl)
  return { kysely, close: () => kysely.destroy() }
}

const textOf = (value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)

function fingerprintOf(row: Record<string, unknown>): string {
  const still = Object.entries(row).filter(([column]) => !restless.has(column))
  return still
    .map(([column, value]) => {
      const text = textOf(value)
      return `${column}=${text.length > 200 ? createHash('sha256').update(text).digest('hex') : text}`
    })
    .join(' ')
}

async function relationsOf(kysely: EngineParts['kysely']) {
  const { rows } = await sql<{ name: string; isTable: boolean; isNew: boolean }>`SELECT
    relname AS name, relkind = 'r' AS "isTable",
    relkind <> 'S' AND age(pg_class.xmin) < age(pg_database.xmin) AS "isNew"
    FROM pg_class, pg_database
    WHERE relnamespace = 'public'::regnamespace AND datname = current_database()`.execute(kysely)
  return rows
}

/** How many tables, indexes and sequences a PostgreSQL database has. */
export async function countRelations({ kysely }: EngineParts): Promise<number> {
  return (await relationsOf(kysely)).length
}

/**
 * Deletes all rows of a PostgreSQL database and restarts its numbers, which takes a fraction of the time of another
 * database. Returns false, and deletes nothing, when the tables themselves have changed since the database was created
 * with `relationCount` relations.
 */
export async function clearRows(
  { kysely }: EngineParts,
  relationCount: number | undefined,
): Promise<boolean> {
  return kysely.transaction().execute(async (tx) => {
    const relations = await relationsOf(tx)
    if (relations.length !== relationCount || relations.some(({ isNew }) => isNew)) return false
    // Without the checks of foreign keys the order of the tables does not matter.
    await sql`SET LOCAL session_replication_role = replica`.execute(tx)
    for (const { name, isTable } of relations)
      if (isTable && !(name.startsWith('kysely_') || isWordTable(name)))
        await sql`DELETE FROM ${sql.table(name)}`.execute(tx)
    await sql`SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence`.execute(tx)
    return true
  })
}

/**
 * Resolves once `work` waits for a lock of the database, or is done. On SQLite at once: its transactions follow each other
 * in any case.
 */
export async function blockedOrDone(database: Database, work: Promise<unknown>): Promise<void> {
  if (database.engine === 'sqlite') return
  let isDone = false
  void work.finally(() => {
    isDone = true
  })
  await eventually(async () => {
    const { rows } = await sql<{ waiting: number }>`SELECT count(*) AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database.tables)
    return isDone || Number(rows[0]?.waiting) > 0 ? true : undefined
  })
}

/** Copies a database to which nobody is connected, as PostgreSQL's own backups do: file by file. Returns the URL of the copy. */
export async function copyPostgres(url: string): Promise<string> {
  const copy = `${url}_copy`
  const nameOf = (address: string) => sql.id(new URL(address).pathname.slice(1))
  const server = openPatientPostgres(new URL('postgres', url).href)
  await sql`CREATE DATABASE ${nameOf(copy)} TEMPLATE ${nameOf(url)}`.execute(server.kysely)
  await server.kysely.destroy()
  return copy
}
