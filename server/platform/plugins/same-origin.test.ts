import { describe, expect, it } from 'vitest'
import { openRoomApp, publicUrl } from '#test/kit/room-app.ts'

const callback = '/api/payments/callback'

/** Answers 200 to every method at two addresses; what matters is who is let through. */
const openDoor = () =>
  openRoomApp((app) => {
    for (const url of ['/api/change', callback])
      app.route({ method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], url, handler: async () => 'in' })
  })

async function statusOf(
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  headers: Record<string, string>,
  url = '/api/change',
): Promise<number> {
  return (await (await openDoor()).inject({ method, url, headers })).statusCode
}

describe('a call that changes something', () => {
  it('comes in when the browser says that it is from our own page', async () => {
    expect(await statusOf('POST', { 'sec-fetch-site': 'same-origin' })).toBe(200)
  })

  it('comes in by its origin where the browser says nothing of the site', async () => {
    expect(await statusOf('POST', { origin: publicUrl })).toBe(200)
  })

  it.each<[string, Record<string, string>]>([
    ['says nothing at all', {}],
    ['comes from another site', { 'sec-fetch-site': 'cross-site' }],
    ['comes from a sister site', { 'sec-fetch-site': 'same-site' }],
    ['was typed into the address bar', { 'sec-fetch-site': 'none' }],
    ['comes from another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: publicUrl }],
    ['comes from another origin', { origin: 'https://evil.example' }],
    ['comes from another port', { origin: 'http://localhost:3001' }],
    ['comes from our name under another scheme', { origin: 'https://localhost:3000' }],
    ['comes from a hidden origin', { origin: 'null' }],
    ['has only a referrer', { referer: `${publicUrl}/checkout` }],
    ['calls us by its own name', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('is refused when it %s', async (_, headers) => {
    expect(await statusOf('POST', headers)).toBe(403)
  })

  it.each(['PUT', 'PATCH', 'DELETE'] as const)('is refused as %s, too', async (method) => {
    expect(await statusOf(method, { 'sec-fetch-site': 'cross-site' })).toBe(403)
  })

  it.each(['POST', 'DELETE'] as const)('is refused and let in as %s without a body alike', async (method) => {
    expect(await statusOf(method, {})).toBe(403)
    expect(await statusOf(method, { origin: 'https://evil.example' })).toBe(403)
    expect(await statusOf(method, { 'sec-fetch-site': 'same-origin' })).toBe(200)
  })

  it('tells caches what its answer hangs on', async () => {
    const app = await openDoor()
    for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }]) {
      const response = await app.inject({ method: 'POST', url: '/api/change', headers })
      expect(response.headers.vary).toBe('Origin, Sec-Fetch-Site')
    }
  })

  it('is told why in the one shape of failures', async () => {
    const response = await (await openDoor()).inject({ method: 'POST', url: '/api/change' })
    expect(response.json()).toMatchObject({ success: false, code: 'FORBIDDEN_ORIGIN' })
  })
})

describe('a call that only reads', () => {
  it.each(['GET', 'HEAD'] as const)('comes in from everywhere as %s', async (method) => {
    expect(await statusOf(method, { 'sec-fetch-site': 'cross-site' })).toBe(200)
  })
})

describe('a call that carries a signature instead of a cookie', () => {
  it('comes in from everywhere, with any query', async () => {
    expect(await statusOf('POST', {}, callback)).toBe(200)
    expect(await statusOf('POST', {}, `${callback}?hmac=abc`)).toBe(200)
  })

  it('opens no address beside its own', async () => {
    expect(await statusOf('POST', {}, `/api/change?x=${callback}`)).toBe(403)
    expect(await statusOf('POST', {}, `/api/change#${callback}`)).toBe(403)
  })
})
