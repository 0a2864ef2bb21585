import { expect, it } from 'vitest'
import { openBrowser, openFeatureApp } from '#test/kit/gateway/feature-app.ts'
import { registerSecurityHeaders } from './security-headers.ts'

async function headersOf(path: string, isHttps: boolean) {
  const app = await openFeatureApp((feature) => {
    registerSecurityHeaders(feature, { isHttps })
    feature.get('/page', async () => 'in')
    feature.get('/api/thing', async () => 'in')
  })
  return (await openBrowser(app).get(path)).headers
}

it.each(['/page', '/api/thing', '/api/nothing'])('every response has security headers: %s', async (path) => {
  expect(await headersOf(path, false)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(self), microphone=(), payment=()',
    'x-request-id': expect.any(String),
  })
})

it('sends Strict-Transport-Security for two years under https', async () => {
  const header = 'strict-transport-security'
  expect(await headersOf('/page', true)).toHaveProperty(header, 'max-age=63072000; includeSubDomains')
  expect(await headersOf('/page', false)).not.toHaveProperty(header)
})

it('forbids caching of API responses, and leaves caching of pages to them', async () => {
  expect(await headersOf('/api/thing', true)).toHaveProperty('cache-control', 'no-store')
  expect(await headersOf('/page', true)).not.toHaveProperty('cache-control')
})
