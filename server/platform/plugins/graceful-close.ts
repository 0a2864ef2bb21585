import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * The time from the signal to the forced exit is longer than the longest DRAIN_MS plus the slowest provider response.
 * `scripts/lib/children.mjs` and `stop_grace_period` of docker-compose.yml wait `stopMarginMs` longer; a test in
 * `test/repo` compares them.
 */
export const stopGraceMs = 75_000
export const stopMarginMs = 5_000

/** One turn of the event loop accepts one connection: after this many quiet turns the kernel's queues are empty. */
const quietTurns = 10
/**
 * Without a load balancer clients keep opening connections. When the gateway has accepted as many as the kernel queues
 * (Node's backlog for `listen`), it has accepted every connection that was waiting.
 */
const longestQueue = 511

export const stoppingDecorator = 'stopping'

export interface Stopping {
  readonly signal: AbortSignal
  /**
   * Call it before `app.close()`. The gateway serves requests until `noticed` resolves, then accepts no connections and
   * waits for the last response. A connection that could still carry a request is not closed before.
   */
  drain(noticed: Promise<unknown>): Promise<void>
}

/**
 * While the gateway stops, every response closes its connection, so that the client sends its next request elsewhere.
 */
export function registerGracefulClose(app: FastifyInstance): Stopping {
  const { server } = app
  const stopped = new AbortController()
  const answered = new EventEmitter()
  let connections = 0
  let requests = 0
  let quiet = 0

  server.on('connection', () => {
    connections += 1
    quiet = 0
  })
  server.on('request', (_: IncomingMessage, response: ServerResponse) => {
    requests += 1
    quiet = 0
    response.on('close', () => {
      requests -= 1
      answered.emit('one')
    })
  })
  app.addHook('preClose', async () => stopped.abort())
  app.addHook('onSend', (_, reply, __, done) => {
    if (stopped.signal.aborted) reply.header('connection', 'close')
    done()
  })

  /** Resolves when all connections and requests in the kernel's queues are accepted, or when `most` connections are. */
  async function untilAccepted(most = Number.POSITIVE_INFINITY) {
    const last = connections + most
    for (quiet = 0; quiet < quietTurns && connections < last; quiet += 1) await nextTurn()
  }

  async function untilAnswered() {
    do {
      while (requests > 0) await once(answered, 'one')
      await untilAccepted()
    } while (requests > 0)
  }

  return {
    signal: stopped.signal,
    async drain(noticed) {
      stopped.abort()
      await noticed
      await untilAccepted(longestQueue)
      // The HTTP server's own `close` would end idle connections at once, although a client may be sending a request on
      // one.
      Server.prototype.close.call(server)
      await untilAnswered()
      // The remaining connections carry no request: they were kept alive, or a browser opened them in advance.
      server.closeAllConnections()
    },
  }
}
