import type { FastifyInstance } from 'fastify'

/** The app finds the nearest agent by geolocation. Only origins in `payees` can request a payment. */
export function permissionsPolicy({ payees = '()', camera = '()' } = {}): string {
  return `camera=${camera}, geolocation=(self), microphone=(), payment=${payees}`
}

export function registerSecurityHeaders(app: FastifyInstance, options: { isHttps: boolean }): void {
  const onEvery = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': permissionsPolicy(),
    ...(options.isHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(onEvery).header('x-request-id', request.id)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    done()
  })
}
