import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { type ApiDocument, type ApiDocumentOptions, describeApi } from '#server/platform/openapi.ts'
import { registeredOperations } from '#server/platform/register-operation.ts'
import { brand } from '#shared/platform/brand.ts'

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

export interface ApiDocsOptions extends ApiDocumentOptions {
  /** Whether `/api/docs` is served. With a real session its calls would book, pay and delete. */
  readonly hasPage: boolean
}

/** `/api/openapi.json` and, to try it, `/api/docs` (not in `MODE=live`): the operations that are registered. */
export async function registerApiDocs(app: FastifyInstance, options: ApiDocsOptions): Promise<void> {
  let document: ApiDocument | undefined
  const readDocument = () => {
    document ??= describeApi(registeredOperations.get(app.server) ?? [], options)
    return document
  }
  app.get('/api/openapi.json', async () => readDocument())
  if (!options.hasPage) return
  await app.register(swagger, { openapi: {}, transformObject: readDocument })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: docsPolicy,
    theme: { title: `${brand.name.en} API` },
    uiConfig: { docExpansion: 'list', tryItOutEnabled: true },
  })
}
