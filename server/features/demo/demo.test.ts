import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ensureUser, findUserByPhone } from '#server/features/users/users.queries.ts'
import { demoKeyHeader } from '#shared/demo/demo.api.ts'
import { day, hour, manualClock, noon } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openQuietGateway } from '#test/kit/gateway/quiet-gateway.ts'

const key = 'a-key-of-the-testers'
const isoAt = (ms: number) => new Date(ms).toISOString()

async function openDemo() {
  const dataDir = await mkdtemp(join(tmpdir(), 'amtiati-demo-'))
  const database = await openMemory()
  const opened: FastifyInstance[] = []
  /** A gateway on the same data. */
  const open = async () => {
    const app = await openQuietGateway(
      { DEMO_CONTROL_KEY: key, DATA_DIR: dataDir },
      {
        clock: manualClock(noon),
        database: Object.create(database, { close: { value: async () => undefined } }),
      },
    )
    await app.ready()
    opened.push(app)
    return app
  }
  let app = await open()
  onTestFinished(async () => {
    for (const each of opened) await each.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    post: async (path: string, payload: object = {}) => {
      const headers = { [demoKeyHeader]: key }
      const answer = await app.inject({ method: 'POST', url: `/api/demo${path}`, headers, payload })
      return { status: answer.statusCode, json: answer.json() }
    },
    isReady: async () => (await app.inject('/readyz')).statusCode === 200,
    reopen: async () => {
      app = await open()
    },
    database,
    addUser: async (phone: string) => (await ensureUser({ database }, phone, 'Maryam', noon)).id,
    hasUser: async (phone: string) => (await findUserByPhone({ database }, phone)) !== undefined,
  }
}

describe('the clock of a demo', () => {
  it('moves forward by a time, and to a time ahead of the real one', async () => {
    const { post } = await openDemo()
    expect((await post('/clock', { advanceMs: hour })).json).toEqual({
      success: true,
      now: isoAt(noon + hour),
      aheadMs: hour,
    })
    expect((await post('/clock', { advanceMs: hour })).json).toMatchObject({ aheadMs: 2 * hour })
    expect((await post('/clock', { aheadMs: day })).json).toMatchObject({ now: isoAt(noon + day) })
  })

  it('is where it was after a restart', async () => {
    const { post, reopen } = await openDemo()
    await post('/clock', { advanceMs: day })
    await reopen()
    expect((await post('/clock', { advanceMs: 0 })).json).toMatchObject({ aheadMs: day })
  })

  it.each([{}, { advanceMs: -1 }, { advanceMs: 1.5 }, { advanceMs: 1, aheadMs: 1 }, { advanceMs: '1' }])(
    'refuses %j',
    async (body) => {
      const { post } = await openDemo()
      expect((await post('/clock', body)).status).toBe(400)
    },
  )
})

describe('reset', () => {
  it('empties the database, goes back to real time, and continues the numbers', async () => {
    const { post, addUser, hasUser, isReady } = await openDemo()
    const first = await addUser('+966512345671')
    await post('/clock', { advanceMs: day })
    expect((await post('/reset')).json).toEqual({ success: true, now: isoAt(noon), aheadMs: 0 })
    expect(await hasUser('+966512345671')).toBe(false)
    expect(await addUser('+966512345672')).toBeGreaterThan(first)
    expect(await isReady()).toBe(true)
  })

  it('is done in turn when calls come at once', async () => {
    const { post, isReady } = await openDemo()
    const answers = await Promise.all([post('/reset'), post('/clock', { advanceMs: hour }), post('/reset')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await isReady()).toBe(true)
  })
})

describe('the installation', () => {
  it.each([
    ['reset', '/reset', {}],
    ['another time', '/clock', { advanceMs: day }],
  ])('of a live database refuses %s, and keeps its rows', async (_, path, body) => {
    const { post, addUser, hasUser, database } = await openDemo()
    await addUser('+966512345671')
    await database.tables.updateTable('installation').set({ mode: 'live' }).execute()
    const { status, json } = await post(path, body)
    expect([status, json.code]).toEqual([409, 'DATABASE_NOT_DEMO'])
    expect(await hasUser('+966512345671')).toBe(true)
    await database.tables.updateTable('installation').set({ mode: 'demo' }).execute()
    expect((await post(path, body)).status).toBe(200)
  })

  it('stays the same through a reset', async () => {
    const { post, database } = await openDemo()
    const read = () => database.tables.selectFrom('installation').selectAll().execute()
    const before = await read()
    expect(before).toMatchObject([{ mode: 'demo' }])
    await post('/reset')
    expect(await read()).toEqual(before)
  })
})
