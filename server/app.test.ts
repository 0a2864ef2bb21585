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
        'cross-origin-opener-policy': 'same-origin-allow-popups',
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
      url: '/api/auth/user',
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
