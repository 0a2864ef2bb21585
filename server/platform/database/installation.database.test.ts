import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Mode } from '#server/platform/modes.ts'
import { engines } from '#test/kit/database/databases.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { newLeg, newOrder, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import type { Database, Engine } from './database.ts'
import { adoptInstallation } from './installation.ts'
import { openDatabase } from './open.ts'

const user = { id: 41, phone: '+966512345678', name: 'N', created_at: 1 }

async function openPlace(engine: Engine) {
  const dataDir = freshFolder()
  const url = engine === 'postgres' ? await freshPostgresUrl() : undefined
  const opened: Database[] = []
  const created: string[] = []
  onTestFinished(async () => {
    for (const database of opened) await database.close()
  })
  const start = async (mode: Mode) => {
    const database = await openDatabase({
      url,
      dataDir,
      mode,
      onIdleError: () => undefined,
      onCreated: (name) => created.push(name),
    })
    opened.push(database)
    return database
  }
  const refusalOf = (mode: Mode) =>
    start(mode).then(
      () => undefined,
      (error: Error) => ({ name: error.name, message: error.message }),
    )
  const name = url ? `PostgreSQL ${url.split('@')[1]}` : `SQLite ${dataDir}/amtiati.sqlite`
  return { start, refusalOf, name, created }
}

describe.each(engines)('the installation of a database on %s', (engine) => {
  it.each([
    ['demo', 'live'],
    ['live', 'demo'],
  ] as const)('is written by the first start with MODE=%s, and refuses MODE=%s', async (mode, other) => {
    const { start, refusalOf, name, created } = await openPlace(engine)
    const { installation } = await start(mode)
    expect(installation).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), mode })
    expect((await start(mode)).installation).toEqual(installation)
    expect(await refusalOf(other)).toEqual({
      name: 'StartFailure',
      message: `MODE=${other} does not fit ${name}: the mode of this database is ${mode} (installation ${installation?.id}). Set MODE=${mode}, or name another database in DATABASE_URL or DATA_DIR.`,
    })
    expect((await start(mode)).installation).toEqual(installation)
    expect(created).toEqual([name])
  })

  it('is checked before the schema is changed', async () => {
    const { start, refusalOf } = await openPlace(engine)
    const { tables } = await start('live')
    await sql`DELETE FROM kysely_migration`.execute(tables)
    expect(await refusalOf('demo')).toMatchObject({ message: expect.stringContaining('Set MODE=live') })
    expect((await sql`SELECT name FROM kysely_migration`.execute(tables)).rows).toEqual([])
  })

  it.each([
    ['a user', async (database: Database) => void (await addUser(database))],
    [
      'an order',
      async (database: Database) => {
        await addUser(database)
        await storeOrder({ database }, newOrder(user.id), [newLeg('AM-1')])
      },
    ],
  ])('has to be adopted where the database holds %s and no row', async (_, fill) => {
    const { start, refusalOf, name } = await openPlace(engine)
    const database = await start('live')
    await database.tables.deleteFrom('installation').execute()
    await fill(database)
    for (const mode of ['demo', 'live'] as const)
      expect(await refusalOf(mode)).toEqual({
        name: 'StartFailure',
        message: `${name} holds orders or users, but no mode. Run npm run ops -- adopt --mode live if they are real, or npm run ops -- adopt --mode demo if they are of a demo. Or name another database in DATABASE_URL or DATA_DIR.`,
      })
    expect(await adoptInstallation(database, 'live')).toBe(true)
    expect(await adoptInstallation(database, 'demo')).toBe(false)
    expect(await refusalOf('demo')).toMatchObject({ message: expect.stringContaining('Set MODE=live') })
    expect((await start('live')).installation?.mode).toBe('live')
  })
})

// The lock of a SQLite file lets one gateway start.
describe('two gateways that start at once on an empty PostgreSQL', () => {
  it('agree on one installation', async () => {
    const { start } = await openPlace('postgres')
    const [one, two] = await Promise.all([start('demo'), start('demo')])
    expect(one.installation).toEqual(two.installation)
  })

  it('in different modes: one starts, the other is refused', async () => {
    const { start } = await openPlace('postgres')
    const starts = await Promise.allSettled([start('demo'), start('live')])
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(starts.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { name: 'StartFailure', message: expect.stringMatching(/^MODE=(demo|live) does not fit /) },
    })
  })
})

const addUser = (database: Database) => database.tables.insertInto('users').values(user).execute()
