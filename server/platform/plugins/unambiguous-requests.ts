import type { FastifyInstance } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

/**
 * Refuses requests that a proxy in front can read differently (request smuggling): Node accepts two Host headers, and a
 * URL that contains a host.
 */
export function registerUnambiguousRequests(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isClear = countHosts(raw.rawHeaders) <= 1 && (raw.url ?? '').startsWith('/')
    done(isClear ? undefined : failure(platformErrors, 'INVALID_REQUEST', { cause: 'ambiguous host' }))
  })
}

function countHosts(rawHeaders: readonly string[]) {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}
