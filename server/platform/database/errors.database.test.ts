import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createLogger } from '#server/platform/logging.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { openPatientPostgres } from '#test/kit/database/open-postgres.ts'
import { openDatabase } from './open.ts'

/** The log of errors of PostgreSQL and its driver. */
it('a lost connection and a refused row are logged as code, message and stack, in JSON', async () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  const url = await freshPostgresUrl('migrated')
  const { promise: lost, resolve } = Promise.withResolvers<void>()
  const database = await openDatabase({
    url,
    dataDir: '',
    mode: 'demo',
    onIdleError(error) {
      log.warn({ event: 'database.connection-lost', err: error })
      resolve()
    },
  })
  onTestFinished(() => database.close())
  const add = () =>
    database.tables
      .insertInto('partner_lists')
      .values({ kind: 'of Fatimah', body: '', fetched_at: 1 })
      .execute()
  await add()
  await add().catch((error: unknown) => log.error({ event: 'refused', err: error }))

  const operator = openPatientPostgres(url)
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(operator.kysely)
  await operator.kysely.destroy()
  await lost

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ event: 'refused', err: expect.objectContaining({ code: '23505' }) }),
    expect.objectContaining({ event: 'database.connection-lost' }),
  ])
  for (const line of lines)
    expect(Object.keys(JSON.parse(line).err).sort()).toEqual(['code', 'message', 'stack', 'type'])
  expect(lines.join('')).not.toMatch(/Fatimah|password/)
})
