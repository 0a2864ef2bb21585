import type { FastifyInstance } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { isKnownHost } from '#shared/platform/known-host.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

/**
 * A page elsewhere could point its own name at this machine, and read and change whatever the demo lets anyone do. Not
 * in `MODE=live`, where proxies may use any name.
 * @param urls the gateway's addresses, besides localhost and IP addresses
 */
export function registerKnownHosts(app: FastifyInstance, urls: readonly string[]): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    done(isKnownHost(headers.host, urls) ? undefined : failure(platformErrors, 'UNKNOWN_HOST'))
  })
}
