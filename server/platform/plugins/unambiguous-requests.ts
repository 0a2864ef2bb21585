import type { FastifyInstance } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

/**
 * Refuses what a proxy in front may have read in another way than we do (request smuggling). Node itself refuses two
 * lengths, a length beside chunks, and unknown encodings, but it takes the first of two hosts, and an address that
 * names a host of its own.
 */
export function registerUnambiguousRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    // Names and values take turns.
    const hosts = request.raw.rawHeaders.filter(
      (text, index) => index % 2 === 0 && text.toLowerCase() === 'host',
    )
    if (hosts.length > 1 || !(request.raw.url ?? '').startsWith('/'))
      throw failure(platformErrors, 'INVALID_REQUEST', { cause: 'ambiguous host' })
  })
}
