import { sql } from 'kysely'
import { createDatabase, type Database, type EngineParts } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'

/** What a migrated SQLite database holds: repeating it is twenty times as fast as running all migrations. */
interface Template {
  /** Statements that create the tables, indexes and triggers. */
  readonly schema: readonly string[]
  readonly rows: readonly { readonly table: string; readonly values: Record<string, unknown>[] }[]
}

let template: Promise<Template> | undefined

async function readTemplate(): Promise<Template> {
  const parts = openSqlite(':memory:')
  try {
    await migrate(parts)
    const { rows: objects } = await sql<{ type: string; name: string; text: string }>`
      SELECT type, name, sql AS text FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid`.execute(parts.kysely)
    const tables = objects.filter(({ type }) => type === 'table').map(({ name }) => name)
    const rows = await Promise.all(
      tables.map(async (table) => ({
        table,
        values: (await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}`.execute(parts.kysely))
          .rows,
      })),
    )
    return {
      schema: objects.map(({ text }) => text),
      rows: rows.filter(({ values }) => values.length > 0),
    }
  } finally {
    await parts.kysely.destroy()
  }
}

/** A SQLite database in memory with all tables. */
export async function openMemoryParts(): Promise<EngineParts> {
  template ??= readTemplate()
  const { schema, rows } = await template
  const parts = openSqlite(':memory:')
  for (const statement of schema) await sql.raw(statement).execute(parts.kysely)
  for (const { table, values } of rows) await parts.kysely.insertInto(table).values(values).execute()
  return parts
}

/** The same, as the features use it. */
export const openMemory = async (): Promise<Database> => createDatabase(await openMemoryParts())
