import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Engine, EngineParts } from './database.ts'
import * as first from './migrations/0001-journey.ts'
import * as second from './migrations/0002-money-back.ts'
import * as third from './migrations/0003-sign-in-limits.ts'
import * as fourth from './migrations/0004-account.ts'

/** One step of the one timeline that both engines run. Steps are never edited once they are out. */
export interface SchemaStep {
  // biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
  up(kysely: Kysely<any>, engine: Engine): Promise<void>
}

/** The timeline. Names sort in the order of application and have no gap. */
export const schemaSteps: Readonly<Record<string, SchemaStep>> = {
  '0001-journey': first,
  '0002-money-back': second,
  '0003-sign-in-limits': third,
  '0004-account': fourth,
}

/** Brings the database to the newest step, under the migrator's own lock. @throws what the failing step threw. */
export async function migrate(parts: EngineParts): Promise<void> {
  const migrations: Record<string, Migration> = {}
  for (const [name, step] of Object.entries(schemaSteps))
    migrations[name] = { up: (kysely) => step.up(kysely, parts.engine) }
  const migrator = new Migrator({
    db: parts.kysely,
    provider: { getMigrations: async () => migrations },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
