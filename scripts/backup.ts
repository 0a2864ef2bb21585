import { resolve } from 'node:path'
import { backupPostgres, backupSqlite } from '#server/platform/database/backup.ts'
import {
  readArguments,
  readDatabaseLocation,
  refuseEmpty,
  rowsOf,
  runTool,
  UsageError,
  withSource,
} from './lib/tool.ts'

const usage = `usage: npm run backup -- <file>
Copies the database of the gateway, SQLite or PostgreSQL, to a new SQLite file while the gateway runs, and checks the
copy. Reads DATA_DIR and DATABASE_URL from the environment and .env. \`npm run restore\` reads it back.`

await runTool(usage, async (args) => {
  const [target, ...rest] = readArguments(args, {}).positionals
  if (target === undefined || rest.length > 0) throw new UsageError('name one file')
  // An upgrade begins with a backup, so a database of an older build is accepted.
  await withSource(await readDatabaseLocation(), { mayBeOlder: true }, async (source) => {
    refuseEmpty(source)
    const { location, parts } = source
    const now = Date.now()
    const counts =
      location.engine === 'postgres'
        ? await backupPostgres(parts, target, now)
        : await backupSqlite(location.file, target, now)
    console.log(rowsOf(counts))
    console.log(`backup: ${resolve(target)}, taken ${new Date(now).toISOString()}, integrity ok`)
  })
})
