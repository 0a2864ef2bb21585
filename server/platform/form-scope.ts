import type { FastifyInstance } from 'fastify'

/** These routes have their own scope, so that no other route accepts a form. */
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
        // The last value of a repeated name counts. The signature then does not match.
        done(null, Object.fromEntries(new URLSearchParams(String(body))))
      },
    )
    register(child)
  })
}
