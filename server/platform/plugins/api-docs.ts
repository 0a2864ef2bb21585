import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { type ApiDocument, completeDocument, documentHead } from '#server/platform/openapi.ts'

/** Narrower than the default of swagger-ui. Its script writes one style element, allowed by its hash. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export interface ApiDocsOptions {
  readonly version: string
  /** Name of the cookie that holds the session. */
  readonly sessionCookie: string
  /** Whether `/api/docs` is served. With a real session its calls would book, pay and delete. */
  readonly hasPage: boolean
}

/** `/api/openapi.json` and, to try it, `/api/docs` (not in `MODE=live`). Both are derived from the routes' schemas and the operations. */
export async function registerApiDocs(app: FastifyInstance, options: ApiDocsOptions): Promise<void> {
  await app.register(swagger, {
    openapi: documentHead(options.version, options.sessionCookie),
    transformObject: (given) =>
      'openapiObject' in given
        ? completeDocument(given.openapiObject as typeof given.openapiObject & ApiDocument)
        : given.swaggerObject,
  })
  if (options.hasPage)
    await app.register(swaggerUi, {
      routePrefix: '/api/docs',
      staticCSP: docsPolicy,
      uiConfig: { docExpansion: 'list', tryItOutEnabled: true },
    })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
