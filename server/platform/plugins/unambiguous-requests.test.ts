import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { openFeatureApp } from '#test/kit/gateway/feature-app.ts'
import { ask, type RawRequest } from '#test/kit/gateway/raw-http.ts'
import { registerUnambiguousRequests } from './unambiguous-requests.ts'

async function statusOf(request: Partial<RawRequest>): Promise<number> {
  const app = await openFeatureApp((feature) => {
    registerUnambiguousRequests(feature)
    feature.route({ method: ['GET', 'POST'], url: '/target', handler: async () => 'in' })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return (await ask(url, { method: 'GET', target: '/target', headers: [], ...request })).status
}

it('accepts an ordinary request', async () => {
  expect(await statusOf({})).toBe(200)
  expect(
    await statusOf({
      method: 'POST',
      headers: [
        ['content-type', 'application/json'],
        ['sec-fetch-site', 'same-origin'],
      ],
      body: '{}',
    }),
  ).toBe(200)
})

it.each<[string, Partial<RawRequest>]>([
  ['two hosts', { headers: [['Host', 'evil.example']] }],
  ['the same host twice, in another case', { headers: [['HOST', '127.0.0.1']] }],
  ['an address with a host of its own', { target: 'http://evil.example/target' }],
  ['no address at all', { method: 'OPTIONS', target: '*' }],
  [
    'two lengths',
    {
      method: 'POST',
      headers: [
        ['content-length', '2'],
        ['content-length', '3'],
      ],
      body: '{}',
    },
  ],
  [
    'a length beside chunks',
    {
      method: 'POST',
      headers: [
        ['content-length', '2'],
        ['transfer-encoding', 'chunked'],
      ],
      body: '0\r\n\r\n',
    },
  ],
  [
    'chunks by another name',
    { method: 'POST', headers: [['transfer-encoding', 'xchunked']], body: '0\r\n\r\n' },
  ],
  [
    'chunks that are wrapped again',
    { method: 'POST', headers: [['transfer-encoding', 'chunked, identity']], body: '0\r\n\r\n' },
  ],
  ['a space before the colon', { headers: [['host ', 'a']] }],
  ['a folded line', { headers: [['x', 'a\r\n b']] }],
])('refuses %s', async (_, request) => {
  expect(await statusOf(request)).toBe(400)
})
