import type { FastifyInstance } from 'fastify'

/** Only the routes in this scope accept forms. */
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
        // When a form repeats a name, the last value counts; the signature of the form then does not match.
        done(null, Object.fromEntries(new URLSearchParams(String(body))))
      },
    )
    register(child)
  })
}
