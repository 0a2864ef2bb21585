import type { FastifyInstance } from 'fastify'

export interface PostedPageOptions {
  readonly path: string
  readonly parameters: readonly string[]
}

/** The form of a payment has about thirty parameters, 3 kB in all. */
const bodyLimit = 16 * 1024
const plainValue = /^[A-Za-z0-9-]{1,64}$/

/**
 * Redirects the browser to the page (303), with only those parameters of the form that the address lacks: another site
 * can post a form, too.
 */
export async function registerPostedPage(app: FastifyInstance, options: PostedPageOptions): Promise<void> {
  const { path, parameters } = options
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const form = 'application/x-www-form-urlencoded'
    scope.addContentTypeParser(form, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    const ignored = ['multipart/form-data', 'text/plain']
    scope.addContentTypeParser(ignored, { parseAs: 'buffer' }, (_request, _body, done) => done(null, ''))

    scope.post(path, { bodyLimit, schema: { hide: true } }, (request, reply) => {
      const query = withPosted(request.url, request.body, parameters)
      const target = query.size === 0 ? path : `${path}?${query}`
      return reply.header('cache-control', 'no-store').redirect(target, 303)
    })
  })
}

function withPosted(url: string, posted: unknown, parameters: readonly string[]): URLSearchParams {
  const start = url.indexOf('?')
  const query = new URLSearchParams(start === -1 ? '' : url.slice(start))
  const body = new URLSearchParams(typeof posted === 'string' ? posted : '')
  for (const name of parameters) {
    const value = body.get(name)
    if (!query.has(name) && value !== null && plainValue.test(value)) query.set(name, value)
  }
  return query
}
