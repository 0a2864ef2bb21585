import { beforeAll, describe, expect, it } from 'vitest'
import { pages } from '#shared/platform/pages.ts'
import { sharedStack } from '#test/kit/in-process.ts'
import { isInRepo, repoFiles } from '#test/kit/repo-files.ts'
import type { Stack } from '#test/kit/stack.ts'

let stack: Stack
beforeAll(async () => {
  if (!isInRepo('dist/client/index.html')) throw new Error('the client is not built: npm run build')
  stack = await sharedStack()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${stack.gatewayUrl}${path}`, { headers })

describe('documents', () => {
  it('of pages answer 200, unknown ones 404 with the app', async () => {
    for (const path of Object.values(pages))
      expect((await get(path.replace(':id', '1').replace(':token', 'A'.repeat(43)))).status, path).toBe(200)
    for (const path of ['/nowhere', '/orders/1/2', '/admin', '/wp-login', '/constructor']) {
      const { status, headers } = await get(path)
      expect([status, headers.get('content-type')], path).toEqual([404, 'text/html; charset=utf-8'])
    }
  })

  it.each([
    ['without a cookie', {}, 'ar', 'rtl'],
    ['for a reader of English who has not chosen', { 'accept-language': 'en-GB,en;q=0.9' }, 'ar', 'rtl'],
    ['with the cookie', { cookie: 'lang=en', 'accept-language': 'ar' }, 'en', 'ltr'],
    ['with the other cookie', { cookie: 'lang=ar', 'accept-language': 'en' }, 'ar', 'rtl'],
    ['with a cookie that names no language', { cookie: 'lang=xx' }, 'ar', 'rtl'],
  ])('are in the language of the visitor from the first byte %s', async (_, headers, lang, dir) => {
    for (const path of ['/', '/booking', '/no/such/page']) {
      const response = await get(path, headers)
      expect(response.headers.get('content-type')).toMatch(/^text\/html/)
      expect(await response.text()).toContain(`<html lang="${lang}" dir="${dir}">`)
      expect(response.headers.get('content-language')).toBe(lang)
    }
  })

  it('have a policy with a nonce of their own', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await get('/')
        const policy = response.headers.get('content-security-policy') ?? ''
        expect(policy).toContain("default-src 'none'")
        expect(policy).toContain("frame-ancestors 'none'")
        expect(policy).not.toContain('unsafe')
        const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
        expect(nonce.length).toBeGreaterThan(15)
        const html = await response.text()
        expect(html).toContain(nonce)
        expect(html).not.toContain('__CSP_NONCE__')
        return nonce
      }),
    )
    expect(nonces[0]).not.toBe(nonces[1])
  })

  it('let only the payment page load the provider’s script', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy') ?? ''
    const { origin } = new URL(stack.mockUrl)
    // The router of the app serves the page under both addresses.
    for (const path of ['/payment?clientSecret=a&publicKey=b&orderId=1', '/payment/'])
      expect(await policyOf(path), path).toContain(origin)
    for (const path of ['/', '/booking', '/thank-you?success=true', '/payments'])
      expect(await policyOf(path), path).not.toContain(origin)
  })
})

describe('files', () => {
  const asset = repoFiles('client', /\.tsx$/).length > 0 ? '/assets/' : ''

  it('are cached for ever when their name contains their hash', async () => {
    const html = await (await get('/')).text()
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
    const response = await get(script)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toMatch(/immutable/)
    expect(response.headers.get('content-type')).toMatch(/javascript/)
  })

  it('answer 404 when they do not exist, never the app', async () => {
    for (const path of [
      `${asset}gone-abc123.js`,
      '/favicon.png',
      '/.env',
      '/package.json',
      '/../package.json',
    ]) {
      const response = await get(path)
      expect(response.status, path).toBe(404)
      expect(response.headers.get('content-type')).toMatch(/json/)
    }
  })
})

describe('every answer', () => {
  it.each(['/', '/api/config', '/api/nothing', '/healthz'])(
    'of %s has the security headers',
    async (path) => {
      const { headers } = await get(path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBeTruthy()
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('server')).toBeNull()
    },
  )

  it('keeps personal data out of caches', async () => {
    expect((await get('/api/auth/user')).headers.get('cache-control')).toBe('no-store')
    expect((await get('/')).headers.get('cache-control')).toMatch(/no-store|no-cache/)
  })
})
