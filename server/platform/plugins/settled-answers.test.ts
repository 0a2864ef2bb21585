import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import Type from 'typebox'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDatabase } from '#server/platform/database/database.ts'
import { partsOf } from '#server/platform/database/sqlite.ts'
import { createExternalService } from '#server/platform/external-service.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import { successOf } from '#shared/platform/problem.ts'
import { headerScope, openBrowser, openFeatureApp } from '#test/kit/feature-app.ts'
import { registerDiskWaits } from './disk-waits.ts'

interface Tables {
  notes: { id: number }
}

const operationOf = (name: string) =>
  defineOperation({
    method: 'POST',
    path: `/api/${name}`,
    summary: name,
    feature: 'things',
    access: 'anyone',
    response: successOf({ count: Type.Integer() }),
  })

/** Operations on a database whose flushes the test ends, and a service that counts what it is asked. */
async function open() {
  const begun: PromiseWithResolvers<void>[] = []
  const flush = () => {
    const next = Promise.withResolvers<void>()
    begun.push(next)
    return next.promise
  }
  const file = new DatabaseSync(':memory:')
  file.exec('create table notes (id integer primary key)')
  const database = createDatabase(partsOf(file, { log: { flush, close: async () => undefined } }))
  onTestFinished(() => database.close())
  const notes = () => database.tables as unknown as Kysely<Tables>
  const add = (id: number) => notes().insertInto('notes').values({ id }).execute()
  const count = async () => (await notes().selectFrom('notes').select('id').execute()).length

  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const service = createExternalService('service')
  const ask = () =>
    service.request({
      ...{ operation: 'ask', method: 'GET', url: `http://127.0.0.1:${port}/`, timeoutMs: 60_000 },
    })

  const app = await openFeatureApp((feature) => {
    registerDiskWaits(feature, database.newDiskWait)
    registerOperation(feature, headerScope, operationOf('read'), async () => ({ count: await count() }))
    registerOperation(feature, headerScope, operationOf('write'), async () => {
      await add(1)
      await database.transaction(() => add(2))
      return { count: await count() }
    })
    registerOperation(feature, headerScope, operationOf('refuse'), async () => {
      await add(3)
      throw new Error('refused')
    })
    registerOperation(feature, headerScope, operationOf('ask'), async () => {
      await add(4)
      await ask()
      return { count: await count() }
    })
  })
  const browser = openBrowser(app)
  /** The answer, once there is one. */
  const post = (name: string) => {
    const seen: { status?: number; count?: unknown } = {}
    void browser
      .post(`/api/${name}`)
      .then(({ status, json }) => Object.assign(seen, { status, count: json.count }))
    return seen
  }
  return { begun, post, add, asked: () => asked }
}

describe('an operation', () => {
  it('waits for the disk once, for all that it has read and written', async () => {
    const { begun, post } = await open()
    const written = post('write')
    await vi.waitFor(() => expect(begun).toHaveLength(1))
    const read = post('read')
    await new Promise(setImmediate)
    expect([written, read]).toEqual([{}, {}])
    begun[0]?.resolve()
    await vi.waitFor(() =>
      expect([written, read]).toEqual([
        { status: 200, count: 2 },
        { status: 200, count: 2 },
      ]),
    )
    expect(begun).toHaveLength(1)
  })

  it('that writes and refuses is answered after the flush', async () => {
    const { begun, post } = await open()
    const refused = post('refuse')
    await vi.waitFor(() => expect(begun).toHaveLength(1))
    await new Promise(setImmediate)
    expect(refused).toEqual({})
    begun[0]?.resolve()
    await vi.waitFor(() => expect(refused.status).toBe(500))
  })

  it('asks a service only after the flush of what the question follows from', async () => {
    const { begun, post, asked } = await open()
    const answer = post('ask')
    await vi.waitFor(() => expect(begun).toHaveLength(1))
    await new Promise(setImmediate)
    expect(asked()).toBe(0)
    begun[0]?.resolve()
    await vi.waitFor(() => expect(answer.status).toBe(200))
    expect(asked()).toBe(1)
  })

  it('whose write did not reach the disk fails, also when another one has begun the flush; reading continues', async () => {
    const { begun, post, add } = await open()
    const other = add(9)
    const written = post('write')
    await new Promise(setImmediate)
    begun[0]?.reject(new Error('EIO'))
    await expect(other).rejects.toThrow('EIO')
    await vi.waitFor(() => expect(written.status).toBe(500))
    const read = post('read')
    await vi.waitFor(() => expect(read.status).toBe(200))
  })
})
