import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBookings, leaseDueBooking } from '#server/features/orders/bookings.queries.ts'
import { markPaid } from '#server/features/orders/orders.queries.ts'
import { storeList } from '#server/features/partner/partner.queries.ts'
import { listKinds } from '#server/features/partner/partner-lists.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Config } from '#server/platform/config.ts'
import { createPauses } from '#server/platform/database/pauses.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { workerNames } from '#server/platform/worker-names.ts'
import { brand } from '#shared/platform/brand.ts'
import { wordmarks } from '#shared/platform/wordmark.ts'
import { day, manualClock, noon } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { patienceMs } from '#test/kit/basics/patience.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { type Answer, problemOf, type SentRequest } from '#test/kit/gateway/person.ts'
import { openQuietGateway as openGateway, quietConfig, visitorOf } from '#test/kit/gateway/quiet-gateway.ts'
import { openStubService } from '#test/kit/gateway/stub-service.ts'
import { newLeg, newOrder, storeOrder } from '#test/kit/orders/stored-orders.ts'

let app: FastifyInstance
beforeAll(async () => {
  app = await openGateway()
})
afterAll(() => app.close())

const get = async (gateway: FastifyInstance, path: string, headers: SentRequest['headers'] = {}) =>
  (await visitorOf(gateway)).send('GET', path, { headers })
const textOf = ({ bytes }: Answer) => new TextDecoder().decode(bytes)

describe('the gateway', () => {
  it('starts and is ready while every service is down', async () => {
    expect(await get(app, '/readyz')).toMatchObject({ status: 200, json: { ready: true } })
  })

  it('answers with the request id of a trusted proxy, in the header and in the problem', async () => {
    const given = { 'x-request-id': 'proxy-0123456789abcdef' }
    const behindProxy = await openGateway({ TRUSTED_PROXIES: '127.0.0.1' })
    const { status, json, headers } = await get(behindProxy, '/api/auth/user', given)
    expect(problemOf(status, json).requestId).toBe(given['x-request-id'])
    expect(headers.get('x-request-id')).toBe(given['x-request-id'])
    await behindProxy.close()
    const untrusted = await get(app, '/api/auth/user', given)
    expect(untrusted.headers.get('x-request-id')).not.toBe(given['x-request-id'])
  })

  it('refuses a large body at an unknown address', async () => {
    const body = { text: 'x'.repeat(9_000) }
    const { status, json } = await (await visitorOf(app)).send('POST', '/api/nothing', { body })
    expect([status, problemOf(status, json).code]).toEqual([413, 'BODY_TOO_LARGE'])
  })

  it('runs every worker that an operator can pause', async () => {
    const metrics = textOf(await get(app, '/metrics'))
    const names = [...metrics.matchAll(/^amtiati_worker_paused\{worker="(\w+)"\}/gm)].map(([, name]) => name)
    expect(names.toSorted()).toEqual(workerNames.toSorted())
  })

  it('exposes /metrics in MODE=demo, and in MODE=live only with the token', async () => {
    expect((await get(app, '/metrics')).status).toBe(200)
    const guarded = await openGateway({ METRICS_TOKEN: 'a-token-of-some-length' })
    const authorization = 'Bearer a-token-of-some-length'
    expect((await get(guarded, '/metrics')).status).toBe(404)
    expect((await get(guarded, '/metrics', { authorization })).status).toBe(200)
    await guarded.close()
  })

  it.each<[string, Record<string, string>, string, string | undefined, string]>([
    ['no proxy is trusted', {}, '10.0.0.5', '203.0.113.9', '10.0.0.5'],
    ['the peer is trusted', { TRUSTED_PROXIES: '10.0.0.0/8' }, '10.0.0.5', '203.0.113.9', '203.0.113.9'],
    [
      'the peer is not a trusted proxy',
      { TRUSTED_PROXIES: '10.0.0.0/8' },
      '192.0.2.1',
      '203.0.113.9',
      '192.0.2.1',
    ],
    [
      'the client has forged the first address',
      { TRUSTED_PROXIES: '10.0.0.0/8' },
      '10.0.0.5',
      '1.1.1.1, 10.9.9.9, 203.0.113.9, 10.0.0.6',
      '203.0.113.9',
    ],
    ['the proxy sends no header', { TRUSTED_PROXIES: '10.0.0.0/8' }, '10.0.0.5', undefined, '10.0.0.5'],
  ])('determines the client address where %s', async (_, env, remoteAddress, forwarded, address) => {
    const gateway = await openGateway(env)
    const seen: string[] = []
    gateway.addHook('onRequest', async ({ ip }) => void seen.push(ip))
    // A connection would come from this machine.
    await gateway.inject({
      url: '/healthz',
      remoteAddress,
      headers: {
        ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
        'x-real-ip': '1.1.1.1',
        forwarded: 'for=1.1.1.1',
      },
    })
    expect(seen).toEqual([address])
    await gateway.close()
  })

  it('answers under its names for browsers and for services, and under no other', async () => {
    const names = { PUBLIC_URL: 'http://bags.example:3000', CALLBACK_URL: 'http://gateway.internal:3000' }
    const gateway = await openGateway(names)
    const codeUnder = async (host: string) =>
      (await gateway.inject({ url: '/api/config', headers: { host } })).json().code
    expect(await codeUnder('bags.example:3000')).toBeUndefined()
    expect(await codeUnder('gateway.internal:3000')).toBeUndefined()
    expect(await codeUnder('other.internal:3000')).toBe('UNKNOWN_HOST')
    await gateway.close()
  })

  it('serves security.txt', async () => {
    const answer = await get(app, '/.well-known/security.txt')
    expect(textOf(answer)).toContain('Canonical: http://localhost:3000/.well-known/security.txt')
  })

  it('accepts a policy report without an Origin header', async () => {
    const body = { 'csp-report': { 'effective-directive': 'img-src' } }
    const headers = { 'sec-fetch-site': undefined }
    const report = await (await visitorOf(app)).send('POST', '/api/reports', { body, headers })
    expect(report.status).toBe(204)
    const metrics = textOf(await get(app, '/metrics'))
    expect(metrics).toContain('amtiati_csp_reports_total{directive="img-src"} 1')
  })

  it('sends the browser its configuration and no secret', async () => {
    const answer = await get(app, '/api/config')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60')
    expect(answer.json).toMatchObject({
      success: true,
      demo: true,
      fare: { base: 50, return: 50, currency: 'SAR' },
      maxWeightKg: 15,
      purchase: {
        cards: ['mada', 'Visa', 'Mastercard'],
        cancellation: { isOffered: true, hours: 0 },
        seller: { vatNumber: '300000000000003', registrationNumber: '1010000000', isExample: true },
      },
      enabledTypes: ['FROM_MINA'],
      wallets: ['google'],
    })
    expect(answer.json).not.toHaveProperty('purchase.liability')
    expect(textOf(answer)).not.toMatch(/demo-|sau_sk|hmac/i)
  })

  it('serves its OpenAPI document', async () => {
    expect((await get(app, '/api/openapi.json')).json).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.2.3' },
      paths: { '/api/auth/request-otp': {} },
    })
    expect((await get(app, '/api/docs')).status).toBe(200)
  })

  it('shows the name of the product on the page of its API', async () => {
    const script = textOf(await get(app, '/api/docs/static/swagger-initializer.js'))
    const [, picture = ''] = /svg\+xml;base64,([^']+)/.exec(script) ?? []
    const [first] = wordmarks[brand.name.en]?.strokes ?? []
    expect(Buffer.from(picture, 'base64').toString()).toContain(first?.[0])
  })

  it('writes its OpenAPI document once, compressed and with a tag, for all who ask', async () => {
    const plain = await get(app, '/api/openapi.json', { 'accept-encoding': 'identity' })
    // The first answers do not wait for the compression.
    await eventually(async () => {
      const { headers } = await get(app, '/api/openapi.json', { 'accept-encoding': 'br' })
      return headers.get('content-encoding') === 'br' ? true : undefined
    })
    for (const url of ['/api/openapi.json', '/api/docs/json']) {
      const answer = await get(app, url, { 'accept-encoding': 'gzip, br' })
      const { status, headers } = answer
      expect([status, headers.get('content-encoding')], url).toEqual([200, 'br'])
      expect(textOf(answer)).toBe(textOf(plain))
      expect(Number(headers.get('content-length'))).toBeLessThan(plain.bytes.length / 8)
      expect(headers.get('cache-control')).toBe('no-cache')
      const tag = headers.get('etag') ?? ''
      const again = await get(app, url, { 'if-none-match': tag, 'accept-encoding': 'gzip, br' })
      expect([again.status, textOf(again)]).toEqual([304, ''])
    }
    // Another form of the same document, which the plugin would write for each request.
    expect((await get(app, '/api/docs/yaml')).status).toBe(404)
  })

  it('serves neither its API’s document nor a page to try it in MODE=live', async () => {
    const config: Config = { ...(await quietConfig()), MODE: 'live' }
    const live = await openGateway({}, { config })
    for (const path of [
      '/api/openapi.json',
      '/api/docs',
      '/api/docs/',
      '/api/docs/json',
      '/api/docs/static/swagger-initializer.js',
    ])
      expect((await get(live, path)).status, path).toBe(404)
    await live.close()
  })

  it('reports a lost database, also after the wall clock was set back, and still serves pages and lists', async () => {
    const clock = manualClock()
    const database = await openMemory(clock)
    for (const kind of listKinds)
      await storeList({ database }, kind, '[{"code":"1","id":"A01"}]', clock.now())
    const gateway = await openGateway({}, { clock, database })
    const readiness = async () => (await get(gateway, '/readyz')).json as { readonly database: string }
    expect(await readiness()).toEqual({
      ready: true,
      failing: [],
      paused: [],
      database: 'up',
      schema: 'known',
    })
    const served = ['/api/config', '/api/partner/agents', '/api/partner/centers']
    const statuses = () => Promise.all(served.map(async (path) => (await get(gateway, path)).status))
    expect(await statuses()).toEqual([200, 200, 200])
    await database.close()
    clock.advance(-day)
    await eventually(async () => ((await readiness()).database === 'down' ? true : undefined))
    expect(await readiness()).toEqual({
      ready: true,
      failing: [],
      paused: [],
      database: 'down',
      schema: 'known',
    })
    expect(await statuses()).toEqual([200, 200, 200])
    await gateway.close()
  })

  it('reports two primaries at once, and the workers that are paused', async () => {
    const database = await openMemory()
    await createPauses(database).pause(['tracking'], noon)
    const servers = { states: () => [], isSplit: () => true }
    const gateway = await openGateway(
      {},
      { database: Object.create(database, { servers: { value: servers } }) },
    )
    expect((await get(gateway, '/readyz')).json).toMatchObject({ database: 'split', paused: ['tracking'] })
    await gateway.close()
  })

  it('fetches the lists of the partner when it starts', async () => {
    const partner = await openStubService()
    const gateway = await openGateway({ SHIPPING_BASE_URL: partner.url })
    await gateway.ready()
    const isFetched = () => partner.requests.length >= listKinds.length || undefined
    await eventually(async () => isFetched())
    await gateway.close()
  })

  it.each([
    ['leaves a booking to the process that has leased it', false, 'of another process'],
    ['takes leases back where nothing else works on the file', true, null],
  ])('%s', async (_, isExclusive, lease) => {
    const clock = manualClock()
    const database = await openMemory(clock)
    const { id: userId } = await ensureUser({ database }, '+966512345678', 'N', noon)
    const id = await storeOrder({ database }, newOrder(userId), [newLeg('AM-1')])
    await database.transaction(() => markPaid({ database }, id, 'T1', noon))
    expect(await leaseDueBooking({ database }, 'of another process', noon, noon + day)).toBeDefined()

    // A day before the data is due, so that the workers find nothing to do.
    clock.advance(-day)
    const gateway = await openGateway(
      {},
      { clock, database: Object.create(database, { isExclusive: { value: isExclusive } }) },
    )
    await gateway.ready()
    expect((await findBookings({ database }, [id]))[0]?.lease).toBe(lease)
    await gateway.close()
  })

  const busyConfig = async () => {
    const config = await quietConfig()
    return { ...config, limits: { ...config.limits, maxRequests: 1 } }
  }

  it('refuses lists while too many requests are in progress, but no request of a paying user', async () => {
    const answered = Promise.withResolvers<number>()
    const metrics = createMetrics({ readWithinMs: patienceMs })
    metrics.gauge('amtiati_waiting', 'Holds a scrape.', () => answered.promise)
    const gateway = await openGateway({}, { metrics, config: await busyConfig() })
    const statusOf = async (path: string) => (await get(gateway, path)).status
    expect(await statusOf('/api/auth/sessions')).toBe(401)
    const held = statusOf('/metrics')
    await expect.poll(() => statusOf('/api/auth/sessions').catch(String)).toContain('was refused by load')
    expect(await statusOf('/api/config')).toBe(200)
    expect(await statusOf('/api/auth/user?probe=1')).toBe(200)
    const scraped = statusOf('/metrics')
    answered.resolve(0)
    expect([await held, await scraped]).toEqual([200, 200])
    expect(await statusOf('/api/auth/sessions')).toBe(401)
    await gateway.close()
  })

  it('refuses what needs the database while its connections are waited for, and serves what it has in memory', async () => {
    const database = await openMemory(manualClock())
    const connections = () => ({ ...database.connections(), waitMs: 151 })
    const config = await quietConfig()
    const gateway = await openGateway(
      {},
      {
        database: Object.create(database, { connections: { value: connections } }),
        config: { ...config, limits: { ...config.limits, maxDatabaseWaitMs: 150 } },
      },
    )
    const statusOf = (path: string) => get(gateway, path).then(({ status }) => status, String)
    expect(await statusOf('/api/auth/sessions')).toContain('was refused by load')
    for (const path of ['/api/config', '/metrics']) expect([path, await statusOf(path)]).toEqual([path, 200])
    await gateway.close()
  })

  it('does not count a request whose body is incomplete', async () => {
    const gateway = await openGateway({}, { config: await busyConfig() })
    const visitor = await visitorOf(gateway)
    const url = new URL(gateway.listeningOrigin)
    const slow = connect({ host: url.hostname, port: Number(url.port) })
    const isUnderWay = once(gateway.server, 'request')
    slow.write(
      'POST /api/reports HTTP/1.1\r\nhost: here\r\ncontent-type: application/csp-report\r\ncontent-length: 9\r\n\r\n',
    )
    await isUnderWay
    expect((await visitor.send('GET', '/api/auth/sessions')).status).toBe(401)
    slow.destroy()
    await gateway.close()
  })
})
