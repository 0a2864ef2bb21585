import type { FastifyInstance } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

const readOnly = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A call that changes something must come from our own pages: `Sec-Fetch-Site`, else `Origin`; neither is a no.
 * `exempt` holds paths of callers that have no page: they carry a signature, or no authority at all, and no cookie.
 */
export function registerSameOrigin(
  app: FastifyInstance,
  options: { publicUrl: string; exempt: readonly string[] },
): void {
  const { origin } = new URL(options.publicUrl)
  app.addHook('onRequest', async (request, reply) => {
    if (readOnly.has(request.method)) return
    if (options.exempt.includes(request.url.split('?')[0] ?? '')) return
    reply.header('vary', 'Origin, Sec-Fetch-Site')
    const site = request.headers['sec-fetch-site']
    const isOwn = site === undefined ? request.headers.origin === origin : site === 'same-origin'
    if (!isOwn) throw failure(platformErrors, 'FORBIDDEN_ORIGIN')
  })
}
