import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '#server/platform/language.ts'
import { languages } from '#shared/platform/language.ts'

export interface DocumentsOptions {
  /** The built app: `index.html` and `assets/`. */
  readonly root: string
  /** Paths whose document may load the card widget, and the origins it may use there. */
  readonly widgetPath: string
  readonly widgetOrigins: readonly string[]
  /** Answers what is neither a document nor a file. */
  readonly onMissing: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

const nonceMark = '__CSP_NONCE__'
const htmlMark = '<html lang="ar" dir="rtl">'

/**
 * Serves the app. Language and direction are decided here, before the first byte, so that nothing flips; and each
 * document gets a policy of its own, because only the payment document may load the provider's script.
 */
export async function registerDocuments(app: FastifyInstance, options: DocumentsOptions): Promise<void> {
  const readTemplate = createTemplateReader(join(options.root, 'index.html'))
  await readTemplate()

  await app.register(fastifyStatic, {
    root: options.root,
    index: false,
    dotfiles: 'ignore',
    // The template itself has marks in it and no policy: it leaves only through `sendDocument`.
    allowedPath: (path) => path !== '/index.html',
    maxAge: '1y',
    immutable: true,
    setHeaders: (response, path) => {
      // Only what carries a hash in its name may be kept for ever.
      if (!path.includes(`${join(options.root, 'assets')}`))
        response.header('cache-control', 'public, max-age=3600')
    },
  })

  const sendDocument = async (request: FastifyRequest, reply: FastifyReply) => {
    const template = await readTemplate()
    const nonce = randomBytes(16).toString('base64')
    const { code, direction } = languages[languageOf(request)]
    const isWidgetPage = request.url.split('?')[0] === options.widgetPath
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'Cookie, Accept-Language')
      .header('content-language', code)
      .header('content-security-policy', policy(nonce, isWidgetPage ? options.widgetOrigins : []))
      .send(
        template.replace(htmlMark, `<html lang="${code}" dir="${direction}">`).replaceAll(nonceMark, nonce),
      )
  }

  // A file that is not there is a 404, not the app: an old chunk must fail loudly.
  const isFilePath = (path: string) => /\.[a-z0-9]{1,8}$/i.test(path)

  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || path === '/api' || path.startsWith('/api/') || isFilePath(path))
      return options.onMissing(request, reply)
    return sendDocument(request, reply)
  })
  app.get('/', sendDocument)
}

/** The document as it is built now: a build that replaces the app under a running gateway replaces its chunks, too. */
function createTemplateReader(path: string): () => Promise<string> {
  let kept: { text: string; builtAt: number } | undefined
  return async () => {
    const builtAt = (await stat(path)).mtimeMs
    if (kept?.builtAt === builtAt) return kept.text
    const text = await readFile(path, 'utf8')
    if (!text.includes(htmlMark)) throw new Error(`index.html does not begin with ${htmlMark}`)
    kept = { text, builtAt }
    return text
  }
}

/** `widgetOrigins` is empty everywhere but on the payment document. */
export function policy(nonce: string, widgetOrigins: readonly string[]): string {
  const provider = widgetOrigins.map((origin) => ` ${origin}`).join('')
  return [
    "default-src 'none'",
    `script-src 'self'${provider}`,
    // antd writes its styles at run time, into elements that carry the nonce.
    `style-src 'self' 'nonce-${nonce}'${provider}`,
    `img-src 'self' data:${provider}`,
    `font-src 'self'${provider}`,
    `connect-src 'self'${provider}`,
    ...(provider ? [`frame-src${provider}`] : []),
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `form-action 'self'${provider}`,
    "frame-ancestors 'none'",
  ].join('; ')
}
