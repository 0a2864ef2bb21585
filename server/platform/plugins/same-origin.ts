import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

const readOnly = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses changes that another site causes (CSRF) by `Sec-Fetch-Site`, or else by `Origin`, and changes without either
 * header. Paths in `exempt` use no cookie: they verify a signature or a key, or need no authority.
 */
export function registerSameOrigin(
  app: FastifyInstance,
  options: { publicUrl: string; exempt: readonly string[] },
): void {
  const { origin } = new URL(options.publicUrl)
  app.addHook('onRequest', (request, reply, done) => {
    if (readOnly.has(request.method)) done()
    else check(request, reply).then(() => done(), done)
  })

  async function check(request: FastifyRequest, reply: FastifyReply) {
    const path = request.url.split('?')[0] ?? ''
    if (options.exempt.some((each) => (each.endsWith('/') ? path.startsWith(each) : path === each))) return
    reply.header('vary', 'Origin, Sec-Fetch-Site')
    const site = request.headers['sec-fetch-site']
    const isOwn = site === undefined ? request.headers.origin === origin : site === 'same-origin'
    if (!isOwn) throw failure(platformErrors, 'FORBIDDEN_ORIGIN')
  }
}
