import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from '#test/kit/basics/eventually.ts'
import { createDatabase } from './database.ts'
import { isOutage } from './outage.ts'
import { openPostgres } from './postgres.ts'
import { type Answer, choose, findPrimary, type Seen } from './servers.ts'
import { nameOf, serversOf } from './url.ts'

// Time passes while a test waits, and a little with each check, so that no timeout matters.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())
const until = (isSo: () => boolean) =>
  eventually(() => vi.advanceTimersByTimeAsync(20).then(() => isSo() || undefined), { everyMs: 1 })
/** Outcome of `work`. */
async function outcomeOf<T>(work: Promise<T>): Promise<T> {
  let hasEnded = false
  const over = work.finally(() => {
    hasEnded = true
  })
  await until(() => hasEnded)
  return over
}

const several = 'postgres://amtiati:p%40ss,word@[::1]:5433,two,three:7/orders?sslmode=disable'

describe('a DATABASE_URL', () => {
  it('names its servers, each with user, database and options', () => {
    const rest = '/orders?sslmode=disable'
    expect(serversOf(several)).toEqual(
      ['[::1]:5433', 'two', 'three:7'].map((host) => `postgres://amtiati:p%40ss,word@${host}${rest}`),
    )
    expect(serversOf('postgres://localhost/orders')).toEqual(['postgres://localhost/orders'])
    expect(nameOf(several)).toBe('[::1]:5433,two,three:7/orders')
  })
})

describe('of several servers', () => {
  const names = ['one', 'two']
  const primary = (timeline = 1): Answer => ({ state: 'primary', timeline: `0000000${timeline}` })
  const standby: Answer = { state: 'standby' }
  const away: Answer = { state: 'unreachable', reason: 'connect ECONNREFUSED' }
  const nothing = { server: undefined, timeline: '' }
  const firstUsed = { server: 0, timeline: '00000001' }

  it.each<[string, Answer[], typeof nothing | typeof firstUsed, number]>([
    ['the primary, wherever it stands', [standby, primary()], nothing, 1],
    ['the primary, whose standby is away', [away, primary()], nothing, 1],
    ['the promoted one, when the first is lost', [away, primary(2)], firstUsed, 1],
    ['the promoted one, when the first has become its standby', [standby, primary(2)], firstUsed, 1],
    // A probe that is late must cut no connection.
    ['the one that was used, while none says that it is the primary', [away, standby], firstUsed, 0],
    ['the one that was promoted and is alone again', [primary(1), away], firstUsed, 0],
  ])('the gateway uses %s', (_, answers, used, server) => {
    expect(choose(names, answers, used)).toEqual({ server })
  })

  it.each<[string, Answer[], typeof nothing | typeof firstUsed | { server: 1; timeline: string }, string]>([
    [
      'none is a primary',
      [standby, away],
      nothing,
      'no server of DATABASE_URL is a primary: one is a standby, two cannot be used (connect ECONNREFUSED)',
    ],
    [
      'the primary has become a standby and none was promoted',
      [standby, standby],
      firstUsed,
      'no server of DATABASE_URL is a primary: one is a standby, two is a standby',
    ],
    [
      'two are primaries',
      [primary(1), primary(2)],
      firstUsed,
      'one and two are primaries at once: nothing is written until all but one are stopped',
    ],
    [
      'the old one is back and the promoted one is silent',
      [primary(1), away],
      { server: 1, timeline: '00000002' },
      'one is a primary of an older history than was last written: nothing is written until the newer one is back',
    ],
  ])('the gateway uses none when %s', (_, answers, used, sentence) => {
    expect(choose(names, answers, used)).toMatchObject({ sentence })
  })
})

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const text = (...values: string[]) => Buffer.from(values.map((value) => `${value}\0`).join(''))
const int16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const int32 = (value: number) => Buffer.concat([int16((value >> 16) & 0xffff), int16(value & 0xffff)])
const ready = message('Z', Buffer.from('I'))
const done = Buffer.concat([message('C', text('SELECT 1')), ready])
const row = message(
  'T',
  Buffer.concat([int16(1), text('timeline'), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]),
)
const valueMessage = (value: string | null) =>
  message(
    'D',
    Buffer.concat(
      value === null ? [int16(1), int32(-1)] : [int16(1), int32(value.length), Buffer.from(value)],
    ),
  )

type Role = { timeline: string | null; isSilent?: boolean; greeting?: 'on' }

/**
 * A minimal server: it reports its role, notes every other statement, and answers it with nothing.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
async function openServer(role: Role) {
  const sockets = new Set<Socket>()
  const statements: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => {
      if (role.isSilent) return
      const greeting = role.greeting ? message('S', text('in_hot_standby', role.greeting)) : Buffer.alloc(0)
      socket.write(Buffer.concat([message('R', int32(0)), greeting, ready]))
      socket.on('data', (bytes) => {
        if (role.isSilent) return
        const asked = bytes.toString('latin1')
        if (asked.includes('pg_is_in_recovery')) {
          socket.write(Buffer.concat([row, valueMessage(role.timeline), done]))
          return
        }
        if (asked.startsWith('X')) return
        statements.push(asked)
        socket.write(
          Buffer.concat([
            message('1', Buffer.alloc(0)),
            message('2', Buffer.alloc(0)),
            message('n', Buffer.alloc(0)),
            done,
          ]),
        )
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  onTestFinished(stop)
  return { role, statements, host: `127.0.0.1:${port}`, stop }
}

const urlOf = (...servers: { host: string }[]) =>
  `postgres://amtiati:secret@${servers.map(({ host }) => host).join(',')}/orders`

describe('the pool of a gateway with several servers', () => {
  let seen: Seen[]
  let lost: Error[]
  beforeEach(() => {
    seen = []
    lost = []
  })

  function open(...servers: { host: string }[]) {
    const database = createDatabase(
      openPostgres(urlOf(...servers), {
        applicationName: 'of a test',
        onIdleError: (error) => void lost.push(error),
        onServers: (now) => void seen.push(now),
      }),
    )
    onTestFinished(() => database.close())
    const write = () =>
      outcomeOf(
        sql`INSERT`.execute(database.tables).then(
          () => 'written',
          (error: unknown) => error as Error,
        ),
      )
    return { database, write }
  }
  const changes = (count: number) => until(() => seen.length >= count)
  const standby: Role = { timeline: null }

  it('writes to the primary, follows a promotion, and tells each change once', async () => {
    const [one, two] = [await openServer({ timeline: '00000001' }), await openServer({ ...standby })]
    const { database, write } = open(one, two)
    let gaps = 0
    onTestFinished(database.listen({ onNotice: () => undefined, onGap: () => void gaps++ }))
    expect(await write()).toBe('written')
    expect(database.servers?.states()).toEqual(['primary', 'standby'])
    await until(() => gaps === 1)
    one.stop()
    two.role.timeline = '00000002'
    await changes(2)
    expect(await write()).toBe('written')
    expect([one.statements.length, two.statements.filter((each) => each.includes('INSERT')).length]).toEqual([
      2, 1,
    ])
    // Listeners for notices reconnect there, too, and learn that some were missed.
    await until(() => gaps === 2)
    expect(seen.map(({ choice }) => choice)).toEqual([{ server: 0 }, { server: 1 }])
  })

  it('leaves a server that falls silent as soon as another one is promoted', async () => {
    const [one, two] = [await openServer({ timeline: '00000001' }), await openServer({ ...standby })]
    const { write } = open(one, two)
    expect(await write()).toBe('written')
    one.role.isSilent = true
    const held = write()
    two.role.timeline = '00000002'
    // Not after the 12 s that an answer may take: the connection is ended.
    const error = await held
    expect(isOutage(error)).toBe(true)
    expect((error as Error).message).toBe(`${one.host} is no longer the primary`)
    expect(await write()).toBe('written')
    expect(two.statements).toHaveLength(1)
  })

  it('writes to none while two are primaries, and goes on when one of them is gone', async () => {
    const [one, two] = [await openServer({ timeline: '00000001' }), await openServer({ ...standby })]
    const { database, write } = open(one, two)
    expect(await write()).toBe('written')
    two.role.timeline = '00000002'
    await changes(2)
    const error = await write()
    expect(isOutage(error)).toBe(true)
    expect((error as Error).message).toContain('are primaries at once')
    expect([one.statements.length, two.statements.length]).toEqual([1, 0])
    expect(database.servers?.isSplit()).toBe(true)
    one.stop()
    await changes(3)
    expect(await write()).toBe('written')
    expect(database.servers?.isSplit()).toBe(false)
    expect(two.statements).toHaveLength(1)
  })

  it('refuses a connection whose greeting says that the server has become a standby', async () => {
    const [one, two] = [await openServer({ timeline: '00000001' }), await openServer({ ...standby })]
    const { write } = open(one, two)
    await changes(1)
    one.role.greeting = 'on'
    const error = await write()
    expect(isOutage(error)).toBe(true)
    expect((error as Error).message).toBe(`${one.host} is a standby`)
    expect(one.statements).toEqual([])
  })

  it('is not kept waiting by a server that accepts and says nothing', async () => {
    const [one, two] = [
      await openServer({ timeline: '00000001', isSilent: true }),
      await openServer({ timeline: '00000001' }),
    ]
    const { write } = open(one, two)
    expect(await write()).toBe('written')
    expect(two.statements).toHaveLength(1)
  })
})

describe('work that needs a primary once', () => {
  it('waits for one, and says once why it waits', async () => {
    const [one, two] = [await openServer({ timeline: null }), await openServer({ timeline: null })]
    const refusals: string[] = []
    const found = findPrimary(urlOf(one, two), 'of a test', ({ sentence }) => {
      refusals.push(sentence)
    })
    await until(() => refusals.length > 0)
    two.role.timeline = '00000002'
    expect((await outcomeOf(found)).url).toBe(urlOf(two))
    expect(refusals).toEqual([
      `no server of DATABASE_URL is a primary: ${one.host} is a standby, ${two.host} is a standby`,
    ])
  })

  it('asks nothing of the only server', async () => {
    const url = 'postgres://127.0.0.1:4/none'
    expect((await findPrimary(url, 'of a test', () => expect.unreachable())).url).toBe(url)
  })
})
