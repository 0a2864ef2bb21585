import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openBrowser, openFeatureApp, problemOf } from '#test/kit/gateway/feature-app.ts'
import { createDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { isOutage } from './outage.ts'
import { openSqlite } from './sqlite.ts'

const coded = (code: string) => Object.assign(new Error('x'), { code })

/** A database that cannot grow, and a transaction that inserts rows until it throws. */
async function fullDisk() {
  const parts = openSqlite(':memory:')
  await migrate(parts)
  await sql`PRAGMA max_page_count = 1`.execute(parts.kysely)
  const database = createDatabase(parts)
  const fill = () =>
    database.transaction(async () => {
      for (let row = 0; ; row += 1)
        await database.tables
          .insertInto('partner_lists')
          .values({ kind: `list ${row}`, body: 'x'.repeat(4_000), fetched_at: 1 })
          .execute()
    })
  return { database, fill }
}

describe('a full disk', () => {
  it('is reported from inside a transaction, not hidden by its rollback', async () => {
    const { database, fill } = await fullDisk()
    const error = await fill().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'database or disk is full' })
    expect(isOutage(error)).toBe(true)
    // The transaction was rolled back, and the connection can be used again.
    await expect(fill()).rejects.toThrow('database or disk is full')
    await database.close()
  })

  it('is answered with 503, a problem and Retry-After', async () => {
    const { database, fill } = await fullDisk()
    const app = await openFeatureApp((feature) => void feature.post('/api/orders', fill))
    const answer = await openBrowser(app, { lang: 'en' }).post('/api/orders', {})
    expect(problemOf(answer)).toMatchObject({
      status: 503,
      code: 'STORAGE_UNAVAILABLE',
      message: 'We cannot save anything right now. Try again in 5 seconds.',
      retryAfterSeconds: 5,
    })
    expect(answer.headers['retry-after']).toBe('5')
    await database.close()
  })
})

describe('an outage', () => {
  it.each([
    '53100',
    '53300',
    '57P01',
    '57P03',
    '57014',
    '08006',
    '25006',
    '55000',
    '28P01',
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOSPC',
    'EIO',
  ])('is recognised by the code %s', (code) => expect(isOutage(coded(code))).toBe(true))

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
    'is recognised by the message "%s"',
    (message) => expect(isOutage(new Error(message))).toBe(true),
  )

  it.each(['23505', '40P01', '42601', 'ERR_INVALID_ARG_TYPE'])('is not %s', (code) =>
    expect(isOutage(coded(code))).toBe(false),
  )

  it('is not a syntax error or a constraint violation of SQLite', async () => {
    const file = new DatabaseSync(':memory:')
    file.exec('CREATE TABLE t (a INTEGER UNIQUE)')
    for (const text of ['SELEC 1', 'INSERT INTO t VALUES (1), (1)']) {
      let error: unknown
      try {
        file.exec(text)
      } catch (thrown) {
        error = thrown
      }
      expect(error).toBeInstanceOf(Error)
      expect(isOutage(error)).toBe(false)
    }
    file.close()
  })

  it('is not a closed pool or file, which is a programming error', async () => {
    const database = await openMemory()
    await database.close()
    const error = await database.check().catch((thrown: unknown) => thrown)
    expect(isOutage(error)).toBe(false)
  })
})
