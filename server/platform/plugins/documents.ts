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
  /** Known pages. Every other path gets the same app with 404. */
  readonly pagePaths: readonly string[]
  /** The page that may load the card widget. */
  readonly widgetPath: string
  readonly widget: WidgetSources
  /** Where browsers report violations of the policy. */
  readonly reportPath: string
  /** Browsers support `Reporting-Endpoints` only under https. */
  readonly isHttps: boolean
  /** Answers a request for neither a document nor a file. */
  readonly onMissing: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

/** Sources of the card widget by purpose. Other files of the script's host are not allowed. */
export interface WidgetSources {
  /** The addresses of its script and of its style sheets. */
  readonly script: string
  readonly styles: readonly string[]
  /** Addresses that it frames, calls and submits the card to; only their origins are used. */
  readonly frames: readonly string[]
}

const noncePlaceholder = '__CSP_NONCE__'
const htmlPlaceholder = '<html lang="ar" dir="rtl">'

/**
 * Serves the app. The document has its language and direction already, so that they do not change while it loads. Each
 * document gets its own policy, because only the payment document may load the provider's script.
 */
export async function registerDocuments(app: FastifyInstance, options: DocumentsOptions): Promise<void> {
  const readTemplate = createTemplateReader(join(options.root, 'index.html'))
  await readTemplate()

  await app.register(fastifyStatic, {
    root: options.root,
    // Only `sendFile` is used: the route below distinguishes files from pages.
    serve: false,
    // The build writes `.br` and `.gz` beside every compressible file.
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    // The template has placeholders and no policy: only `sendDocument` sends it. Source maps are never served.
    allowedPath: (path) => path !== '/index.html' && !/\.map$/i.test(path),
    maxAge: '1y',
    immutable: true,
    setHeaders: (response, path) => {
      // Only files with a hash in their name may be cached forever.
      if (!path.includes(`${join(options.root, 'assets')}`))
        response.header('cache-control', 'public, max-age=3600')
    },
  })

  const pages = new Set(options.pagePaths)

  const sendDocument = async (request: FastifyRequest, reply: FastifyReply) => {
    const page = pageOf(request.url)
    const template = await readTemplate()
    const nonce = randomBytes(16).toString('base64')
    const { code, direction } = languages[languageOf(request)]
    const widget = page === options.widgetPath ? options.widget : undefined
    if (options.isHttps) reply.header('reporting-endpoints', `${reportGroup}="${options.reportPath}"`)
    if (widget) {
      // The bank's page may open in a popup, and the provider may offer browser wallets.
      reply.header('cross-origin-opener-policy', 'same-origin-allow-popups')
      const payees = ['self', ...originsOf(widget.frames).map((origin) => `"${origin}"`)].join(' ')
      reply.header('permissions-policy', permissionsPolicy(`(${payees})`))
    }
    return reply
      .code(pages.has(page) ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'Cookie, Accept-Language')
      .header('content-language', code)
      .header('content-security-policy', policy({ ...options, nonce, widget }))
      .send(
        template
          .replace(htmlPlaceholder, `<html lang="${code}" dir="${direction}">`)
          .replaceAll(noncePlaceholder, nonce),
      )
  }

  // A missing file is answered with 404 and not with the app: an outdated chunk must fail visibly.
  const isFilePath = (path: string) => /\.[a-z0-9]{1,8}$/i.test(path)

  app.setNotFoundHandler(options.onMissing)
  app.get('/*', { schema: { hide: true }, compress: {} }, (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (path === '/api' || path.startsWith('/api/')) return options.onMissing(request, reply)
    if (isFilePath(path)) return reply.sendFile(path)
    return sendDocument(request, reply)
  })
}

/** The page of a URL. Like the router of the app, it reads `/Orders/` as `/orders`. */
function pageOf(url: string): string {
  const [path = ''] = url.split('?')
  return path.toLowerCase().replace(/(?<=.)\/+$/, '')
}

/** Rereads the document after a new build: its chunks have changed, too. */
function createTemplateReader(path: string): () => Promise<string> {
  let kept: { text: string; builtAt: number } | undefined
  return async () => {
    const builtAt = (await stat(path)).mtimeMs
    if (kept?.builtAt === builtAt) return kept.text
    const text = await readFile(path, 'utf8')
    if (!text.includes(htmlPlaceholder)) throw new Error(`index.html does not contain ${htmlPlaceholder}`)
    kept = { text, builtAt }
    return text
  }
}

const reportGroup = 'csp'

export interface PolicyOptions {
  readonly nonce: string
  /** Only on the document that loads the card widget. */
  readonly widget?: WidgetSources | undefined
  readonly reportPath: string
  readonly isHttps: boolean
}

function originsOf(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map((address) => new URL(address).origin))]
}

/** A file as a CSP source: without query, and with the delimiters escaped (CSP 3, 2.3.1). */
function fileSource(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')
}

export function policy({ nonce, widget, reportPath, isHttps }: PolicyOptions): string {
  const listed = (sources: readonly string[]) => sources.map((source) => ` ${source}`).join('')
  const frames = listed(originsOf(widget?.frames ?? []))
  // Images and fonts are beside the script, under names that are not configured.
  const files = widget ? listed(originsOf([widget.script, ...widget.frames])) : ''
  return [
    "default-src 'none'",
    `script-src 'self'${widget ? ` ${fileSource(widget.script)}` : ''}`,
    // antd adds style elements with the nonce. The widget adds them without one, and a nonce in the list would disable
    // 'unsafe-inline' (CSP 3, 6.7.3.2).
    widget
      ? `style-src 'self' 'unsafe-inline'${listed(widget.styles.map(fileSource))}`
      : `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:${files}`,
    // The script of the widget contains its fonts as data URLs.
    `font-src 'self'${widget ? ` data:${files}` : ''}`,
    `connect-src 'self'${frames}`,
    ...(frames ? [`frame-src${frames}`] : []),
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `form-action 'self'${frames}`,
    "frame-ancestors 'none'",
    // The widget is third-party code that writes markup: Trusted Types are required on all other pages.
    ...(widget ? [] : ["require-trusted-types-for 'script'", 'trusted-types default']),
    `report-uri ${reportPath}`,
    ...(isHttps ? [`report-to ${reportGroup}`] : []),
  ].join('; ')
}
