import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * This time is longer than the longest DRAIN_MS plus the slowest provider response. `scripts/lib/children.mjs` and
 * docker-compose.yml wait `stopMarginMs` longer (a test in `test/repo` compares them).
 */
export const stopGraceMs = 75_000
export const stopMarginMs = 5_000

/**
 * The event loop accepts one connection per turn. After this many turns without one, no connection waits in the kernel.
 */
const quietTurns = 10
/**
 * Without a load balancer clients never stop connecting. After as many connections as the kernel can queue (the backlog
 * of Node's `listen`), every connection that was waiting is accepted.
 */
const longestQueue = 511

export const stoppingDecorator = 'stopping'

export interface Stopping {
  readonly signal: AbortSignal
  /**
   * Accepts connections until `noticed` resolves, and then waits for the last response. `app.close()` must come
   * afterwards: it could close a connection on which a client is sending a request.
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
      // `server.close()` would end idle connections at once, although a client can be sending a request on one.
      Server.prototype.close.call(server)
      await untilAnswered()
      server.closeAllConnections()
    },
  }
}
