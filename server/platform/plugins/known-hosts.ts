import type { FastifyInstance } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { isKnownHost } from '#shared/platform/known-host.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

/**
 * A page of another site could let its own host name point to this machine, and use the open demo (DNS rebinding).
 * `MODE=live` does not check host names, because proxies can use any.
 */
export function registerKnownHosts(app: FastifyInstance, urls: readonly string[]): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    done(isKnownHost(headers.host, urls) ? undefined : failure(platformErrors, 'UNKNOWN_HOST'))
  })
}
