import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ephemeral ports (Linux from 32768, others from 49152): otherwise a connection may take a port between its
 * choice and its use.
 */
const lowest = 10_000
const highest = 29_999

/** Ports that were free a moment ago, all different because all were held at once. */
export async function freePorts(count: number): Promise<number[]> {
  const servers: ReturnType<typeof createServer>[] = []
  const ports: number[] = []
  while (ports.length < count) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1))
    const server = createServer()
    try {
      server.listen({ port, host: '127.0.0.1', exclusive: true })
      await once(server, 'listening')
    } catch {
      continue
    }
    servers.push(server)
    ports.push(port)
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
