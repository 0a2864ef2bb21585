import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Installation } from '#server/platform/modes.ts'
import type { EngineParts } from './database.ts'
import { findInstallation } from './installation.ts'
import { readNewerSteps, refusalOf, schemaSteps } from './migrate.ts'

export interface Inspection {
  readonly orders: number
  readonly users: number
  readonly installation: Installation | undefined
  readonly missingSteps: readonly string[]
  readonly newerSteps: readonly string[]
}

const ownTables = ['orders', 'users', 'kysely_migration']
const buildSteps = Object.keys(schemaSteps)

export async function inspectDatabase({ kysely, engine }: EngineParts): Promise<Inspection> {
  const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true })
  const names = tables.map(({ name }) => name)
  if (ownTables.some((table) => !names.includes(table))) throw new Error(notOurs)
  const applied = (await kysely.selectFrom('kysely_migration').select('name').execute()).map(({ name }) =>
    String(name),
  )
  const refusal = await refusalOf(kysely, engine)
  if (refusal !== undefined) throw new Error(refusal)
  const newer = await readNewerSteps(kysely)
  if (!newer.areAdditive)
    throw new Error(`it was written by a newer build (${newer.names.join(', ')}): use that build`)
  const count = async (table: string) => {
    const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)}`.execute(
      kysely,
    )
    return Number(rows[0]?.count)
  }
  return {
    orders: await count('orders'),
    users: await count('users'),
    installation: await findInstallation({ kysely }),
    missingSteps: buildSteps.filter((name) => !applied.includes(name)),
    newerSteps: newer.names,
  }
}

const notOurs = 'it has no orders table: it is not a database of this gateway'

/** A SQLite file is checked before it is opened for writing, which would turn an empty file into a database. */
export function checkSqliteFile(path: string): void {
  if (!existsSync(path)) throw new Error('it does not exist')
  if (!statSync(path).isFile()) throw new Error('it is not a file')
  if (statSync(path).size === 0) throw new Error('it is empty')
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    const table = file.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'orders'").get()
    if (table === undefined) throw new Error(notOurs)
  } finally {
    file.close()
  }
}
