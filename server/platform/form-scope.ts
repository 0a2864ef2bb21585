import type { FastifyInstance } from 'fastify'

/** Routes that accept a form, in their own scope, so that no other route does. */
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
        // The last value of a repeated name counts. The signature then does not match, so nothing ambiguous is
        // read.
        done(null, Object.fromEntries(new URLSearchParams(String(body))))
      },
    )
    register(child)
  })
}
