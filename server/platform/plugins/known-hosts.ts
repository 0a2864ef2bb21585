import type { FastifyInstance } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { isKnownHost } from '#shared/platform/known-host.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

/**
 * Another site could point its host name at this machine (DNS rebinding), and use the open demo. `MODE=live` does not
 * check host names, because proxies can use any.
 */
export function registerKnownHosts(app: FastifyInstance, urls: readonly string[]): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    done(isKnownHost(headers.host, urls) ? undefined : failure(platformErrors, 'UNKNOWN_HOST'))
  })
}
