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
import { registerSettledAnswers } from './settled-answers.ts'

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
      operation: 'ask',
      method: 'GET',
      url: `http://127.0.0.1:${port}/`,
      timeoutMs: 60_000,
    })

  let reads = 0
  const read = async () => {
    const stored = await count()
    reads += 1
    return stored
  }
  const app = await openFeatureApp((feature) => {
    registerSettledAnswers(feature, database.settled)
    registerOperation(feature, headerScope, operationOf('read'), async () => {
      await read()
      return { count: await read() }
    })
    registerOperation(feature, headerScope, operationOf('refuse'), async () => {
      throw new Error(`of ${await read()}`)
    })
    registerOperation(feature, headerScope, operationOf('ask'), async () => {
      await read()
      await ask()
      return { count: await read() }
    })
    registerOperation(
      feature,
      headerScope,
      operationOf('send'),
      async ({ reply }) => reply.send({ success: true, count: await read() }),
      { sendsItself: true },
    )
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
  return { begun, post, add, asked: () => asked, reads: () => reads }
}

describe('an operation', () => {
  it('reads on, and waits for the disk once, before its answer', async () => {
    const { begun, post, add, reads } = await open()
    const write = add(1)
    const answer = post('read')
    await vi.waitFor(() => expect(reads()).toBe(2))
    await new Promise(setImmediate)
    expect(answer).toEqual({})
    begun[0]?.resolve()
    await write
    await vi.waitFor(() => expect(answer).toEqual({ status: 200, count: 1 }))
  })

  it.each([
    ['that refuses', 'refuse', 500],
    ['that sends its answer by itself', 'send', 200],
  ])('%s is answered after the flush', async (_, name, status) => {
    const { begun, post, add } = await open()
    void add(1)
    const answer = post(name)
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
    expect(answer).toEqual({})
    begun[0]?.resolve()
    await vi.waitFor(() => expect(answer.status).toBe(status))
  })

  it('asks a service only after the flush of what the question follows from', async () => {
    const { begun, post, add, asked, reads } = await open()
    void add(1)
    const answer = post('ask')
    await vi.waitFor(() => expect(reads()).toBe(1))
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
    expect(asked()).toBe(0)
    begun[0]?.resolve()
    await vi.waitFor(() => expect(answer.status).toBe(200))
    expect(asked()).toBe(1)
  })

  it('that has read what did not reach the disk fails; reading continues', async () => {
    const { begun, post, add, reads } = await open()
    const lost = add(1)
    const answer = post('read')
    await vi.waitFor(() => expect(reads()).toBe(2))
    begun[0]?.reject(new Error('EIO'))
    await expect(lost).rejects.toThrow('EIO')
    await vi.waitFor(() => expect(answer.status).toBe(500))
    const later = post('read')
    await vi.waitFor(() => expect(later.status).toBe(200))
  })
})
