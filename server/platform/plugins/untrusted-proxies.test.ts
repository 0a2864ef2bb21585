import { expect, it } from 'vitest'
import { openFeatureApp } from '#test/kit/gateway/feature-app.ts'
import { registerUntrustedProxyWarning } from './untrusted-proxies.ts'

const forwarded = { 'x-forwarded-for': '203.0.113.9' }

/** The warnings after requests, each from an address and with these headers. */
async function warningsOf(
  proxies: readonly string[],
  requests: readonly (readonly [from: string, headers: Readonly<Record<string, string>>])[],
) {
  const warnings: unknown[] = []
  const app = await openFeatureApp((feature) => {
    feature.addHook('onRequest', async (request) => {
      Object.assign(request.log, { warn: (line: unknown) => warnings.push(line) })
    })
    registerUntrustedProxyWarning(feature, proxies)
    feature.get('/', () => ({}))
  })
  for (const [remoteAddress, headers] of requests) await app.inject({ url: '/', remoteAddress, headers })
  return warnings
}

it('warns once when an address that is not trusted forwards a client, and names its network', async () => {
  const requests = [
    ['192.0.2.5', {}],
    ['192.0.2.5', forwarded],
    ['192.0.2.6', forwarded],
  ] as const
  const warning = { event: 'proxy.untrusted', address: '192.0.2.0/24' }
  expect(await warningsOf([], requests)).toEqual([warning])
  expect(await warningsOf(['192.0.2.5'], requests)).toEqual([warning])
})

it('does not warn of a proxy that is trusted, nor of a client without the header', async () => {
  const requests = [
    ['192.0.2.5', forwarded],
    ['::ffff:192.0.2.5', forwarded],
    ['203.0.113.9', {}],
  ] as const
  expect(await warningsOf(['192.0.2.0/24'], requests)).toEqual([])
})
