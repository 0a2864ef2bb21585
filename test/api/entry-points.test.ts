import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages } from '#shared/platform/pages.ts'
import { sendReport } from '#shared/reports/reports.operations.ts'
import { eventually } from '#test/kit/eventually.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { metricsOf } from '#test/kit/metrics.ts'
import { ask, bytesOf, openConnection } from '#test/kit/raw-http.ts'
import { isInRepo, repoFiles } from '#test/kit/repo-files.ts'
import type { Stack } from '#test/kit/stack.ts'

/** The gateway as a whole, with requests that no browser sends. */

let stack: Stack
beforeAll(async () => {
  if (!isInRepo('dist/client/index.html')) throw new Error('the client is not built: npm run build')
  stack = await ownStack({
    env: { HEADERS_TIMEOUT_MS: '1500', REQUEST_TIMEOUT_MS: '3000', MAX_CONNECTIONS: '40' },
  })
})
afterAll(() => stack?.close())

const host = () => ['host', new URL(stack.gatewayUrl).host] as const

describe('slow clients', () => {
  it.each([
    ['headers', () => 'POST /api/auth/request-otp HTTP/1.1\r\nhost: localhost\r\nx-slow: '],
    [
      'a body',
      () =>
        bytesOf({
          method: 'POST',
          target: '/api/auth/request-otp',
          headers: [
            host(),
            ['content-type', 'application/json'],
            ['sec-fetch-site', 'same-origin'],
            ['content-length', '50'],
          ],
          body: '{"phone":',
        }),
    ],
  ])('that never complete %s are disconnected, and do not block other clients', async (_, begin) => {
    const slow = Array.from({ length: 30 }, () => openConnection(stack.gatewayUrl))
    for (const connection of slow) connection.write(begin())
    const honest = await ask(stack.gatewayUrl, {
      method: 'GET',
      target: '/api/config',
      headers: [['connection', 'close']],
    })
    expect(honest.status).toBe(200)
    const answers = await Promise.all(slow.map((connection) => connection.answer()))
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([408]))
    await Promise.all(slow.map(({ ended }) => ended))
  })

  it('are refused when there are too many, and accepted again afterwards', async () => {
    const crowd = Array.from({ length: 60 }, () => openConnection(stack.gatewayUrl))
    for (const connection of crowd) connection.write('GET /api/config HTTP/1.1\r\nhost: a\r\nx: ')
    await Promise.all(crowd.map(({ ended }) => ended))
    await eventually(async () => {
      const metrics = await metricsOf([stack.gatewayUrl])
      return (metrics.get('amtiati_connections_dropped_total') ?? 0) >= 20 ? true : undefined
    })
  })
})

describe('ambiguous requests', () => {
  it.each([
    ['two hosts', `GET /api/config HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n`],
    ['an address with a host', 'GET http://evil.example/api/config HTTP/1.1\r\nhost: a\r\n\r\n'],
    [
      'a length and chunks',
      'POST /api/auth/logout HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two lengths',
      'POST /api/auth/logout HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\ncontent-length: 5\r\n\r\n',
    ],
    ['no host', 'GET /api/config HTTP/1.1\r\n\r\n'],
  ])('are refused: %s', async (_, bytes) => {
    const connection = openConnection(stack.gatewayUrl)
    connection.write(bytes)
    expect((await connection.answer())?.status).toBe(400)
    connection.destroy()
  })
})

describe('addresses', () => {
  const statusOf = async (path: string) => (await fetch(`${stack.gatewayUrl}${path}`)).status

  it('of pages answer 200, unknown ones 404 with the app', async () => {
    for (const path of Object.values(pages)) {
      const address = path.replace(':id', '1').replace(':token', 'A'.repeat(43))
      expect(await statusOf(address), path).toBe(200)
    }
    for (const path of ['/nowhere', '/orders/1/2', '/admin', '/wp-login', '/constructor']) {
      const response = await fetch(`${stack.gatewayUrl}${path}`)
      expect([response.status, response.headers.get('content-type')], path).toEqual([
        404,
        'text/html; charset=utf-8',
      ])
    }
  })

  it('serve no source map, and none is built', async () => {
    const built = repoFiles('dist/client', /./)
    expect(built.filter((path) => /\.map$/.test(path))).toEqual([])
    const script = built.find((path) => /assets\/.*\.js$/.test(path))?.replace('dist/client', '') ?? ''
    expect(await statusOf(script)).toBe(200)
    expect(await statusOf(`${script}.map`)).toBe(404)
    expect(await (await fetch(`${stack.gatewayUrl}${script}`)).text()).not.toContain('sourceMappingURL')
  })
})

describe('headers about the client', () => {
  it('change no address in an answer', async () => {
    const plain = await (await fetch(`${stack.gatewayUrl}/api/config`)).text()
    const forged = await ask(stack.gatewayUrl, {
      method: 'GET',
      target: '/api/config',
      headers: [
        ['x-forwarded-host', 'evil.example'],
        ['x-forwarded-proto', 'https'],
        ['x-forwarded-for', '203.0.113.9'],
        ['forwarded', 'host=evil.example'],
        ['connection', 'close'],
      ],
    })
    expect(forged.body.toString()).toBe(plain)
    expect(forged.headers.flat().join()).not.toContain('evil')
  })
})

describe('reports of browsers', () => {
  it('are accepted from everywhere with any content, and answered alike', async () => {
    for (const [type, body] of [
      ['application/csp-report', '{"csp-report":{"effective-directive":"font-src"}}'],
      ['application/reports+json', '[]'],
      ['application/csp-report', '{'],
      ['text/html', '<html>'],
      ['application/json', 'x'.repeat(100_000)],
    ] as const) {
      const response = await fetch(`${stack.gatewayUrl}${sendReport.path}`, {
        method: 'POST',
        headers: {
          'content-type': type,
          'sec-fetch-site': 'cross-site',
          origin: 'https://elsewhere.example',
        },
        body,
      })
      expect([response.status, await response.text()], type).toEqual([204, ''])
      expect(response.headers.getSetCookie()).toEqual([])
    }
    expect((await metricsOf([stack.gatewayUrl])).get('amtiati_csp_reports_total{directive="font-src"}')).toBe(
      1,
    )
  })
})
