import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Installation, Mode } from '#server/platform/modes.ts'
import { StartFailure } from '#server/platform/start-failure.ts'
import type { Database, EngineParts } from './database.ts'
import type { Schema } from './schema.ts'

const table = 'installation'

export const readInstallation = (tables: Kysely<Schema>): Promise<Installation | undefined> =>
  tables.selectFrom(table).select(['id', 'mode']).executeTakeFirst()

export async function findInstallation({
  kysely,
}: Pick<EngineParts, 'kysely'>): Promise<Installation | undefined> {
  const tables = await kysely.introspection.getTables()
  return tables.some(({ name }) => name === table) ? readInstallation(kysely) : undefined
}

export interface Start {
  readonly mode: Mode
  readonly name: string
  readonly onCreated?: ((name: string) => void) | undefined
}

export async function refuseOtherMode(parts: EngineParts, start: Start): Promise<void> {
  checkMode(await findInstallation(parts), start)
}

function checkMode(found: Installation | undefined, { mode, name }: Start) {
  if (found && found.mode !== mode)
    throw new StartFailure(
      `MODE=${mode} does not fit ${name}: the mode of this database is ${found.mode} (installation ${found.id}). Set MODE=${found.mode}, or name another database in DATABASE_URL or DATA_DIR.`,
    )
}

/** The first start with an empty database stores the installation; of simultaneous starts only one does. */
export async function claimInstallation({ kysely, time }: EngineParts, start: Start): Promise<Installation> {
  const { numAffectedRows } = await sql`INSERT INTO installation (one, id, mode, created_at)
    SELECT 1, CAST(${randomUUID()} AS text), CAST(${start.mode} AS text), ${time()}
    WHERE NOT EXISTS (SELECT 1 FROM orders) AND NOT EXISTS (SELECT 1 FROM users)
    ON CONFLICT DO NOTHING`.execute(kysely)
  const installation = await readInstallation(kysely)
  checkMode(installation, start)
  if (!installation) throw new StartFailure(refusalWithoutRow(start.name))
  if (numAffectedRows) start.onCreated?.(start.name)
  return installation
}

export const refusalWithoutRow = (name: string) =>
  `${name} holds orders or users, but no mode. Run npm run ops -- adopt --mode live if they are real, or npm run ops -- adopt --mode demo if they are of a demo. Or name another database in DATABASE_URL or DATA_DIR.`

/** Also works for a database that contains orders. Returns false when an installation was stored before. */
export const adoptInstallation = (database: Database, mode: Mode): Promise<boolean> =>
  database.wins(
    database.tables
      .insertInto(table)
      .values({ one: 1, id: randomUUID(), mode, created_at: database.now() })
      .onConflict((conflict) => conflict.doNothing()),
  )

export const nameOfInstallation = ({ id, mode }: Installation) => `installation ${id} (${mode})`

/** An identity that differs between two PostgreSQL databases, even when one is a copy of the other. */
export async function identityOf({ kysely }: EngineParts): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    SELECT concat_ws(' ', current_database(), pg_postmaster_start_time()) AS identity`.execute(kysely)
  return String(rows[0]?.identity)
}
