import type { FastifyInstance } from 'fastify'

/** These routes get a scope of their own, so that no other route accepts a form. */
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
        // When the form repeats a name, the last value is used. The signature of the form then does not match.
        done(null, Object.fromEntries(new URLSearchParams(String(body))))
      },
    )
    register(child)
  })
}
