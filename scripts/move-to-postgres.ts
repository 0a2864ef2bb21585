import { copyToPostgres } from '#server/platform/database/copy.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import {
  findPostgres,
  readArguments,
  readToolConfig,
  refuseEmpty,
  refuseOccupied,
  requireInstallation,
  rowsOf,
  runTool,
  sqliteLocation,
  UsageError,
  withParts,
  withSource,
} from './lib/tool.ts'

const usage = `usage: DATABASE_URL=postgres://… npm run move-to-postgres
Copies the SQLite database of DATA_DIR into an empty PostgreSQL, all or nothing. The gateway must be stopped: what it
writes during the copy would be lost. Reads DATA_DIR and DATABASE_URL from the environment and .env.`

await runTool(usage, async (args) => {
  if (readArguments(args, {}).positionals.length > 0) throw new UsageError('it takes no arguments')
  const url = readToolConfig().DATABASE_URL
  if (url === undefined) throw new UsageError('DATABASE_URL must name the PostgreSQL to move to')
  const target = await findPostgres(url)
  await withSource(sqliteLocation(), { mustBeStopped: true }, async (source) => {
    refuseEmpty(source)
    requireInstallation(source)
    console.log(`to: ${target.name}`)
    await withParts(target, async (to) => {
      await refuseOccupied(to)
      await migrate(to)
      console.log(rowsOf(await copyToPostgres(source.parts, to)))
    })
  })
})
