import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { monotonicClock } from '#server/platform/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { createDatabase } from './database.ts'
import { isOutage } from './outage.ts'
import { openPostgres, workingLimits } from './postgres.ts'
import { createPostgresDriver } from './postgres-driver.ts'

/** Messages of the frontend/backend protocol: AuthenticationOk and ReadyForQuery. https://www.postgresql.org/docs/current/protocol-message-formats.html */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

/** CommandComplete of BEGIN and of a SELECT, and ReadyForQuery within a transaction. */
const begun = Buffer.from('C\0\0\0\nBEGIN\0C\0\0\0\x0dSELECT 0\0Z\0\0\0\x05T', 'latin1')

/** A server that accepts each session and answers only `answered`, a statement without a result. */
async function openSilentServer(answered?: string) {
  const sockets: Socket[] = []
  const startups: string[] = []
  const queries: string[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', (startup) => {
      startups.push(startup.toString('latin1'))
      socket.write(welcome)
      socket.on('data', (query) => {
        queries.push(query.toString('latin1'))
        if (answered !== undefined && queries.at(-1)?.includes(answered)) socket.write(begun)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  const { port } = server.address() as AddressInfo
  return { url: `postgres://amtiati@127.0.0.1:${port}/amtiati`, sockets, startups, queries, close }
}

// Not by `vi`, which lets time pass while it waits.
const until = (isSo: () => boolean) => eventually(() => (isSo() ? true : undefined))

// Only these are faked: time passes when the test says so, so that a busy machine meets no limit.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('a connection to PostgreSQL that falls silent', () => {
  type Opened = ReturnType<typeof createDatabase>
  it.each([
    ['a statement', undefined, 'liveness', (database: Opened) => database.check()],
    [
      'a transaction',
      undefined,
      'begin',
      (database: Opened) => database.transaction(() => sql`SELECT ${1}`.execute(database.tables)),
    ],
    // Its rollback fails too, on a closed connection.
    [
      'a statement within a transaction',
      'begin',
      'SELECT 1',
      (database: Opened) =>
        database.transaction(async () => {
          await sql`SELECT 0`.execute(database.tables)
          await sql`SELECT 1`.execute(database.tables)
        }),
    ],
  ])('is closed after 12 s, and %s fails as an outage', async (_, answered, unanswered, work) => {
    const server = await openSilentServer(answered)
    const parts = openPostgres(server.url, { applicationName: 'of a test', onIdleError: () => undefined })
    const database = createDatabase(parts)
    onTestFinished(async () => {
      server.close()
      await database.close()
    })
    let error: unknown
    work(database).catch((thrown: unknown) => {
      error = thrown
    })
    await until(() => server.queries.some((query) => query.includes(unanswered)))
    await vi.advanceTimersByTimeAsync(11_999)
    expect(parts.connections()).toMatchObject({ inUse: 1 })
    await vi.advanceTimersByTimeAsync(1)
    await until(() => error !== undefined)
    expect(isOutage(error)).toBe(true)
    await until(() => server.sockets.every(({ destroyed }) => destroyed))
    // The pool has forgotten it: the next statement opens another one.
    await until(() => parts.connections().inUse === 0)
    expect(parts.connections()).toMatchObject({ inUse: 0, idle: 0 })
    const next = database.check().catch(() => undefined)
    await until(() => server.sockets.length === 2)
    await vi.advanceTimersByTimeAsync(12_000)
    await next
  })

  it('is left to the work of a tool or a migration', async () => {
    const server = await openSilentServer()
    const parts = openPostgres(server.url, {
      applicationName: 'amtiati-ops',
      limits: workingLimits,
      onIdleError: () => undefined,
    })
    const outcome = sql`SELECT 1`.execute(parts.kysely).catch((error: unknown) => error)
    await until(() => server.queries.length > 0)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(parts.connections()).toMatchObject({ inUse: 1 })
    server.close()
    expect(isOutage(await outcome)).toBe(true)
    await parts.kysely.destroy()
  })
})

describe('the connections to PostgreSQL', () => {
  it('name their program, and are never more than the pool holds', async () => {
    const server = await openSilentServer()
    const parts = openPostgres(server.url, {
      applicationName: 'amtiati-gateway-here',
      connections: 3,
      onIdleError: () => undefined,
    })
    const statements = Array.from({ length: 5 }, () =>
      sql`SELECT 1`.execute(parts.kysely).catch((error: unknown) => error),
    )
    await until(() => server.queries.length === 3)
    expect(parts.connections()).toMatchObject({ inUse: 3, idle: 0, waiting: 2, most: 3 })
    expect(server.startups.map((text) => text.includes('application_name\0amtiati-gateway-here\0'))).toEqual([
      true,
      true,
      true,
    ])
    await vi.advanceTimersByTimeAsync(30_000)
    for (const error of await Promise.all(statements)) expect(isOutage(error)).toBe(true)
    server.close()
    await parts.kysely.destroy()
  })

  it('say how long the one that was lent last was waited for, while others wait', async () => {
    const pool = { waitingCount: 0, connect: async () => ({}) }
    const { driver, waitMs } = createPostgresDriver({
      pool: pool as unknown as pg.Pool,
      types: {},
      isPrepared: true,
      answerMs: 0,
      end: async () => undefined,
    })
    vi.spyOn(monotonicClock, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(1_250)
    await driver.acquireConnection()
    expect(waitMs()).toBe(0)
    pool.waitingCount = 1
    expect(waitMs()).toBe(250)
    // A database that does not answer lends no connection.
    pool.connect = () => Promise.reject(new Error('timeout exceeded when trying to connect'))
    await expect(driver.acquireConnection()).rejects.toThrow()
    expect(waitMs()).toBe(250)
  })
})
