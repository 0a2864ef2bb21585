import type { FastifyInstance } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { isKnownHost } from '#shared/platform/known-host.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

/**
 * Refuses requests with an unknown host name: a page of another site could point its own name at this machine, and use
 * everything that the demo allows anyone. `MODE=live` does not check, because proxies may use any name.
 * @param urls addresses of the gateway, which are allowed besides localhost and IP addresses
 */
export function registerKnownHosts(app: FastifyInstance, urls: readonly string[]): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    done(isKnownHost(headers.host, urls) ? undefined : failure(platformErrors, 'UNKNOWN_HOST'))
  })
}
