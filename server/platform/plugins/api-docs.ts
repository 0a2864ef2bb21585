import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type EncodedBody, encodeBody, plainBody, sendEncoded } from '#server/platform/encoded-body.ts'
import { failure } from '#server/platform/errors.ts'
import { type ApiDocument, type ApiDocumentOptions, describeApi } from '#server/platform/openapi.ts'
import { registeredOperations } from '#server/platform/register-operation.ts'
import { brand } from '#shared/platform/brand.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { wordmarks } from '#shared/platform/wordmark.ts'

/** The hash allows the style element that swagger-ui's script adds to the page. */
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

const documentPath = '/api/openapi.json'
const pagePath = '/api/docs'

export interface ApiDocsOptions extends ApiDocumentOptions {
  /** True only in the demo: the page makes real calls, which would book, pay and delete with a real session. */
  readonly isServed: boolean
}

export async function registerApiDocs(app: FastifyInstance, options: ApiDocsOptions): Promise<void> {
  if (!options.isServed) return
  let document: ApiDocument | undefined
  let body: EncodedBody | undefined
  const readDocument = () => {
    document ??= describeApi(registeredOperations.get(app.server) ?? [], options)
    return document
  }
  function writeBody(): EncodedBody {
    const text = JSON.stringify(readDocument())
    const plain = plainBody(text)
    body = plain
    void encodeBody(text).then(
      (encoded) => {
        body = encoded
      },
      (error: unknown) => app.log.warn({ event: 'api-docs.not-compressed', err: error }),
    )
    return plain
  }
  const send = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-cache')
    return sendEncoded(request, reply, body ?? writeBody())
  }
  app.get(documentPath, send)
  // Without this hook swagger-ui's plugin would generate the API document again for each request.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const { url } = request.routeOptions
    if (url === `${pagePath}/json`) return send(request, reply)
    if (url === `${pagePath}/yaml`) throw failure(platformErrors, 'NOT_FOUND')
  }
  await app.register(swagger, { openapi: {}, transformObject: readDocument })
  await app.register(swaggerUi, {
    routePrefix: pagePath,
    staticCSP: docsPolicy,
    uiHooks: { onRequest },
    theme: { title: `${brand.name.en} API` },
    logo: { type: 'image/svg+xml', content: Buffer.from(logo()) },
    uiConfig: { docExpansion: 'list', tryItOutEnabled: true },
  })
}

function logo(): string {
  const name = brand.name.en
  const { width, height, strokes } = wordmarks[name] ?? { width: 200, height: 40, strokes: [] }
  const paths = strokes.map(([path, strokeWidth]) => `<path d="${path}" stroke-width="${strokeWidth}"/>`)
  const text = `<text x="0" y="32" font-size="32" fill="#fff" stroke="none">${name}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" fill="none" stroke="#fff" stroke-linejoin="round">${paths.join('') || text}</svg>`
}
