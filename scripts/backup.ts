import { join } from 'node:path'
import { backupSqlite } from '#server/platform/database/backup.ts'

/** `npm run backup -- <file>`: copies the SQLite database of DATA_DIR while the gateway runs. */
const [target] = process.argv.slice(2)
const source = join(process.env.DATA_DIR ?? './data', 'amtiati.sqlite')

try {
  if (!target) throw new Error('usage: npm run backup -- <file>')
  console.log(`${target}: ${await backupSqlite(source, target)} pages, integrity ok`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
