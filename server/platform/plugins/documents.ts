import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '#server/platform/language.ts'
import { languages } from '#shared/platform/language.ts'
import { permissionsPolicy } from './security-headers.ts'

export interface DocumentsOptions {
  /** The built app: `index.html` and `assets/`. */
  readonly root: string
  /** The pages there are. Any other address gets the same app, which then says so, with 404. */
  readonly pagePaths: readonly string[]
  /** The page whose document may load the card widget, and the origins it may use there. */
  readonly widgetPath: string
  readonly widgetOrigins: readonly string[]
  /** Where browsers report what a policy has stopped. */
  readonly reportPath: string
  /** Browsers know the newer way to report only under https. */
  readonly isHttps: boolean
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
    // The template itself has marks in it and no policy: it leaves only through `sendDocument`. The build makes no
    // source maps; one that lies there all the same stays there.
    allowedPath: (path) => path !== '/index.html' && !/\.map$/i.test(path),
    maxAge: '1y',
    immutable: true,
    setHeaders: (response, path) => {
      // Only what carries a hash in its name may be kept for ever.
      if (!path.includes(`${join(options.root, 'assets')}`))
        response.header('cache-control', 'public, max-age=3600')
    },
  })

  const isPage = createPageCheck(options.pagePaths)

  const sendDocument = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?')
    const template = await readTemplate()
    const nonce = randomBytes(16).toString('base64')
    const { code, direction } = languages[languageOf(request)]
    const widgetOrigins = path === options.widgetPath ? options.widgetOrigins : undefined
    if (options.isHttps) reply.header('reporting-endpoints', `${reportGroup}="${options.reportPath}"`)
    if (widgetOrigins) {
      // The bank's page may open as a window of its own, and the provider may offer the wallets of the browser.
      reply.header('cross-origin-opener-policy', 'same-origin-allow-popups')
      const payees = ['self', ...widgetOrigins.map((origin) => `"${origin}"`)].join(' ')
      reply.header('permissions-policy', permissionsPolicy(`(${payees})`))
    }
    return reply
      .code(isPage(path) ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'Cookie, Accept-Language')
      .header('content-language', code)
      .header('content-security-policy', policy({ ...options, nonce, widgetOrigins }))
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

/** The router of the app reads `/Orders/` as `/orders`, and so do we. */
function createPageCheck(pagePaths: readonly string[]): (path: string) => boolean {
  const known = new Set(pagePaths)
  return (path) => known.has(path.toLowerCase().replace(/(?<=.)\/+$/, ''))
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

const reportGroup = 'csp'

export interface PolicyOptions {
  readonly nonce: string
  /** Only on the document that loads the card widget. */
  readonly widgetOrigins?: readonly string[] | undefined
  readonly reportPath: string
  readonly isHttps: boolean
}

export function policy({ nonce, widgetOrigins, reportPath, isHttps }: PolicyOptions): string {
  const provider = widgetOrigins?.map((origin) => ` ${origin}`).join('') ?? ''
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
    // The widget is another's code, which may write markup: Trusted Types hold everywhere but beside it.
    ...(widgetOrigins ? [] : ["require-trusted-types-for 'script'", 'trusted-types default']),
    `report-uri ${reportPath}`,
    ...(isHttps ? [`report-to ${reportGroup}`] : []),
  ].join('; ')
}
