import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '#test/kit/basics/eventually.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { openRelay } from '#test/kit/programs/relay.ts'
import { openDatabase } from './open.ts'
import { prepared } from './prepared.ts'

/** A database with two addresses. The relay has the place of a pool. */
async function openPlace() {
  const listenUrl = await freshPostgresUrl()
  const { hostname, port } = new URL(listenUrl)
  const relay = await openRelay({ host: hostname, port: Number(port) })
  const url = new URL(listenUrl)
  url.port = String(relay.port)
  const direct = new pg.Client(listenUrl)
  await direct.connect()
  onTestFinished(async () => {
    await direct.end()
    await relay.close()
  })
  return {
    relay,
    direct,
    options: {
      url: String(url),
      listenUrl,
      connections: 1,
      dataDir: '',
      mode: 'demo' as const,
      onIdleError: () => undefined,
    },
  }
}

it('with LISTEN_URL the migration runs there, and statements run at DATABASE_URL', async () => {
  const { relay, direct, options } = await openPlace()
  relay.pause()
  const opening = openDatabase(options)
  await eventually(async () => (await direct.query('SELECT FROM installation')).rowCount ?? undefined)
  relay.resume()
  const database = await opening
  onTestFinished(database.close)
  expect(await database.check()).toBeGreaterThan(0)
})

it('with LISTEN_URL notices come over it, and no statement is left prepared on a connection', async () => {
  const { relay, direct, options } = await openPlace()
  const database = await openDatabase(options)
  onTestFinished(database.close)
  const find = prepared((_: object, kind: string) =>
    database.tables.selectFrom('partner_lists').selectAll().where('kind', '=', kind),
  )
  for (let time = 0; time < 2; time += 1) await find({ database }, 'agents')
  const left = await sql<{ name: string }>`SELECT name FROM pg_prepared_statements`.execute(database.tables)
  expect(left.rows).toEqual([])

  const heard: string[] = []
  const stop = database.listen({
    onNotice: ({ what }) => void heard.push(what),
    onGap: () => void heard.push('gap'),
  })
  onTestFinished(stop)
  await eventually(() => (heard.length === 1 ? true : undefined))
  relay.pause()
  const held = database.readNow()
  await direct.query("SELECT pg_notify('amtiati_orders', '7')")
  await eventually(() => (heard.length === 2 ? true : undefined))
  expect(heard).toEqual(['gap', '7'])
  relay.resume()
  expect(await held).toBeGreaterThan(0)
})

it('a DATABASE_URL and a LISTEN_URL of two databases are refused', async () => {
  const { options } = await openPlace()
  const url = await freshPostgresUrl('migrated')
  await expect(openDatabase({ ...options, url })).rejects.toMatchObject({
    name: 'StartFailure',
    message: 'DATABASE_URL and LISTEN_URL lead to different databases',
  })
})
