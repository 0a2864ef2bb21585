import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { failure } from '#server/platform/errors.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { type BrowserAnswer, openBrowser, openRoomApp, problemOf } from '#test/kit/room-app.ts'
import { policy, registerDocuments } from './documents.ts'
import { sendProblem } from './error-gate.ts'

const page = `<!doctype html><html lang="ar" dir="rtl"><head>
<meta property="csp-nonce" nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style></head><body></body></html>`

const provider = 'https://pay.example'

async function builtApp(index = page): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'amtiati-documents-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await mkdir(join(root, 'assets'))
  await writeFile(join(root, 'index.html'), index)
  await writeFile(join(root, 'assets', 'main-abc123.js'), 'export {}')
  await writeFile(join(root, 'assets', 'main-abc123.js.map'), 'SECRET=1')
  await writeFile(join(root, 'favicon.svg'), '<svg/>')
  await writeFile(join(root, '.env'), 'SECRET=1')
  return root
}

const given = {
  pagePaths: ['/', '/booking', '/orders', '/payment'],
  widgetPath: '/payment',
  reportPath: '/api/reports',
  isHttps: false,
}

async function openDocuments(root: string, language?: string, change: Partial<typeof given> = {}) {
  const app = await openRoomApp(async (room) => {
    room.get('/api/known', async () => ({ known: true }))
    await registerDocuments(room, {
      ...given,
      ...change,
      root,
      widgetOrigins: [provider],
      onMissing: (request, reply) => sendProblem(request, reply, failure(platformErrors, 'NOT_FOUND')),
    })
  })
  return openBrowser(app, language === undefined ? {} : { lang: language })
}

const policyOf = ({ headers }: BrowserAnswer) => String(headers['content-security-policy'])
const nonceOf = (answer: BrowserAnswer) => /'nonce-([^']+)'/.exec(policyOf(answer))?.[1] ?? ''

describe('a document', () => {
  it.each([
    ['ar', 'lang="ar" dir="rtl"'],
    ['en', 'lang="en" dir="ltr"'],
    [undefined, 'lang="ar" dir="rtl"'],
    ['fr', 'lang="ar" dir="rtl"'],
    ['"><script>', 'lang="ar" dir="rtl"'],
  ])('is written for the language cookie %j', async (cookie, attributes) => {
    const answer = await (await openDocuments(await builtApp(), cookie)).get('/')
    expect(answer.bytes.toString()).toContain(`<html ${attributes}>`)
    expect(answer.headers['content-language']).toBe(attributes.slice(6, 8))
  })

  it('is written for the browser’s language where no cookie has decided', async () => {
    const browser = await openDocuments(await builtApp())
    const answer = await browser.get('/', { 'accept-language': 'en-US' })
    expect(answer.bytes.toString()).toContain('<html lang="en" dir="ltr">')
    expect(answer.headers.vary).toBe('Cookie, Accept-Language')
  })

  it('is kept by no cache', async () => {
    const answer = await (await openDocuments(await builtApp())).get('/')
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
    })
  })

  it('has a nonce of its own, in the policy and in every mark', async () => {
    const browser = await openDocuments(await builtApp())
    const [one, other] = [await browser.get('/'), await browser.get('/')]
    expect(Buffer.from(nonceOf(one), 'base64')).toHaveLength(16)
    expect(nonceOf(one)).not.toBe(nonceOf(other))
    expect(one.bytes.toString().split(`nonce="${nonceOf(one)}"`)).toHaveLength(3)
    expect(one.bytes.toString()).not.toContain('__CSP_NONCE__')
  })

  it.each(['/', '/booking', '/orders/', '/auth?next=/booking', '/payments', '/paymentx', '/no/such/page'])(
    'has no other origin in its policy at %s',
    async (path) => {
      const answer = await (await openDocuments(await builtApp())).get(path)
      expect(answer.headers['content-type']).toContain('text/html')
      expect(policyOf(answer)).not.toContain('http')
      expect(policyOf(answer)).toContain("script-src 'self';")
    },
  )

  it('may load the card widget where the card is paid, and nowhere else', async () => {
    const answer = await (await openDocuments(await builtApp())).get('/payment?clientSecret=s')
    for (const directive of ['script-src', 'style-src', 'frame-src', 'connect-src'])
      expect(policyOf(answer)).toMatch(new RegExp(`${directive} [^;]*${provider}`))
  })

  it('lets a page of the bank open beside the payment page, and takes payments there alone', async () => {
    const browser = await openDocuments(await builtApp())
    const payment = await browser.get('/payment')
    expect(payment.headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
    expect(payment.headers['permissions-policy']).toContain(`payment=(self "${provider}")`)
    const other = await browser.get('/booking')
    expect(other.headers).not.toHaveProperty('cross-origin-opener-policy', 'same-origin-allow-popups')
  })

  it('lets no text become markup but where the widget writes it', async () => {
    const browser = await openDocuments(await builtApp())
    expect(policyOf(await browser.get('/orders'))).toContain("require-trusted-types-for 'script'")
    expect(policyOf(await browser.get('/payment'))).not.toContain('trusted-types')
  })

  it('says where to report, in the newer way only under https', async () => {
    const plain = await (await openDocuments(await builtApp())).get('/')
    expect(policyOf(plain)).toContain('report-uri /api/reports')
    expect(policyOf(plain)).not.toContain('report-to')
    expect(plain.headers).not.toHaveProperty('reporting-endpoints')
    const secure = await (await openDocuments(await builtApp(), 'ar', { isHttps: true })).get('/')
    expect(policyOf(secure)).toContain('report-uri /api/reports; report-to csp')
    expect(secure.headers['reporting-endpoints']).toBe('csp="/api/reports"')
  })

  it.each(['/', '/booking', '/booking/', '/Booking', '/orders?cursor=1', '/payment?clientSecret=s'])(
    'is a page: %s',
    async (path) => {
      expect((await (await openDocuments(await builtApp())).get(path)).status).toBe(200)
    },
  )

  it.each(['/nowhere', '/booking/1', '/bookings', '/constructor', '/no/such/page'])(
    'is the app with 404 where there is no page: %s',
    async (path) => {
      const answer = await (await openDocuments(await builtApp())).get(path)
      expect(answer.status).toBe(404)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    },
  )

  it('answers HEAD with its headers', async () => {
    const root = await builtApp()
    const app = await openRoomApp((room) =>
      registerDocuments(room, {
        ...given,
        root,
        widgetOrigins: [],
        onMissing: (_, reply) => reply.code(404).send(),
      }),
    )
    const response = await app.inject({ method: 'HEAD', url: '/' })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('is the one that was built last', async () => {
    const root = await builtApp()
    const browser = await openDocuments(root)
    await browser.get('/')
    await writeFile(join(root, 'index.html'), page.replace('<body>', '<body>second build'))
    await utimes(join(root, 'index.html'), new Date(), new Date(Date.now() + 60_000))
    expect((await browser.get('/')).bytes.toString()).toContain('second build')
  })
})

describe('policy', () => {
  it('forbids what nothing here needs', () => {
    const text = policy({ nonce: 'n', reportPath: '/r', isHttps: false })
    for (const directive of [
      "default-src 'none'",
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
    ])
      expect(text.split('; ')).toContain(directive)
    expect(text).not.toContain('unsafe')
    expect(text).not.toContain('frame-src')
  })
})

describe('a file', () => {
  it('with a hash in its name is kept for ever', async () => {
    const answer = await (await openDocuments(await builtApp())).get('/assets/main-abc123.js')
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it('without one is kept for an hour', async () => {
    const answer = await (await openDocuments(await builtApp())).get('/favicon.svg')
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('public, max-age=3600')
  })

  it.each([
    '/assets/main-old.js',
    '/favicon.ico',
    '/robots.txt',
    '/index.html',
    '/.env',
    '/assets/main-abc123.js.map',
    '/assets/main-abc123.js.MAP',
    '//index.html',
    '/./index.html',
    '/%69ndex.html',
    '/assets/../index.html',
    '/assets/..%2f..%2fpackage.json',
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/%00.js',
  ])('that is not there is a problem and not the app: %s', async (path) => {
    const answer = await (await openDocuments(await builtApp())).get(path)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.bytes.toString()).not.toMatch(/<html|SECRET|dependencies/)
  })
})

describe('an address below /api', () => {
  it.each(['/api', '/api/', '/api/unknown', '/api/unknown/deeper', '/api/known/deeper', '/api/unknown.pdf'])(
    'that is not there is a problem in JSON: %s',
    async (path) => {
      const browser = await openDocuments(await builtApp())
      expect(problemOf(await browser.get(path))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    },
  )

  it('is a problem for every method', async () => {
    const browser = await openDocuments(await builtApp())
    expect(problemOf(await browser.post('/api/unknown', {}))).toMatchObject({ status: 404 })
    expect(problemOf(await browser.post('/booking', {}))).toMatchObject({ status: 404 })
  })
})

describe('registerDocuments', () => {
  it('does not start with an app whose language it cannot set', async () => {
    const root = await builtApp('<!doctype html><html lang="en"></html>')
    await expect(openDocuments(root)).rejects.toThrow('index.html does not begin with')
  })
})
