import { describe, expect, it } from 'vitest'
import { openFeatureApp, publicUrl } from '#test/kit/gateway/feature-app.ts'

const callback = '/api/payments/callback'

/** Answers 200 to every request that the check lets through. */
const openApp = () =>
  openFeatureApp((app) => {
    for (const url of ['/api/change', '/api/below', '/api/below/one', callback])
      app.route({ method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], url, handler: async () => 'in' })
  })

async function statusOf(
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  headers: Record<string, string>,
  url = '/api/change',
): Promise<number> {
  return (await (await openApp()).inject({ method, url, headers })).statusCode
}

describe('a request that changes state', () => {
  it('is accepted when Sec-Fetch-Site is same-origin', async () => {
    expect(await statusOf('POST', { 'sec-fetch-site': 'same-origin' })).toBe(200)
  })

  it('is accepted by its Origin without Sec-Fetch-Site', async () => {
    expect(await statusOf('POST', { origin: publicUrl })).toBe(200)
  })

  it.each<[string, Record<string, string>]>([
    ['has neither header', {}],
    ['comes from another site', { 'sec-fetch-site': 'cross-site' }],
    ['comes from another subdomain of the site', { 'sec-fetch-site': 'same-site' }],
    ['was typed into the address bar', { 'sec-fetch-site': 'none' }],
    ['comes from another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: publicUrl }],
    ['comes from another origin', { origin: 'https://evil.example' }],
    ['comes from another port', { origin: 'http://localhost:3001' }],
    ['comes from our name under another scheme', { origin: 'https://localhost:3000' }],
    ['comes from a hidden origin', { origin: 'null' }],
    ['comes from a name that begins like ours', { origin: 'http://localhost.evil.example' }],
    ['says so in capitals', { 'sec-fetch-site': 'Same-Origin' }],
    ['says two words at once', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['has only a referrer', { referer: `${publicUrl}/checkout` }],
    ['calls us by its own name', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('is refused when it %s', async (_, headers) => {
    expect(await statusOf('POST', headers)).toBe(403)
  })

  it.each(['PUT', 'PATCH', 'DELETE'] as const)('is refused as %s', async (method) => {
    expect(await statusOf(method, { 'sec-fetch-site': 'cross-site' })).toBe(403)
  })

  it.each(['POST', 'DELETE'] as const)(
    'is refused and accepted as %s without a body by the same rule',
    async (method) => {
      expect(await statusOf(method, {})).toBe(403)
      expect(await statusOf(method, { origin: 'https://evil.example' })).toBe(403)
      expect(await statusOf(method, { 'sec-fetch-site': 'same-origin' })).toBe(200)
    },
  )

  it('names the headers in Vary', async () => {
    const app = await openApp()
    for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }]) {
      const response = await app.inject({ method: 'POST', url: '/api/change', headers })
      expect(response.headers.vary).toBe('Origin, Sec-Fetch-Site')
    }
  })

  it('is refused with a problem', async () => {
    const response = await (await openApp()).inject({ method: 'POST', url: '/api/change' })
    expect(response.json()).toMatchObject({ success: false, code: 'FORBIDDEN_ORIGIN' })
  })
})

describe('a request that only reads', () => {
  it.each(['GET', 'HEAD'] as const)('is accepted from any origin as %s', async (method) => {
    expect(await statusOf(method, { 'sec-fetch-site': 'cross-site' })).toBe(200)
  })
})

describe('an exempt path', () => {
  it('is accepted from any origin, with any query', async () => {
    expect(await statusOf('POST', {}, callback)).toBe(200)
    expect(await statusOf('POST', {}, `${callback}?hmac=abc`)).toBe(200)
  })

  it('may stand for all paths below it', async () => {
    expect(await statusOf('POST', {}, '/api/below/one')).toBe(200)
    expect(await statusOf('POST', {}, '/api/below')).toBe(403)
  })

  it('exempts no other path', async () => {
    expect(await statusOf('POST', {}, `/api/change?x=${callback}`)).toBe(403)
    expect(await statusOf('POST', {}, `/api/change#${callback}`)).toBe(403)
  })
})
