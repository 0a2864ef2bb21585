import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A link between a gateway and its database that can be cut without an error at either end. */
export interface Relay {
  readonly port: number
  /** Nothing passes any more, in either direction, and connections are accepted without an answer, until `resume`. */
  pause(): void
  resume(): void
  /** What is connected now falls silent for ever, as behind a firewall that has forgotten it. New connections work. */
  loseConnections(): void
  close(): Promise<void>
}

export async function openRelay(target: { readonly host: string; readonly port: number }): Promise<Relay> {
  let isPaused = false
  /** What waits for `resume`, in its order. */
  let waiting: (() => void)[] = []
  let lost = new WeakSet<Socket>()
  const open = new Set<Socket>()

  function forward(from: Socket, to: Socket): void {
    open.add(from)
    const pass = (work: () => void) => {
      if (lost.has(from)) return
      if (isPaused) waiting.push(work)
      else work()
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
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      const works = waiting
      waiting = []
      for (const work of works) work()
    },
    loseConnections() {
      lost = new WeakSet(open)
    },
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
