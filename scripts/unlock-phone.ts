import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createCodesStore } from '#server/features/sessions/codes.store.ts'
import { createDatabase } from '#server/platform/database/database.ts'
import { openPostgres } from '#server/platform/database/postgres.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { canonicalPhone } from '#server/platform/phone.ts'

/**
 * `npm run unlock -- <phone>`: ends the hard stop of a phone after too many wrong codes in a row, for pilgrims and
 * agents, while the gateway runs. The limits of the last day go on counting.
 */
const [typed = '', ...rest] = process.argv.slice(2)
const file = join(process.env.DATA_DIR || './data', 'amtiati.sqlite')
const url = process.env.DATABASE_URL || undefined

try {
  const phone = canonicalPhone(typed)
  if (!phone || rest.length > 0) throw new Error('usage: npm run unlock -- <phone, such as +9665XXXXXXXX>')
  if (!url && !existsSync(file))
    throw new Error(`There is no database at ${file}. Set DATA_DIR or DATABASE_URL.`)
  const database = createDatabase(url ? openPostgres(url, () => undefined) : openSqlite(file))
  try {
    const opened = await createCodesStore(database).unlockPhone(phone)
    console.log(opened > 0 ? `${phone}: open again` : `${phone}: was not locked`)
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
