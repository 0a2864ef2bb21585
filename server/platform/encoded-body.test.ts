import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openBrowser, openFeatureApp } from '#test/kit/gateway/feature-app.ts'
import { encodeBody, sendEncoded } from './encoded-body.ts'

const text = JSON.stringify({ success: true, names: Array.from({ length: 200 }, () => 'مكة المكرمة') })

async function openAnswer(body = text) {
  const encoded = await encodeBody(body)
  const app = await openFeatureApp((feature) => {
    feature.get('/api/list', (request, reply) => sendEncoded(request, reply, encoded))
  })
  return openBrowser(app)
}

describe('sendEncoded', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['deflate', undefined, (bytes: Buffer) => bytes],
    [undefined, undefined, (bytes: Buffer) => bytes],
  ])('answers Accept-Encoding "%s" with %s', async (accepted, encoding, unpack) => {
    const answer = await (await openAnswer()).get(
      '/api/list',
      accepted ? { 'accept-encoding': accepted } : {},
    )
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers.vary).toBe('Accept-Encoding')
    expect(unpack(answer.bytes).toString()).toBe(text)
  })

  it('reads each Accept-Encoding by itself, however many others came before', async () => {
    const browser = await openAnswer()
    for (let count = 0; count < 150; count += 1) {
      const { headers } = await browser.get('/api/list', { 'accept-encoding': `gzip, x-${count}` })
      expect(headers['content-encoding']).toBe('gzip')
    }
    for (const encoding of ['br', 'gzip'])
      expect((await browser.get('/api/list', { 'accept-encoding': encoding })).headers).toMatchObject({
        'content-encoding': encoding,
      })
  })

  it('sets a strong ETag that differs by encoding and by content', async () => {
    const tags = new Set<unknown>()
    for (const browser of [await openAnswer(), await openAnswer(`${text} `)])
      for (const accepted of ['br', 'gzip', 'identity']) {
        const { headers } = await browser.get('/api/list', { 'accept-encoding': accepted })
        expect(headers.etag).toMatch(/^"[\w.-]+"$/)
        tags.add(headers.etag)
      }
    expect(tags.size).toBe(6)
  })

  it('answers 304 to a matching If-None-Match of the same encoding only', async () => {
    const browser = await openAnswer()
    const { headers } = await browser.get('/api/list', { 'accept-encoding': 'br' })
    const known = { 'if-none-match': `"other", W/${headers.etag}` }
    const again = await browser.get('/api/list', { 'accept-encoding': 'br', ...known })
    expect(again.status).toBe(304)
    expect(again.bytes).toHaveLength(0)
    expect(again.headers).toMatchObject({ etag: headers.etag, vary: 'Accept-Encoding' })
    expect(again.headers['content-encoding']).toBeUndefined()
    expect((await browser.get('/api/list', { 'accept-encoding': 'gzip', ...known })).status).toBe(200)
  })
})

describe('the choice of br', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ['', false],
    ['br', true],
    ['BR;q=0.5', true],
    ['gzip,br ; q=0.001', true],
    ['br;q=0', false],
    ['br; q=0.000', false],
    ['*', true],
    ['*;q=0', false],
    ['*, br;q=0', false],
    ['*;q=0, br', true],
    ['brotli', false],
  ])('with Accept-Encoding %j is %s', async (header, isChosen) => {
    const browser = await openAnswer()
    const { headers } = await browser.get(
      '/api/list',
      header === undefined ? {} : { 'accept-encoding': header },
    )
    expect(headers['content-encoding'] === 'br').toBe(isChosen)
  })
})
