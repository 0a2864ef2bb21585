import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Baseline of the measurements: a bare `node:http` server that answers every request with the same bytes. The
 * starting process sends them in a message and receives the address.
 */
export interface FixedAnswer {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

process.once('message', async ({ headers, body }: FixedAnswer) => {
  const bytes = Buffer.from(body, 'base64')
  const flat = headers.flat()
  const server = createServer((_, response) => {
    response.writeHead(200, flat)
    response.end(bytes)
  })
  server.keepAliveTimeout = 72_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('disconnect', () => process.exit())
