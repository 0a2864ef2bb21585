import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { createDatabase, type Database } from './database.ts'
import { Flight } from './flight.ts'
import { isOutage } from './outage.ts'
import { openPostgres } from './postgres.ts'

forEachEngine((engine, open) => {
  let database: Database
  beforeEach(async () => {
    database = await open()
  })

  const added = (kind: string) =>
    database.tables.insertInto('partner_lists').values({ kind, body: '[]', fetched_at: 1 })
  const listed = () => database.tables.selectFrom('partner_lists').select('kind').orderBy('kind')
  const kinds = async () => (await listed().execute()).map(({ kind }) => kind)

  /** The statements that went to PostgreSQL meanwhile, by their first words; those of one round trip beside each other. */
  async function tripsOf(work: () => Promise<unknown>): Promise<string[]> {
    const submit = vi.spyOn(Flight.prototype, 'submit').mockClear()
    await work()
    return (submit.mock.contexts as readonly Flight[]).map(({ texts }) =>
      texts.map((text) => text.replace(/^(\w+).*/s, '$1')).join(' '),
    )
  }

  describe('statements that do not wait for each other', () => {
    it('run in their order', async () => {
      const [, seen] = await database.transaction(() =>
        Promise.all([database.send(added('a')), database.rows(listed())]),
      )
      expect(seen).toEqual([{ kind: 'a' }])
    })

    it('go out together on PostgreSQL, with BEGIN before and COMMIT behind them', async () => {
      if (engine === 'sqlite') return
      const trips = await tripsOf(() =>
        database.transaction(async () => {
          await Promise.all([kinds(), database.has(listed())])
          await database.send(added('a'))
          await database.send(added('b'))
        }),
      )
      expect(trips).toEqual(['begin select select', 'insert insert commit'])
      expect(await tripsOf(() => database.transaction(() => database.last(listed())))).toEqual([
        'begin select commit',
      ])
      const reads = () => database.together(() => Promise.all([kinds(), kinds()]))
      expect(await tripsOf(reads)).toEqual(['select select'])
    })

    it('leave nothing when one fails for which nobody waits, and its error is thrown', async () => {
      await added('a').execute()
      const work = database.transaction(async () => {
        await database.send(added('b'))
        await database.send(added('a'))
        await database.rows(listed())
      })
      await expect(work).rejects.toMatchObject({ message: expect.stringMatching(/unique/i) })
      const atTheEnd = database.transaction(() => database.send(added('a')))
      await expect(atTheEnd).rejects.toMatchObject({ message: expect.stringMatching(/unique/i) })
      expect(await kinds()).toEqual(['a'])
    })
  })

  describe('the last statement', () => {
    it('is committed, and returns its rows', async () => {
      const rows = await database.transaction(() => database.last(added('a').returning('kind')))
      expect(rows).toEqual([{ kind: 'a' }])
      expect(await kinds()).toEqual(['a'])
    })

    it('takes the transaction with it when it fails', async () => {
      await added('b').execute()
      const work = database.transaction(async () => {
        await database.send(added('a'))
        await database.last(added('b'))
      })
      await expect(work).rejects.toThrow()
      expect(await kinds()).toEqual(['b'])
    })
  })

  it('a statement of code that outlives its transaction is refused', async () => {
    let late: Promise<unknown> | undefined
    const over = Promise.withResolvers<void>()
    await database.transaction(async () => {
      late = over.promise.then(() => added('late').execute())
      await added('a').execute()
    })
    over.resolve()
    await expect(late).rejects.toThrow('after the last one of its transaction')
    expect(await kinds()).toEqual(['a'])
  })

  it('after a failure nothing runs in the transaction, also where its code goes on', async () => {
    await added('a').execute()
    const work = database.transaction(async () => {
      await database.rows(added('a')).catch(() => undefined)
      if (engine === 'postgres') await database.rows(added('b'))
      throw new Error('the end')
    })
    await expect(work).rejects.toThrow(engine === 'postgres' ? 'has failed' : 'the end')
    expect(await kinds()).toEqual(['a'])
  })

  it('a text of several statements runs as a whole on PostgreSQL', async () => {
    if (engine === 'sqlite') return
    const text = ['a', 'b'].map((kind) => `INSERT INTO partner_lists VALUES ('${kind}', '[]', 1)`).join('; ')
    await database.transaction(() => sql.raw(text).execute(database.tables))
    expect(await kinds()).toEqual(['a', 'b'])
  })
})

/** Messages of the protocol. https://www.postgresql.org/docs/current/protocol-message-formats.html */
const message = (type: string, body: string) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(body))
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}
const welcome = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')])
const done = (tag: string) => message('C', `${tag}\0`)
const refused = Buffer.concat([message('E', 'SERROR\0C57014\0Mcanceled\0\0'), message('Z', 'I')])

/** @param answer to what the gateway sends; undefined ends the connection */
async function openServer(answer: (sent: string) => Buffer | undefined) {
  const sent: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(welcome)
      socket.on('data', (bytes) => {
        const text = bytes.toString('latin1')
        if (text.startsWith('X')) return
        sent.push(text)
        const bytesBack = answer(text)
        if (bytesBack) socket.write(bytesBack)
        else socket.destroy()
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const parts = openPostgres(`postgres://amtiati@127.0.0.1:${port}/amtiati`, {
    applicationName: 'of a test',
    onIdleError: () => undefined,
  })
  const database = createDatabase(parts)
  onTestFinished(async () => {
    await database.close()
    server.close()
  })
  return { database, sent }
}

describe('on PostgreSQL', () => {
  it('nothing runs without a transaction when BEGIN was refused', async () => {
    const { database, sent } = await openServer((text) =>
      text.includes('rollback') ? Buffer.concat([done('ROLLBACK'), message('Z', 'I')]) : refused,
    )
    const work = database.transaction(async () => {
      await sql`INSERT ${1}`.execute(database.tables).catch(() => undefined)
      await sql`UPDATE ${2}`.execute(database.tables)
    })
    await expect(work).rejects.toThrow()
    expect(sent.join()).toContain('INSERT')
    expect(sent.join()).not.toContain('UPDATE')
  })

  it('a transaction whose COMMIT is not answered fails as an outage, and does not run again', async () => {
    const { database, sent } = await openServer((text) =>
      text.includes('commit')
        ? undefined
        : Buffer.concat([done('BEGIN'), done('INSERT 0 1'), message('Z', 'T')]),
    )
    let runs = 0
    const error = await database
      .transaction(async () => {
        runs += 1
        await sql`INSERT ${1}`.execute(database.tables)
      })
      .catch((thrown: unknown) => thrown)
    expect(isOutage(error)).toBe(true)
    expect([runs, sent.length]).toEqual([1, 2])
  })
})
