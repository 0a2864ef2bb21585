import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { copyToPostgres } from '#server/platform/database/copy.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openPostgres } from '#server/platform/database/postgres.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'

/**
 * `DATABASE_URL=postgres://… npm run move-to-postgres`: copies the SQLite database of DATA_DIR into an empty
 * PostgreSQL. The gateway must be stopped: what it writes during the copy would be lost.
 */
async function move(): Promise<void> {
  const url = process.env.DATABASE_URL
  const source = join(process.env.DATA_DIR ?? './data', 'amtiati.sqlite')
  if (!url) throw new Error('DATABASE_URL names the PostgreSQL to move to')
  if (!existsSync(source)) throw new Error(`there is no database at ${source}; DATA_DIR names its folder`)

  const from = openSqlite(source)
  const to = openPostgres(url, (error) => console.error(error.message))
  try {
    await migrate(from)
    await migrate(to)
    for (const [table, rows] of await copyToPostgres(from, to)) console.log(`${table.padEnd(18)} ${rows}`)
  } finally {
    await from.kysely.destroy()
    await to.kysely.destroy()
  }
}

move().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
