import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { startPgBouncer } from '#test/kit/database/pgbouncer.ts'
import { openDatabase } from './open.ts'
import { prepared } from './prepared.ts'

async function openPool(statementLimit?: string) {
  const listenUrl = await freshPostgresUrl()
  const pool = await startPgBouncer(listenUrl, { connections: 3, statementLimit })
  onTestFinished(() => pool.close())
  return { url: pool.url, listenUrl, dataDir: '', mode: 'demo' as const, onIdleError: () => undefined }
}

it('ten connections share three of a PgBouncer that pools by transaction', async () => {
  const database = await openDatabase(await openPool())
  onTestFinished(database.close)
  await database.tables
    .insertInto('partner_lists')
    .values({ kind: 'agents', body: '[]', fetched_at: 0 })
    .execute()
  const find = prepared((_: object, kind: string) =>
    database.tables.selectFrom('partner_lists').selectAll().where('kind', '=', kind),
  )
  const add = () =>
    database.transaction(async () => {
      await database.lock('agents')
      const [row] = await find({ database }, 'agents')
      const fetched_at = Number(row?.fetched_at) + 1
      await database.send(database.tables.updateTable('partner_lists').set({ fetched_at }))
      return database.last(sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`)
    })
  const read = () =>
    database.together(() => Promise.all([find({ database }, 'agents'), find({ database }, 'centers')]))
  const added = await Promise.all(
    Array.from({ length: 30 }, async () => (await Promise.all([add(), read()]))[0]),
  )
  expect(await find({ database }, 'agents')).toMatchObject([{ fetched_at: 30 }])
  const pids = new Set(added.flatMap((rows) => rows.map(({ pid }) => pid)))
  expect(pids.size).toBeGreaterThan(1)
  expect(pids.size).toBeLessThanOrEqual(3)
  expect(database.connections().most).toBe(10)
})

it('a PgBouncer whose statements have no limit of time is refused', async () => {
  await expect(openDatabase(await openPool('0'))).rejects.toMatchObject({
    name: 'StartFailure',
    message: expect.stringMatching(/^statements through DATABASE_URL have no limit of time: /),
  })
})
