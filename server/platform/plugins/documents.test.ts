import { createHash } from 'node:crypto'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { failure } from '#server/platform/errors.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { type BrowserAnswer, openBrowser, openFeatureApp, problemOf } from '#test/kit/gateway/feature-app.ts'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { policy, registerDocuments } from './documents.ts'
import { sendProblem } from './error-gate.ts'

const page = `<!doctype html><html lang="ar" dir="rtl"><head>
<meta property="csp-nonce" nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style></head><body></body></html>`

const provider = 'https://pay.example'
const cdn = 'https://cdn.example'
const widget = {
  script: `${cdn}/pixel@1/main.js`,
  styles: [`${cdn}/pixel@1/main.css`],
  frames: [`${provider}/v1/`],
}

async function builtApp(index = page): Promise<string> {
  const root = freshFolder()
  await mkdir(join(root, 'assets'))
  await writeFile(join(root, 'index.html'), index)
  await writeFile(join(root, 'assets', 'main-abc123.js'), 'export {}')
  await writeFile(join(root, 'assets', 'main-abc123.js.map'), 'SECRET=1')
  await writeFile(join(root, 'assets', 'main-abc123.js.br'), brotliCompressSync('export {}'))
  await writeFile(join(root, 'favicon.svg'), '<svg/>')
  await writeFile(join(root, 'sw.js'), 'self.skipWaiting()')
  await writeFile(join(root, 'sw.js.br'), brotliCompressSync('self.skipWaiting()'))
  await writeFile(join(root, '.env'), 'SECRET=1')
  await mkdir(join(root, '.vite'))
  await writeFile(join(root, '.vite/manifest.json'), '"SECRET"')
  return root
}

const given = {
  pages: {
    home: '/',
    booking: '/booking',
    orders: '/orders',
    order: '/orders/:id',
    payment: '/payment',
    scan: '/scan',
    track: '/track/:token',
    emailStop: '/email-stop/:token',
  },
  widgetPath: '/payment',
  cameraPath: '/scan',
  publicPages: ['/'],
  secretPages: ['/track/:token', '/email-stop/:token'],
  reportPath: '/api/reports',
  publicUrl: 'https://amtiati.example',
  preview: ({ city = 'all' }: Readonly<Record<string, unknown>>, language: string) => ({
    title: `to ${String(city)}`,
    picture: `/${String(city)}.${language}.png`,
  }),
  isHttps: false,
}

async function openDocuments(root: string, language?: string, change: Partial<typeof given> = {}) {
  const app = await openFeatureApp(async (feature) => {
    feature.get('/api/known', async () => ({ known: true }))
    await registerDocuments(feature, {
      ...given,
      ...change,
      root,
      widget,
      onMissing: (request, reply) => sendProblem(request, reply, failure(platformErrors, 'NOT_FOUND')),
    })
  })
  return openBrowser(app, language === undefined ? {} : { lang: language })
}

const get = async (path: string, headers?: Readonly<Record<string, string>>) =>
  (await openDocuments(await builtApp())).get(path, headers)

const policyOf = ({ headers }: BrowserAnswer) => String(headers['content-security-policy'])
const nonceOf = (answer: BrowserAnswer) => /'nonce-([^']+)'/.exec(policyOf(answer))?.[1] ?? ''

describe('a document', () => {
  it.each([
    ['ar', 'lang="ar" dir="rtl"'],
    ['en', 'lang="en" dir="ltr"'],
    [undefined, 'lang="ar" dir="rtl"'],
    ['fr', 'lang="ar" dir="rtl"'],
    ['"><script>', 'lang="ar" dir="rtl"'],
  ])('uses the language cookie %j', async (cookie, attributes) => {
    const answer = await (await openDocuments(await builtApp(), cookie)).get('/')
    expect(answer.bytes.toString()).toContain(`<html ${attributes}>`)
    expect(answer.headers['content-language']).toBe(attributes.slice(6, 8))
  })

  it('is in the default language without a choice, whatever the browser prefers', async () => {
    const browser = await openDocuments(await builtApp())
    const answer = await browser.get('/', { 'accept-language': 'en-US' })
    expect(answer.bytes.toString()).toContain('<html lang="ar" dir="rtl">')
    expect(answer.headers.vary).toBe('Cookie')
  })

  it('is in the language of the address, which is kept as a choice', async () => {
    const browser = await openDocuments(await builtApp(), 'ar')
    const answer = await browser.get('/?lang=en')
    expect(answer.bytes.toString()).toContain('<html lang="en" dir="ltr">')
    expect(answer.headers['set-cookie']).toBe('lang=en; Max-Age=86400; Path=/; SameSite=Lax')
  })

  it('is in the language of a link on another site, which is not kept', async () => {
    const browser = await openDocuments(await builtApp(), 'ar')
    const answer = await browser.get('/?lang=en', { 'sec-fetch-site': 'cross-site' })
    expect(answer.bytes.toString()).toContain('<html lang="en" dir="ltr">')
    expect(answer.headers).not.toHaveProperty('set-cookie')
  })

  it.each(['/?lang=xx', '/?lang=en&lang=ar', '/?lang', '/?lang=__proto__'])(
    'takes no other value from the address: %s',
    async (path) => {
      const answer = await (await openDocuments(await builtApp(), 'en')).get(path)
      expect(answer.headers['content-language']).toBe('en')
      expect(answer.headers).not.toHaveProperty('set-cookie')
    },
  )

  it('is that of its page, language and role, else the one of all other pages', async () => {
    const root = await builtApp()
    await mkdir(join(root, 'documents'))
    const roles = ['visitor', 'user', 'agent']
    const names = ['home', 'app'].flatMap((page) =>
      ['ar', 'en'].flatMap((language) => roles.map((role) => `${page}.${language}.${role}`)),
    )
    for (const name of [...names, 'orders.en.user'])
      await writeFile(join(root, 'documents', `${name}.html`), `${name} __PUBLIC_URL__/ __CSP_NONCE__`)
    const browser = await openDocuments(root, 'en')
    const textOf = async (path: string) => (await browser.get(path)).bytes.toString()
    expect(await textOf('/')).toMatch(/^home\.en\.visitor https:\/\/amtiati\.example\/ [\w+/=]{24}$/)
    // A page that only one role sees.
    expect(await textOf('/orders')).toMatch(/^orders\.en\.user /)
    for (const [cookie, role] of [
      ['user', 'user'],
      ['agent', 'agent'],
      ['staff', 'visitor'],
      ['__proto__', 'visitor'],
    ] as const) {
      browser.cookies.set('__Host-role', cookie)
      expect(await textOf('/')).toMatch(new RegExp(`^home\\.en\\.${role} `))
      for (const path of ['/booking', '/Booking/', '/no/such/page'])
        expect(await textOf(path)).toMatch(new RegExp(`^app\\.en\\.${role} `))
    }
    expect(await textOf('/?lang=ar')).toMatch(/^home\.ar\.visitor /)
  })

  it('has the preview of its address and language; that of an address without a page is the general one', async () => {
    const root = await builtApp(`${page}__PUBLIC_URL____PREVIEW_PICTURE__ __PREVIEW_TITLE__`)
    const browser = await openDocuments(root)
    const end = async (path: string) => (await browser.get(path)).bytes.toString().split('</html>')[1]
    expect(await end('/orders')).toBe('https://amtiati.example/all.ar.png to all')
    expect(await end('/orders?city=Riyadh&lang=en')).toBe('https://amtiati.example/Riyadh.en.png to Riyadh')
    expect(await end('/track/short?city=Riyadh')).toBe('https://amtiati.example/all.en.png to all')
  })

  it.each([
    ['/', 'private, no-cache'],
    ['/orders', 'no-store'],
    ['/no/such/page', 'no-store'],
  ])('of %s is never shared, and asked for again: %s', async (path, cacheControl) => {
    const answer = await get(path)
    expect(answer.headers).toMatchObject({
      'cache-control': cacheControl,
      vary: expect.stringContaining('Cookie'),
      'content-type': 'text/html; charset=utf-8',
    })
  })

  it('has its own nonce, in the policy and in every placeholder', async () => {
    const browser = await openDocuments(await builtApp())
    const [one, other] = [await browser.get('/'), await browser.get('/')]
    expect(Buffer.from(nonceOf(one), 'base64')).toHaveLength(16)
    expect(nonceOf(one)).not.toBe(nonceOf(other))
    expect(one.bytes.toString().split(`nonce="${nonceOf(one)}"`)).toHaveLength(3)
    expect(one.bytes.toString()).not.toContain('__CSP_NONCE__')
  })

  const trusted = "require-trusted-types-for 'script'"
  const noCamera = 'camera=(), geolocation=(self), microphone=(), payment=()'
  const others = ['/', '/booking', '/orders/', '/orders/42', '/auth?next=/booking', '/payments', '/paymentx']
  it.each([...others, '/scanner', '/scan/1', '/no/such/page'])(
    'allows no other origin, nothing inline, no camera and no WebAssembly at %s',
    async (path) => {
      const answer = await get(path)
      expect(answer.headers['content-type']).toContain('text/html')
      const policy = policyOf(answer)
      for (const directive of ["script-src 'self'", "font-src 'self'", trusted])
        expect(policy.split('; ')).toContain(directive)
      expect(policy).toMatch(/style-src 'self' 'nonce-[^']+';/)
      expect(policy).not.toMatch(/http|unsafe|wasm/)
      expect(answer.headers['permissions-policy'] ?? noCamera).toBe(noCamera)
      expect(answer.headers['cross-origin-opener-policy']).not.toBe('same-origin-allow-popups')
    },
  )

  it('allows the import map of the build by its hash, and no other inline script', async () => {
    const map = '{"imports":{"/assets/a.js":"/assets/a-1.js"}}'
    const withMap = page.replace('</head>', `<script type="importmap" nonce="n">${map}</script></head>`)
    const root = await builtApp(withMap)
    const hash = createHash('sha256').update(map).digest('base64')
    const scripts = async () =>
      policyOf(await (await openDocuments(root)).get('/'))
        .split('; ')
        .find((directive) => directive.startsWith('script-src'))
    expect(await scripts()).toBe(`script-src 'self' 'sha256-${hash}'`)
  })

  it.each(['/payment?clientSecret=s', '/payment/', '/Payment'])(
    'allows each source of the widget for its purpose, popups and payments at %s',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      const directives = policyOf(answer).split('; ')
      for (const directive of [
        `script-src 'self' ${cdn}/pixel@1/main.js`,
        `style-src 'self' 'unsafe-inline' ${cdn}/pixel@1/main.css`,
        `img-src 'self' data: ${cdn} ${provider}`,
        `font-src 'self' data: ${cdn} ${provider}`,
        `connect-src 'self' ${provider}`,
        `frame-src ${provider}`,
        `form-action 'self' ${provider}`,
      ])
        expect(directives).toContain(directive)
      // A nonce anywhere in the list would switch 'unsafe-inline' off.
      expect(policyOf(answer).replace("style-src 'self' 'unsafe-inline'", '')).not.toMatch(
        /nonce-|unsafe|trusted-types|wasm/,
      )
      expect(answer.headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'permissions-policy': noCamera.replace('payment=()', `payment=(self "${provider}")`),
      })
    },
  )

  it.each(['/scan', '/scan/', '/Scan?from=list'])(
    'allows the camera and WebAssembly on the page of the scanner, in every spelling: %s',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(answer.headers['permissions-policy']).toBe(noCamera.replace('camera=()', 'camera=(self)'))
      expect(policyOf(answer)).toContain("script-src 'self' 'wasm-unsafe-eval';")
      expect(policyOf(answer)).toContain(trusted)
    },
  )

  it('names the reporting endpoint, as Reporting-Endpoints only under https', async () => {
    const plain = await get('/')
    expect(policyOf(plain)).toContain('report-uri /api/reports')
    expect(policyOf(plain)).not.toContain('report-to')
    expect(plain.headers).not.toHaveProperty('reporting-endpoints')
    const secure = await (await openDocuments(await builtApp(), 'ar', { isHttps: true })).get('/')
    expect(policyOf(secure)).toContain('report-uri /api/reports; report-to csp')
    expect(secure.headers['reporting-endpoints']).toBe('csp="/api/reports"')
  })

  it('knows a page whose address is a secret by the form of the secret, and tells it to no one', async () => {
    const browser = await openDocuments(await builtApp())
    for (const path of [
      `/track/${'aZ0-_'.repeat(9).slice(0, 43)}`,
      `/email-stop/${'aZ0-_'.repeat(5).slice(0, 22)}`,
    ]) {
      const secret = await browser.get(path)
      expect(secret.status).toBe(200)
      expect(secret.headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'cache-control': 'no-store',
      })
    }
    for (const path of ['/track', '/track/7', `/track/${'a'.repeat(44)}`, '/email-stop/7'])
      expect((await browser.get(path)).status).toBe(404)
    expect((await browser.get('/orders')).headers['x-robots-tag']).toBeUndefined()
  })

  it('answers HEAD as GET, without the page', async () => {
    const browser = await openDocuments(await builtApp())
    const [head, read] = [await browser.head('/'), await browser.get('/')]
    expect(head).toMatchObject({ status: 200, bytes: Buffer.from('') })
    expect(Object.keys(head.headers).sort()).toEqual(Object.keys(read.headers).sort())
    expect(policyOf(head).replace(nonceOf(head), '')).toBe(policyOf(read).replace(nonceOf(read), ''))
  })

  it('is reread after a new build', async () => {
    const root = await builtApp()
    const browser = await openDocuments(root)
    await browser.get('/')
    await writeFile(join(root, 'index.html'), page.replace('<body>', '<body>second build'))
    await utimes(join(root, 'index.html'), new Date(), new Date(Date.now() + 60_000))
    expect((await browser.get('/')).bytes.toString()).toContain('second build')
  })
})

describe('policy', () => {
  it('forbids every source that is not listed', () => {
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

  it('allows the service worker, but not on the page of the widget', () => {
    const given = { nonce: 'n', reportPath: '/r', isHttps: false }
    expect(policy(given).split('; ')).toContain("worker-src 'self'")
    expect(policy({ ...given, widget }).split('; ')).toContain("worker-src 'none'")
  })

  it('lists each origin once, and escapes characters that would end a directive', () => {
    const simulator = 'http://127.0.0.1:4000'
    const text = policy({
      nonce: 'n',
      reportPath: '/r',
      isHttps: false,
      widget: { script: `${simulator}/a;b,c.js?v=1`, styles: [], frames: [simulator, `${simulator}/`] },
    })
    expect(text.split('; ')).toContain(`script-src 'self' ${simulator}/a%3Bb%2Cc.js`)
    expect(text.split('; ')).toContain(`img-src 'self' data: ${simulator}`)
  })
})

describe('a file', () => {
  it('with a hash in its name is cached forever', async () => {
    const answer = await get('/assets/main-abc123.js')
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it.each([{}, { 'accept-encoding': 'br' }])(
    'of the service worker is asked for every time, and may fetch from here only: %j',
    async (headers) => {
      const answer = await get('/sw.js', headers)
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'; connect-src 'self'",
        'content-type': 'application/javascript; charset=utf-8',
      })
    },
  )

  it('without one is cached for an hour', async () => {
    const answer = await get('/favicon.svg')
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('public, max-age=3600')
  })

  it.each([
    '/assets/main-old.js',
    '/favicon.ico',
    '/robots.txt',
    '/index.html',
    '/documents/home.ar.html',
    '/.vite/manifest.json',
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
  ])('that is missing is answered with a problem, not with the app: %s', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.bytes.toString()).not.toMatch(/<html|SECRET|dependencies/)
  })
})

describe('an address below /api', () => {
  it.each(['/api', '/api/', '/api/unknown', '/api/unknown/deeper', '/api/known/deeper', '/api/unknown.pdf'])(
    'that is unknown is answered with a problem in JSON: %s',
    async (path) => {
      const browser = await openDocuments(await builtApp())
      expect(problemOf(await browser.get(path))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    },
  )

  it('is answered with a problem for every method', async () => {
    const browser = await openDocuments(await builtApp())
    expect(problemOf(await browser.post('/api/unknown', {}))).toMatchObject({ status: 404 })
    expect(problemOf(await browser.post('/booking', {}))).toMatchObject({ status: 404 })
  })
})

describe('registerDocuments', () => {
  it('refuses an index.html without the language placeholder', async () => {
    const root = await builtApp('<!doctype html><html lang="en"></html>')
    await expect(openDocuments(root)).rejects.toThrow('index.html does not contain')
  })
})

describe('compressed copies', () => {
  it('are sent instead of the file to a browser that accepts them', async () => {
    const browser = await openDocuments(await builtApp())
    const answer = await browser.get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, br' })
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'application/javascript; charset=utf-8',
      vary: expect.stringMatching(/^accept-encoding$/i),
    })
    expect(brotliDecompressSync(answer.bytes).toString()).toBe('export {}')
  })

  it('are not sent to a browser that accepts none', async () => {
    const answer = await get('/assets/main-abc123.js')
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.bytes.toString()).toBe('export {}')
  })

  it('are made of a long document for each response, with its own policy', async () => {
    const root = await builtApp(page.replace('<body>', `<body>${'<p>luggage</p>'.repeat(200)}`))
    const answer = await (await openDocuments(root)).get('/', { 'accept-encoding': 'br' })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(answer.bytes).toString()).toContain(`nonce="${nonceOf(answer)}"`)
  })
})
