import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pinImages, readDigest } from './images.ts'

const digest = (letter: string) => `sha256:${letter.repeat(64)}`

describe('pinImages', () => {
  const dockerfile = ['FROM node:26-slim AS base', 'FROM base AS client', 'COPY --from=client a b', ''].join(
    '\n',
  )

  it('writes the digest behind each tag, and leaves stages alone', async () => {
    const pinned = await pinImages(dockerfile, async () => digest('a'))
    expect(pinned).toBe(dockerfile.replace('26-slim', `26-slim@${digest('a')}`))
  })

  it('asks once for an image, by its full name', async () => {
    const compose = [
      'services:',
      '  database:',
      '    image: postgres:18-alpine',
      '  copy:',
      '    image: postgres:18-alpine',
      '  other:',
      '    image: bitnami/redis:8.2',
      '  ours:',
      '    image: amtiati-gateway',
      '',
    ].join('\n')
    const asked: object[] = []
    const pinned = await pinImages(compose, async (image) => {
      asked.push(image)
      return digest('b')
    })
    expect(asked).toEqual([
      { repository: 'library/postgres', tag: '18-alpine' },
      { repository: 'bitnami/redis', tag: '8.2' },
    ])
    expect(pinned.match(/@sha256:b{64}$/gm)).toHaveLength(3)
    expect(pinned).toContain('image: amtiati-gateway\n')
  })

  it('replaces a digest by a newer one', async () => {
    const once = await pinImages(dockerfile, async () => digest('a'))
    const twice = await pinImages(once, async () => digest('c'))
    expect(twice).toBe(dockerfile.replace('26-slim', `26-slim@${digest('c')}`))
  })
})

describe('readDigest', () => {
  let status = 200
  let header: string | undefined = digest('d')
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`)
    if (request.url?.startsWith('/token')) return void response.end('{"token":"t"}')
    response.writeHead(status, header === undefined ? {} : { 'docker-content-digest': header }).end()
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void server.close())
  beforeEach(() => {
    status = 200
    header = digest('d')
    requests.length = 0
  })
  const read = () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return readDigest(
      { repository: 'library/node', tag: '26-slim' },
      { url, tokenUrl: `${url}/token?service=s` },
    )
  }

  it('asks for a token, then for the manifest', async () => {
    expect(await read()).toBe(digest('d'))
    expect(requests).toEqual([
      'GET /token?service=s&scope=repository:library/node:pull -',
      'HEAD /v2/library/node/manifests/26-slim Bearer t',
    ])
  })

  it('fails where the image is unknown, or its digest cannot be read', async () => {
    status = 404
    await expect(read()).rejects.toThrow(/answers 404/)
    status = 200
    header = undefined
    await expect(read()).rejects.toThrow('library/node:26-slim has no digest')
  })
})
