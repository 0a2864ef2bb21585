import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { hashOf } from '#server/features/receipts/receipts.rules.ts'
import { createReceiptsStore } from '#server/features/receipts/receipts.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openDatabase } from '#server/platform/database/open.ts'
import { minute } from '#test/kit/clock.ts'
import { engines } from '#test/kit/databases.ts'
import type {} from '#test/kit/postgres.ts'
import { runScript } from '#test/kit/tools.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

const run = (env: Readonly<Record<string, string>>, args: readonly string[], folder?: string) =>
  runScript('ops', args, env, folder)

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-ops-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A database of a gateway, and the variables that lead to it. */
async function openSource(engine: (typeof engines)[number]) {
  const dataDir = await newFolder()
  const url = engine === 'postgres' ? await (await fetch(inject('freshPostgres'))).text() : undefined
  const database = await openDatabase({ url, dataDir, onIdleError: () => undefined })
  onTestFinished(() => database.close())
  return { database, dataDir, url, env: url ? { DATABASE_URL: url } : { DATA_DIR: dataDir } }
}

/** A paid order whose two creations are used up. */
async function addStopped(database: Database) {
  const now = Date.now()
  const orders = createOrdersStore(database)
  const { id: userId } = await createSessionsStore(database).ensureUser('+966512345678', 'N', now)
  const orderId = await orders.addOrder(
    {
      userId,
      type: 'FROM_MINA',
      amountHalalas: 5_000,
      currency: 'SAR',
      agentCode: 'A01',
      centerCode: '1',
      createdAt: now,
    },
    [{ leg: 0, reference: `AM-${now}`, origin: '{}', destination: '{}' }],
  )
  await orders.markPaid(orderId, `T${orderId}`, now)
  const booking = await orders.leaseBooking('lease', now, now + minute)
  const id = booking?.id ?? 0
  for (let count = 0; count < 2; count += 1) await orders.beginCreation(id, 'lease', now, 'N')
  await orders.stopBooking(id, 'lease', now)
  await orders.releaseBooking(id, 'lease', now + minute, { reason: 'the shipping partner answered 500' })
  return { orders, orderId, id, reference: `AM-${now}`, stoppedAt: new Date(now).toISOString() }
}

describe.each(engines)('on %s', (engine) => {
  it('lists stuck bookings, and permits exactly one more creation', async () => {
    const { database, env, dataDir, url } = await openSource(engine)
    const { orders, orderId, id, reference, stoppedAt } = await addStopped(database)

    const listed = await run(env, ['stuck'])
    const [where = '', header = '', row = '', ...rest] = listed.out.split('\n')
    expect([listed.code, listed.err, rest]).toEqual([0, '', []])
    const location = url ? `PostgreSQL ${url.split('@')[1]}` : `SQLite ${dataDir}/amtiati.sqlite`
    expect(where).toBe(`database: ${location}, 1 order, 1 user`)
    expect(header.split(/ {2,}/)).toEqual([
      'order',
      'reference',
      'state',
      'airway bill',
      'since',
      'creations',
      'last reason',
    ])
    const cells = [`OD-${orderId}`, reference, 'stopped', '-', stoppedAt, '2']
    expect(row.split(/ {2,}/)).toEqual([...cells, 'the shipping partner answered 500'])

    const permitted = await run(env, ['reissue', `OD-${orderId}`])
    expect(permitted).toMatchObject({ code: 0, out: expect.stringContaining(reference) })
    const now = Date.now()
    await orders.leaseBooking('next', now, now + minute)
    expect(await orders.beginCreation(id, 'next', now, 'N')).toBe('N')
    expect(await orders.beginCreation(id, 'next', now, 'N')).toBeUndefined()

    const again = await run(env, ['reissue', String(orderId)])
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('nothing was changed') })
    expect((await run(env, ['stuck'])).out).toContain('no booking needs an operator')
  })

  it('checks the sequence of receipts, and fails with what is missing', async () => {
    const { database, env } = await openSource(engine)
    const { orderId } = await addStopped(database)
    const receipts = createReceiptsStore(database)
    for (const returned of [0, 1_000, 2_000])
      await receipts.addReceipt((number) => {
        const document = JSON.stringify({ number })
        return {
          ...{ kind: 'invoice', order_id: orderId, corrects: null, amount_halalas: 5_000 },
          ...{ returned_halalas: returned, issued_at: number, uuid: String(number) },
          ...{ document, hash: hashOf(document) },
        }
      })
    const sound = await run(env, ['receipts'])
    expect(sound).toMatchObject({
      code: 0,
      out: expect.stringContaining('3 receipts, the last number is 3: none missing, none changed'),
    })
    await database
      .tables<{ receipts: { number: number } }>()
      .deleteFrom('receipts')
      .where('number', '=', 2)
      .execute()
    expect(await run(env, ['receipts'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('missing: 2'),
    })
  })
})

it('reads the .env of the gateway', async () => {
  const { database, dataDir } = await openSource('sqlite')
  const { orderId } = await addStopped(database)
  const folder = await newFolder()
  for (const name of ['scripts', 'server', 'shared', 'node_modules', 'package.json'])
    await symlink(join(root, name), join(folder, name))
  await writeFile(join(folder, '.env'), `DATA_DIR=${dataDir}\n`)
  const { code, out } = await run({}, ['stuck'], folder)
  expect(code).toBe(0)
  expect(out).toContain(`SQLite ${dataDir}`)
  expect(out).toContain(`OD-${orderId}`)
})

it('prints its usage, and the database it opened', async () => {
  const folder = await newFolder()
  for (const args of [
    [],
    ['other'],
    ['toString'],
    ['stuck', '1'],
    ['receipts', '1'],
    ['reissue'],
    ['reissue', 'OD-x'],
    ['reissue', '1', '2'],
  ])
    expect(await run({ DATA_DIR: folder }, args)).toMatchObject({
      code: 1,
      err: expect.stringContaining('usage:'),
    })
  expect(await run({ DATA_DIR: folder }, ['stuck'])).toMatchObject({
    code: 1,
    out: '',
    err: `SQLite ${folder}/amtiati.sqlite: it does not exist. Set DATA_DIR or DATABASE_URL.`,
  })
})
