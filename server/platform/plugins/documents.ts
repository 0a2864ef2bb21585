import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type DocumentRole,
  documentFile,
  documentRoles,
  roleCookieName,
} from '#shared/platform/document-role.ts'
import {
  defaultLanguage,
  isLanguageCode,
  type LanguageCode,
  languageCookie,
  languages,
} from '#shared/platform/language.ts'
import { compressed } from './compression.ts'
import { permissionsPolicy } from './security-headers.ts'

export interface DocumentsOptions {
  readonly root: string
  /**
   * In a path `:id` stands for an integer, `:token` for the secret of a link. Every other path gets the app with status
   * 404.
   */
  readonly pages: Readonly<Record<string, string>>
  readonly widgetPath: string
  readonly widget: WidgetSources
  readonly cameraPath: string
  /** Pages that contain nothing about an order, so that the browser can store their documents. */
  readonly publicPages: readonly string[]
  readonly desk?: { readonly path: string; readonly entry: string } | undefined
  /**
   * Other sites must not learn the addresses of these pages, which contain secrets, and search engines must not list
   * them.
   */
  readonly secretPages: readonly string[]
  readonly reportPath: string
  readonly publicUrl: string
  /** The preview of a link gets only its query: it must not reveal anything about a secret address. */
  readonly preview: (
    query: Readonly<Record<string, unknown>>,
    language: LanguageCode,
  ) => { readonly title: string; readonly picture: string }
  /** Browsers support `Reporting-Endpoints` only under https. */
  readonly isHttps: boolean
  readonly onMissing: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

/** The payment provider's card widget. The policy allows no other script or style of its host. */
export interface WidgetSources {
  readonly script: string
  readonly styles: readonly string[]
  readonly frames: readonly string[]
}

/** A browser that caches the service worker does not see a new release. */
const workerFile = 'sw.js'
/** A browser applies this content policy to the service worker instead of the page's policy. */
const workerPolicy = "default-src 'none'; connect-src 'self'"

const noncePlaceholder = '__CSP_NONCE__'
const publicUrlPlaceholder = '__PUBLIC_URL__'
const previewTitlePlaceholder = '__PREVIEW_TITLE__'
const previewPicturePlaceholder = '__PREVIEW_PICTURE__'
const htmlPlaceholder = '<html lang="ar" dir="rtl">'

export async function registerDocuments(app: FastifyInstance, options: DocumentsOptions): Promise<void> {
  const findTemplate = createTemplateReader(options.root, options.desk?.entry)
  await findTemplate(undefined, defaultLanguage, 'visitor')
  const roleCookie = roleCookieName(options.publicUrl)

  await app.register(fastifyStatic, {
    root: options.root,
    // The route `/*` distinguishes files from pages.
    serve: false,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    // `sendFile` would send templates without a policy and with their placeholders. Source maps are never served.
    allowedPath: (path) => !/\.(?:html|map)$/i.test(path),
    maxAge: '1y',
    immutable: true,
    setHeaders: (response, path) => {
      // Only files in `assets` have a hash in their names, so others are cached briefly.
      if (!path.includes(`${join(options.root, 'assets')}`))
        response.header('cache-control', 'public, max-age=3600')
      if (path.startsWith(join(options.root, workerFile))) {
        response.header('cache-control', 'no-cache')
        response.header('content-security-policy', workerPolicy)
      }
    },
  })

  const pagePatterns = Object.entries(options.pages).map(([name, path]) => [name, patternOf(path)] as const)

  const isOfDesk = (path: string) =>
    options.desk !== undefined && (path === options.desk.path || path.startsWith(`${options.desk.path}/`))

  const sendDesk = async (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64')
    const language = chooseLanguage(request, reply, options.isHttps)
    if (options.isHttps) reply.header('reporting-endpoints', `${reportGroup}="${options.reportPath}"`)
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'no-store', vary: 'Cookie', 'content-language': language })
      .headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
      .header('content-security-policy', deskPolicy({ ...options, nonce }))
      .send((await findTemplate('desk', language, 'visitor')).text.replaceAll(noncePlaceholder, nonce))
  }

  const roleOf = (request: FastifyRequest) =>
    documentRoles.find((each) => each === request.cookies[roleCookie]) ?? 'visitor'

  const isSecret = (page: string | undefined) =>
    page !== undefined && options.secretPages.includes(options.pages[page] ?? '')

  const sendDocument = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request.url)
    const page = pagePatterns.find(([, pattern]) => pattern.test(path))?.[0]
    const nonce = randomBytes(16).toString('base64')
    const language = chooseLanguage(request, reply, options.isHttps)
    const { text, importMap } = await findTemplate(page, language, roleOf(request))
    const isMissing = page === undefined
    const preview = options.preview(queryOf(request, page), language)
    const widget = path === options.widgetPath ? options.widget : undefined
    const hasCamera = path === options.cameraPath
    const isPublic = options.publicPages.includes(path)
    if (isSecret(page)) reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
    if (options.isHttps) reply.header('reporting-endpoints', `${reportGroup}="${options.reportPath}"`)
    if (widget) allowWidget(reply, widget)
    if (hasCamera) reply.header('permissions-policy', permissionsPolicy({ camera: '(self)' }))
    return reply
      .code(isMissing ? 404 : 200)
      .type('text/html; charset=utf-8')
      .header('cache-control', isPublic ? 'private, no-cache' : 'no-store')
      .header('vary', 'Cookie')
      .header('content-language', language)
      .header('content-security-policy', policy({ ...options, nonce, importMap, widget, hasCamera }))
      .send(
        text
          .replaceAll(noncePlaceholder, nonce)
          .replaceAll(publicUrlPlaceholder, options.publicUrl)
          .replaceAll(previewTitlePlaceholder, preview.title)
          .replaceAll(previewPicturePlaceholder, preview.picture),
      )
  }

  // A missing file gets 404 and not the app, so that an old page that loads a removed chunk fails visibly.
  const isFilePath = (path: string) => /\.[a-z0-9]{1,11}$/i.test(path)

  app.setNotFoundHandler(options.onMissing)
  app.get('/*', { schema: { hide: true }, compress: compressed }, (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (path === '/api' || path.startsWith('/api/')) return options.onMissing(request, reply)
    if (isFilePath(path)) return reply.sendFile(path)
    return isOfDesk(path) ? sendDesk(request, reply) : sendDocument(request, reply)
  })
}

/** A page that does not exist has the link preview of the home page. */
const queryOf = (request: FastifyRequest, page: string | undefined) =>
  page === undefined ? {} : (request.query as Readonly<Record<string, unknown>>)

function allowWidget(reply: FastifyReply, widget: WidgetSources) {
  // The card widget can open the bank's page in a popup, and can offer wallets of the browser.
  reply.header('cross-origin-opener-policy', 'same-origin-allow-popups')
  const payees = ['self', ...originsOf(widget.frames).map((origin) => `"${origin}"`)].join(' ')
  reply.header('permissions-policy', permissionsPolicy({ payees: `(${payees})` }))
}

function patternOf(path: string): RegExp {
  return new RegExp(
    `^${path.replace(':token', '(?:[\\w-]{43}|[\\w-]{22})').replace(':id', '[1-9]\\d{0,14}')}$`,
  )
}

/** The app's router reads `/Orders/` as `/orders`, too. */
function pathOf(url: string) {
  const [path = ''] = url.split('?')
  return path.toLowerCase().replace(/(?<=.)\/+$/, '')
}

/**
 * A link on another site must not change the cookie. Accept-Language is not used: the app is Arabic until another
 * language is chosen (spec §1).
 */
function chooseLanguage(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): LanguageCode {
  const { lang } = request.query as { readonly lang?: unknown }
  if (isLanguageCode(lang)) {
    if (request.headers['sec-fetch-site'] !== 'cross-site')
      reply.setCookie(languageCookie.name, lang, {
        path: '/',
        maxAge: languageCookie.maxAgeSeconds,
        sameSite: 'lax',
        secure: isHttps,
      })
    return lang
  }
  const chosen = request.cookies[languageCookie.name]
  return isLanguageCode(chosen) ? chosen : defaultLanguage
}

interface Template {
  readonly text: string
  readonly importMap: string | undefined
}

interface Build extends Pick<Template, 'importMap'> {
  readonly texts: ReadonlyMap<string, string>
  readonly builtAt: number
}

type TemplateReader = (
  page: string | undefined,
  language: LanguageCode,
  role: DocumentRole,
) => Promise<Template>

/**
 * Reads the HTML documents again after a new build, whose chunks have other names. A page that only one role sees has
 * one document for all roles.
 */
function createTemplateReader(root: string, deskEntry?: string): TemplateReader {
  let known: Build | undefined
  return async (page, language, role) => {
    const builtAt = (await stat(join(root, 'index.html'))).mtimeMs
    if (known?.builtAt !== builtAt) {
      const texts = await readTemplates(root, deskEntry)
      known = { texts, importMap: importMapSource(texts.get('index.html')), builtAt }
    }
    const { texts, importMap } = known
    if (page === 'desk' && deskEntry !== undefined)
      return { text: inLanguage(texts.get(deskEntry), language), importMap: undefined }
    const documentOf = (name: string) =>
      [role, ...documentRoles]
        .map((each) => texts.get(documentFile(name, language, each)))
        .find((found) => found !== undefined)
    const text =
      (page === undefined ? undefined : documentOf(page)) ??
      documentOf('app') ??
      inLanguage(texts.get('index.html'), language)
    return { text, importMap }
  }
}

/** The content policy needs the hash of the import map, the only inline script. */
function importMapSource(html = '') {
  const [, map] = /<script type="importmap"[^>]*>([^<]*)<\/script>/.exec(html) ?? []
  return map === undefined ? undefined : `'sha256-${createHash('sha256').update(map).digest('base64')}'`
}

const inLanguage = (template = '', language: LanguageCode) =>
  template.replace(htmlPlaceholder, htmlTag(language))

const htmlTag = (language: LanguageCode) => `<html lang="${language}" dir="${languages[language].direction}">`

async function readTemplates(root: string, deskEntry?: string): Promise<ReadonlyMap<string, string>> {
  const entries = await Promise.all(
    ['index.html', ...(deskEntry === undefined ? [] : [deskEntry])].map(async (name) => {
      const text = await readFile(join(root, name), 'utf8')
      if (!text.includes(htmlPlaceholder)) throw new Error(`${name} does not contain ${htmlPlaceholder}`)
      return [name, text] as const
    }),
  )
  const folder = join(root, 'documents')
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return new Map([...entries, ...names.map((name, at) => [name, texts[at] ?? ''] as const)])
}

const reportGroup = 'csp'

export interface PolicyOptions {
  readonly nonce: string
  readonly importMap?: string | undefined
  readonly widget?: WidgetSources | undefined
  readonly hasCamera?: boolean
  readonly reportPath: string
  readonly isHttps: boolean
}

function originsOf(addresses: readonly string[]) {
  return [...new Set(addresses.map((address) => new URL(address).origin))]
}

/** A source in a content policy has no query, and its delimiters are escaped (CSP 3, 2.3.1). */
function fileSource(address: string) {
  const { origin, pathname } = new URL(address)
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')
}

export function policy(options: PolicyOptions): string {
  const { nonce, importMap, widget, hasCamera = false, reportPath, isHttps } = options
  const listed = (sources: readonly string[]) => sources.map((source) => ` ${source}`).join('')
  const frames = listed(originsOf(widget?.frames ?? []))
  const files = widget ? listed(originsOf([widget.script, ...widget.frames])) : ''
  // The barcode reader is WebAssembly.
  const wasm = hasCamera ? " 'wasm-unsafe-eval'" : ''
  const map = importMap === undefined ? '' : ` ${importMap}`
  return [
    "default-src 'none'",
    `script-src 'self'${map}${wasm}${widget ? ` ${fileSource(widget.script)}` : ''}`,
    // The widget adds style elements without a nonce. A nonce here would disable 'unsafe-inline' (CSP 3, 6.7.3.2).
    widget
      ? `style-src 'self' 'unsafe-inline'${listed(widget.styles.map(fileSource))}`
      : `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:${files}`,
    // The script of the card widget contains its fonts as data URLs.
    `font-src 'self'${widget ? ` data:${files}` : ''}`,
    `connect-src 'self'${frames}`,
    ...(frames ? [`frame-src${frames}`] : []),
    "manifest-src 'self'",
    `worker-src ${widget ? "'none'" : "'self'"}`,
    "base-uri 'none'",
    "object-src 'none'",
    `form-action 'self'${frames}`,
    "frame-ancestors 'none'",
    // The widget is third-party code that writes markup as text, which Trusted Types would refuse.
    ...(widget ? [] : ["require-trusted-types-for 'script'", 'trusted-types service-worker']),
    `report-uri ${reportPath}`,
    ...(isHttps ? [`report-to ${reportGroup}`] : []),
  ].join('; ')
}

/** Trusted Types allow antd to set the text of style elements that have the nonce (client/ui/antd-look.tsx). */
function deskPolicy({
  nonce,
  reportPath,
  isHttps,
}: Omit<PolicyOptions, 'importMap' | 'widget' | 'hasCamera'>) {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `report-uri ${reportPath}`,
    ...(isHttps ? [`report-to ${reportGroup}`] : []),
  ].join('; ')
}
