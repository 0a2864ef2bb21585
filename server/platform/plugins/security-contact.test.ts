import { expect, it } from 'vitest'
import { brand } from '#shared/platform/brand.ts'
import { day, manualClock } from '#test/kit/basics/clock.ts'
import { openBrowser, openFeatureApp } from '#test/kit/gateway/feature-app.ts'
import { registerSecurityContact } from './security-contact.ts'

it('serves security.txt as RFC 9116 requires', async () => {
  const clock = manualClock()
  const app = await openFeatureApp((feature) =>
    registerSecurityContact(feature, { publicUrl: 'https://amtiati.example', clock }),
  )
  const answer = await openBrowser(app).get('/.well-known/security.txt')
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  const fields = new Map(
    answer.bytes
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/, 2) as [string, string]),
  )
  expect(fields.get('Contact')).toBe(`mailto:${brand.contact.email}`)
  expect(fields.get('Canonical')).toBe('https://amtiati.example/.well-known/security.txt')
  expect(fields.get('Preferred-Languages')).toBe('ar, en')
  const validForMs = Date.parse(fields.get('Expires') ?? '') - clock.now()
  expect(validForMs).toBeGreaterThan(0)
  expect(validForMs).toBeLessThan(365 * day)
})
