import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

/**
 * Baseline of the measurements: a bare `node:http` server, or a bare Fastify, that answers every request with the
 * same bytes. The starting process sends them in a message and receives the address.
 */
export interface FixedAnswer {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly isFastify?: boolean
}

function bareServer(headers: FixedAnswer['headers'], bytes: Buffer) {
  const flat = headers.flat()
  return createServer((_, response) => {
    response.writeHead(200, flat)
    response.end(bytes)
  })
}

async function bareFastify(headers: FixedAnswer['headers'], bytes: Buffer) {
  const own = Object.fromEntries(headers)
  const app = Fastify()
  app.get('/*', (_, reply) => reply.headers(own).send(bytes))
  await app.ready()
  return app.server
}

process.once('message', async ({ headers, body, isFastify }: FixedAnswer) => {
  const bytes = Buffer.from(body, 'base64')
  const server = isFastify ? await bareFastify(headers, bytes) : bareServer(headers, bytes)
  server.keepAliveTimeout = 72_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('disconnect', () => process.exit())
