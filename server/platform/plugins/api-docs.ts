import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { brand } from '#shared/platform/brand.ts'

/** The page needs less than its makers ask for. One style element, written by its script, is known by its hash. */
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

/** `/api/openapi.json` and, to try it, `/api/docs`. Both are made from the routes' schemas. */
export async function registerApiDocs(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${brand.name.en} API`, description: brand.description.en, version },
      servers: [{ url: '/' }],
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: docsPolicy,
    uiConfig: { docExpansion: 'list', tryItOutEnabled: true },
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
