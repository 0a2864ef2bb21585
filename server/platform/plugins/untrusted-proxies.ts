import type { FastifyInstance } from 'fastify'
import { createNetworkCheck, truncatedAddress } from '#server/platform/address.ts'

/**
 * Warns once when an address that is not trusted sends `X-Forwarded-For`: if it is a proxy, all its clients share the
 * limits of one address.
 */
export function registerUntrustedProxyWarning(app: FastifyInstance, proxies: readonly string[]): void {
  const isProxy = createNetworkCheck(proxies)
  let hasWarned = false
  app.addHook('onRequest', ({ headers, socket, log }, _reply, done) => {
    const neighbour = socket.remoteAddress ?? ''
    if (!hasWarned && headers['x-forwarded-for'] !== undefined && !isProxy(neighbour)) {
      hasWarned = true
      log.warn(
        { event: 'proxy.untrusted', address: truncatedAddress(neighbour) },
        'A request from an address that is not in TRUSTED_PROXIES has X-Forwarded-For, which is ignored. If it comes from a proxy of yours, name it there: until then all its clients share one limit of sign-in.',
      )
    }
    done()
  })
}
