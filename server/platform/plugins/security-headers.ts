import type { FastifyInstance } from 'fastify'

/** What a page may ask the browser for: nothing, and payment where `payees` may take one. */
export function permissionsPolicy(payees = '()'): string {
  return `camera=(), geolocation=(), microphone=(), payment=${payees}`
}

/** On every answer; the content policy belongs to the documents and is set with them. */
export function registerSecurityHeaders(app: FastifyInstance, options: { isHttps: boolean }): void {
  app.addHook('onRequest', async (request, reply) => {
    reply
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'strict-origin-when-cross-origin')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('permissions-policy', permissionsPolicy())
      .header('x-request-id', request.id)
    if (options.isHttps) reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
}
