import { expect, it } from 'vitest'
import { openBrowser, openFeatureApp } from '#test/kit/gateway/feature-app.ts'
import { registerApiDocs } from './api-docs.ts'

it('the API page may load and connect to its own origin only', async () => {
  const app = await openFeatureApp((feature) =>
    registerApiDocs(feature, {
      version: '1.2.3',
      sessionCookie: 'session_3000',
      deskCookie: 'desk_3000',
      isServed: true,
    }),
  )
  const { status, headers } = await openBrowser(app).get('/api/docs/')
  expect(status).toBe(200)
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    expect.stringMatching(/^style-src 'self' 'sha256-[\w+/]+='$/),
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
})
