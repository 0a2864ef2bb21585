import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openBrowser, openFeatureApp } from '#test/kit/gateway/feature-app.ts'
import { compressed } from './compression.ts'

const long = { text: 'luggage '.repeat(400) }

async function openAnswers() {
  const app = await openFeatureApp((feature) => {
    feature.get('/api/long', { compress: compressed }, async () => long)
    feature.get('/api/short', { compress: compressed }, async () => ({ text: 'luggage' }))
    feature.get('/api/unasked', async () => long)
    feature.post('/api/echo', async (request) => request.body)
  })
  return openBrowser(app)
}

describe('response compression', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    // The header of Chromium.
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('answers Accept-Encoding "%s" with a long response as %s', async (accepted, encoding, unpack) => {
    const answer = await (await openAnswers()).get('/api/long', { 'accept-encoding': accepted })
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(String(answer.headers.vary).toLowerCase()).toContain('accept-encoding')
    expect(JSON.parse(unpack(answer.bytes).toString())).toEqual(long)
  })

  it.each([
    ['for a client that accepts none', '/api/long', {}],
    ['a short answer', '/api/short', { 'accept-encoding': 'br' }],
    ['a route that does not ask for it', '/api/unasked', { 'accept-encoding': 'br' }],
  ])('does not compress %s', async (_, path, headers) => {
    const answer = await (await openAnswers()).get(path, headers)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.json).toHaveProperty('text')
  })

  it('does not decompress request bodies', async () => {
    const browser = await openAnswers()
    const answer = await browser.post('/api/echo', gzipSync(JSON.stringify(long)).toString('latin1'), {
      'content-encoding': 'gzip',
    })
    expect(answer.status).toBe(400)
  })
})
