import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { openMemory } from '#test/kit/databases.ts'
import { nobodyThere } from '#test/kit/outsider.ts'
import { openBrowser, problemOf, silentLog, type TestBrowser } from '#test/kit/room-app.ts'
import { createGateway } from './app.ts'

/** The whole gateway while none of the outsiders answers. */
async function openGateway(env: Record<string, string> = {}): Promise<FastifyInstance> {
  const nobody = await nobodyThere()
  return createGateway({
    config: readConfig({
      OTP_BASE_URL: nobody,
      PAYMENT_BASE_URL: nobody,
      SHIPPING_BASE_URL: nobody,
      ...env,
    }),
    database: await openMemory(),
    logger: silentLog,
    version: '1.2.3',
  })
}

let app: FastifyInstance
let browser: TestBrowser
beforeAll(async () => {
  app = await openGateway()
  await app.ready()
})
afterAll(() => app.close())

describe('the gateway', () => {
  it('starts and is ready while every outsider is down', async () => {
    expect(await openBrowser(app).get('/readyz')).toMatchObject({ status: 200, json: { ready: true } })
  })

  it.each(['/api/config', '/api/auth/user', '/api/nothing', '/healthz'])(
    'sends its safety headers with %s',
    async (path) => {
      const { headers } = await openBrowser(app).get(path)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    },
  )

  it('asks browsers for https only where it is opened by https', async () => {
    expect((await openBrowser(app).get('/healthz')).headers).not.toHaveProperty('strict-transport-security')
    const secure = await openGateway({ PUBLIC_URL: 'https://amtiati.example' })
    const { headers } = await openBrowser(secure).get('/healthz')
    expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
    await secure.close()
  })

  it('names a request by a number of its own, in the header and in the problem', async () => {
    const answer = await openBrowser(app).get('/api/auth/user', {
      'x-request-id': 'mine',
      'request-id': 'mine',
    })
    expect(problemOf(answer).requestId).toBe(answer.headers['x-request-id'])
    expect(answer.headers['x-request-id']).not.toBe('mine')
  })

  it.each([
    '/api/orders/%zz',
    '/api/%',
    '/%c0%ae%c0%ae/etc/passwd',
    `/api/orders/${'1'.repeat(300)}`,
    '/api/orders/barcode/..%2f..%2fetc',
    '/api/orders/barcode/1234567890.zpl',
  ])('answers a strange address with a problem: %s', async (path) => {
    const { status, code } = problemOf(await openBrowser(app).get(path))
    expect([status, code]).not.toContain('UNEXPECTED')
    expect(status).toBeLessThan(500)
  })

  it.each(['PATCH', 'DELETE', 'PUT', 'OPTIONS'] as const)('has nothing to do for %s', async (method) => {
    const response = await app.inject({
      method,
      url: '/api/auth/agent',
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('lets no cache keep what belongs to a caller', async () => {
    expect((await openBrowser(app).get('/api/auth/user')).headers['cache-control']).toBe('no-store')
  })

  it('refuses a body larger than anything it is ever sent', async () => {
    browser = openBrowser(app)
    const phone = 'x'.repeat(70_000)
    expect(problemOf(await browser.post('/api/auth/request-otp', { phone }))).toMatchObject({
      status: 413,
      code: 'BODY_TOO_LARGE',
    })
  })

  it('refuses a large body where nothing is, too', async () => {
    const answer = await openBrowser(app).post('/api/nothing', { text: 'x'.repeat(9_000) })
    expect(problemOf(answer)).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
  })

  it('refuses text where JSON belongs', async () => {
    const headers = { 'content-type': 'text/plain' }
    const answer = await openBrowser(app).post('/api/auth/request-otp', '{"phone":"0512345678"}', headers)
    expect(problemOf(answer)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  it('does not answer when a code cannot be sent, and says when to come back', async () => {
    const answer = await openBrowser(app, { lang: 'en' }).post('/api/auth/request-otp', {
      phone: '0512345678',
    })
    expect(problemOf(answer)).toMatchObject({ status: 503, code: 'OTP_UNAVAILABLE' })
  })

  it('says which list it cannot get', async () => {
    const visitor = openBrowser(app, { lang: 'en' })
    expect(problemOf(await visitor.get('/api/partner/centers'))).toMatchObject({
      code: 'CENTERS_UNAVAILABLE',
      message: 'Failed to fetch centers',
    })
    expect(problemOf(await visitor.get('/api/partner/agents'))).toMatchObject({
      code: 'AGENTS_UNAVAILABLE',
      message: 'Failed to fetch agents',
    })
  })

  it('shows its numbers in a demo, and only for a token where it runs for real', async () => {
    expect((await openBrowser(app).get('/metrics')).status).toBe(200)
    const guarded = await openGateway({ METRICS_TOKEN: 'a-token-of-some-length' })
    const authorization = 'Bearer a-token-of-some-length'
    expect((await openBrowser(guarded).get('/metrics')).status).toBe(404)
    expect((await openBrowser(guarded).get('/metrics', { authorization })).status).toBe(200)
    await guarded.close()
  })

  it.each<[string, Record<string, string>, string, string | undefined, string]>([
    ['nobody is trusted', {}, '10.0.0.5', '203.0.113.9', '10.0.0.5'],
    ['the peer is trusted', { TRUSTED_PROXIES: '10.0.0.0/8' }, '10.0.0.5', '203.0.113.9', '203.0.113.9'],
    ['the peer is a stranger', { TRUSTED_PROXIES: '10.0.0.0/8' }, '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    [
      'the caller has forged the beginning',
      { TRUSTED_PROXIES: '10.0.0.0/8' },
      '10.0.0.5',
      '1.1.1.1, 10.9.9.9, 203.0.113.9, 10.0.0.6',
      '203.0.113.9',
    ],
    ['the peer says nothing', { TRUSTED_PROXIES: '10.0.0.0/8' }, '10.0.0.5', undefined, '10.0.0.5'],
  ])('takes for the caller’s address where %s', async (_, env, remoteAddress, forwarded, address) => {
    const gateway = await openGateway(env)
    const seen: string[] = []
    gateway.addHook('onRequest', async ({ ip }) => void seen.push(ip))
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

  it('says where a weakness can be reported', async () => {
    const answer = await openBrowser(app).get('/.well-known/security.txt')
    expect(answer.bytes.toString()).toContain('Canonical: http://localhost:3000/.well-known/security.txt')
  })

  it('takes a report from a browser that does not say which page it is from', async () => {
    const payload = { 'csp-report': { 'effective-directive': 'img-src' } }
    const report = await app.inject({ method: 'POST', url: '/api/csp-reports', payload })
    expect(report.statusCode).toBe(204)
    expect((await app.inject('/metrics')).body).toContain('csp_reports_total{directive="img-src"} 1')
  })

  it('tells the browser what it may know, and no key', async () => {
    const answer = await openBrowser(app).get('/api/config')
    expect(answer.json).toMatchObject({
      success: true,
      demo: true,
      fare: { base: 50, return: 50, currency: 'SAR' },
      maxWeightKg: 15,
      enabledTypes: ['FROM_MINA'],
    })
    expect(answer.bytes.toString()).not.toMatch(/demo-|sau_sk|hmac/i)
  })

  it('describes itself', async () => {
    const document = (await openBrowser(app).get('/api/openapi.json')).json
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } })
    expect(Object.keys(document.paths as object)).toContain('/api/auth/request-otp')
    expect((await openBrowser(app).get('/api/docs')).status).toBe(200)
  })
})
