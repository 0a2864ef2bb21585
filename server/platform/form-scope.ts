import type { FastifyInstance } from 'fastify'

/** Routes that take a form: in a scope of their own, so that no other route accepts one. */
export async function registerFormRoutes(
  app: FastifyInstance,
  register: (child: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => {
        // The last value of a repeated name counts: a signature over the form then does not fit, so nothing ambiguous is read.
        done(null, Object.fromEntries(new URLSearchParams(String(body))))
      },
    )
    register(child)
  })
}
