import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A link between a gateway and its database that can be cut without an error at either end. */
export interface Relay {
  readonly port: number
  /** What is connected now falls silent for ever, as behind a firewall that has forgotten it. New connections work. */
  loseConnections(): void
  close(): Promise<void>
}

export async function openRelay(target: { readonly host: string; readonly port: number }): Promise<Relay> {
  let lost = new WeakSet<Socket>()
  const open = new Set<Socket>()

  function forward(from: Socket, to: Socket): void {
    open.add(from)
    const pass = (work: () => void) => {
      if (!lost.has(from)) work()
    }
    from.on('data', (bytes) => pass(() => void to.write(bytes)))
    from.on('error', () => undefined)
    from.on('close', () => {
      open.delete(from)
      pass(() => void to.destroySoon())
    })
  }

  const server = createServer((near) => {
    const far = connect(target)
    forward(near, far)
    forward(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    loseConnections() {
      lost = new WeakSet(open)
    },
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
