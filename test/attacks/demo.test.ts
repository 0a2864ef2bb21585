import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ensureUser, findUserByPhone } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { registeredOperations } from '#server/platform/register-operation.ts'
import { demoKeyHeader, demoOperations } from '#shared/demo/demo.api.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { problemOf } from '#test/kit/gateway/person.ts'
import { openQuietGateway, quietConfig, visitorOf } from '#test/kit/gateway/quiet-gateway.ts'

/** Calls of testers can read and delete everything: only with the key, and never in MODE=live. */

const key = 'a-key-of-the-testers'
const phone = '+966512345678'
const calls = Object.entries<OperationShape>(demoOperations)

let dataDir: string
let database: Database
let app: FastifyInstance

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'amtiati-demo-'))
  database = await openMemory()
  await ensureUser({ database }, phone, 'Maryam', 1)
  app = await openQuietGateway({ DEMO_CONTROL_KEY: key, DATA_DIR: dataDir }, { database })
})
afterAll(async () => {
  await app?.close()
  await rm(dataDir, { recursive: true, force: true })
})

interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

/** As a program of testers does. @returns the status, and the code of the refusal */
async function refusalOf(
  gateway: FastifyInstance,
  { method, path, body }: OperationShape,
  { headers, query = '' }: Sent = {},
): Promise<[number, string]> {
  const payload = path.endsWith('/clock') ? { advanceMs: 86_400_000 } : {}
  const { status, json } = await (await visitorOf(gateway)).send(
    method,
    `${path.replace(/:\w+/, '1')}${query}`,
    {
      ...(body !== undefined && { body: payload }),
      headers: { 'sec-fetch-site': undefined, ...headers },
    },
  )
  return [status, problemOf(status, json).code]
}

describe.each(calls)('%s', (_, operation) => {
  it.each<[string, Sent]>([
    ['no key', {}],
    ['an empty key', { headers: { [demoKeyHeader]: '' } }],
    ['another key', { headers: { [demoKeyHeader]: 'a-key-of-the-testerz' } }],
    ['the beginning of the key', { headers: { [demoKeyHeader]: key.slice(0, -1) } }],
    ['the key in capitals', { headers: { [demoKeyHeader]: key.toUpperCase() } }],
    ['the key twice', { headers: { [demoKeyHeader]: `${key}, ${key}` } }],
    ['the key in another header', { headers: { authorization: `Bearer ${key}` } }],
    ['the key in the address', { query: `?${demoKeyHeader}=${key}` }],
    ['no key, from a page of the app', { headers: { 'sec-fetch-site': 'same-origin' } }],
  ])('is refused with %s, and changes nothing', async (_name, sent) => {
    expect(await refusalOf(app, operation, sent)).toEqual([401, 'DEMO_KEY_REFUSED'])
    expect(await findUserByPhone({ database }, phone)).toBeDefined()
    expect(await readdir(dataDir)).toEqual([])
  })

  it('does not exist in MODE=live, also with the key', async () => {
    const config = {
      ...(await quietConfig({ DEMO_CONTROL_KEY: key, DATA_DIR: dataDir })),
      MODE: 'live' as const,
    }
    const live = await openQuietGateway({}, { config })
    onTestFinished(() => live.close())
    const headers = { [demoKeyHeader]: key }
    expect(await refusalOf(live, operation, { headers })).toEqual([404, 'NOT_FOUND'])
    const registered = (registeredOperations.get(live.server) ?? []).map(({ path }) => path)
    expect(registered.filter((path) => path.startsWith('/api/demo'))).toEqual([])
  })

  it('does not exist without DEMO_CONTROL_KEY', async () => {
    const keyless = await openQuietGateway()
    onTestFinished(() => keyless.close())
    for (const given of ['', key, 'undefined']) {
      const headers = { [demoKeyHeader]: given }
      expect(await refusalOf(keyless, operation, { headers })).toEqual([404, 'NOT_FOUND'])
    }
  })
})

it.each(['rebind.attacker.example', 'localhost.attacker.example:3000', '127.0.0.1.attacker.example'])(
  'a page whose name was pointed at this machine reaches nothing, also with the key: %s',
  async (host) => {
    const visitor = await visitorOf(app)
    const headers = { host, [demoKeyHeader]: key, origin: `http://${host}` }
    for (const path of ['/', '/api/config', '/api/demo/orders/1']) {
      const { status, json } = await visitor.send('GET', path, { headers })
      expect([status, problemOf(status, json).code], path).toEqual([421, 'UNKNOWN_HOST'])
    }
    const own = { host: 'localhost:3000' }
    expect((await visitor.send('GET', '/api/config', { headers: own })).status).toBe(200)
  },
)
