import type { FastifyInstance } from 'fastify'

/**
 * JSON is the only language of this API. A body of no bytes is no body, whatever its type is said to be: many clients
 * name JSON on every call, also on those that send nothing.
 */
export function registerJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}
