import type { Engine } from '#server/platform/database/database.ts'

/** What a run gives to its workers. They inherit it from the process that starts them. */
interface RunEnvironment {
  /** Of the in-process gateways: SQLite unless it is set. */
  readonly TEST_ENGINE?: Engine
  /** Answers with the URL of a PostgreSQL database: `GET /` empty, `/migrated` with tables, `/filled` with rows. */
  readonly TEST_POSTGRES?: string
}

const run = process.env as RunEnvironment

/** The engine of the in-process gateways of this run. */
export const engineOfRun = (): Engine => run.TEST_ENGINE ?? 'sqlite'

/** The URL of a PostgreSQL database: a new one without tables or with all, or the read-only one with rows. */
export async function freshPostgresUrl(state: '' | 'migrated' | 'filled' = ''): Promise<string> {
  const response = await fetch(new URL(state, run.TEST_POSTGRES))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
