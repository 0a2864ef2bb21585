import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { pages } from '#shared/platform/pages.ts'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { sharedStack } from '#test/kit/gateway/in-process.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import { ask, headerOf, type RawAnswer } from '#test/kit/gateway/raw-http.ts'
import type { Stack } from '#test/kit/programs/stack.ts'
import { isInRepo, readRepoFile, repoRoot } from '#test/kit/repo/repo-files.ts'

let stack: Stack
beforeAll(async () => {
  if (!isInRepo('dist/client/index.html')) throw new Error('the client is not built: npm run build')
  stack = await sharedStack()
})

/** The path is sent unchanged: no client normalises it. */
const get = (target: string, headers: readonly (readonly [string, string])[] = []) =>
  ask(stack.gatewayUrl, { method: 'GET', target, headers })

const textOf = ({ body }: RawAnswer) => body.toString('utf8')

/** Content that no address may return. */
const secretWords = [
  ...['root:x:0:0', '"dependencies"', 'createGateway', 'demoAccounts', 'SQLite format 3', '[core]'],
  ...['sourcesContent', readRepoFile('package.json').slice(0, 60)],
]

it('a page is answered with 200, and an unknown one with 404 and the app', async () => {
  for (const path of Object.values(pages))
    expect((await get(path.replace(':id', '1').replace(':token', 'A'.repeat(43)))).status, path).toBe(200)
  for (const path of ['/nowhere', '/orders/1/2', '/admin', '/wp-login', '/constructor']) {
    const answer = await get(path)
    expect([answer.status, headerOf(answer, 'content-type')], path).toEqual([404, 'text/html; charset=utf-8'])
  }
})

describe('a path that leaves the folder of the app', () => {
  const climbs = [
    ...['..', '%2e%2e', '%2E%2E', '.%2e', '%252e%252e', '..%c0%af', '%c0%ae%c0%ae', '..%5c', '..\\'],
    ...['....//'],
  ]
  const goals = [
    ...['package.json', 'server/main.ts', 'server/app.ts', '.env', '.git/config', 'etc/passwd'],
    ...['data/amtiati.sqlite'],
  ]
  const starts = ['/', '/assets/', '//', '/./', '/api/docs/static/', '/api/docs/', '/api/']

  /** Each start with each climb; what is looked for and how deep it lies takes turns. */
  const targets = starts.flatMap((start, from) =>
    climbs.map((climb, at) => {
      const depth = [1, 2, 3, 6][(from + at) % 4] ?? 1
      return `${start}${`${climb}/`.repeat(depth)}${goals[(from * climbs.length + at) % goals.length]}`
    }),
  )

  it.each(targets)('never finds a file: %s', async (target) => {
    const answer = await get(target)
    expect(answer.status).toBeLessThan(500)
    for (const word of secretWords) expect(textOf(answer).includes(word), word).toBe(false)
  })

  it('never finds a file by its whole path', async () => {
    for (const file of [`${repoRoot}package.json`, '/etc/passwd', `${repoRoot}server/main.ts`])
      for (const target of [
        file,
        `/${file}`,
        `/assets/${file}`,
        encodeURIComponent(file),
        `/file://${file}`,
      ]) {
        const answer = await get(target.startsWith('/') ? target : `/${target}`)
        expect(answer.status, target).toBeLessThan(500)
        for (const word of secretWords) expect(textOf(answer).includes(word), target).toBe(false)
      }
  })
})

describe('files that are no part of the app', () => {
  it.each([
    ...['/.env', '/.git/config', '/.git/HEAD', '/.npmrc', '/.ssh/id_rsa', '/.DS_Store', '/assets/.env'],
    ...['/.vite/manifest.json', '/package.json', '/package-lock.json', '/tsconfig.json', '/vite.config.ts'],
    ...['/server/main.ts', '/client/main.tsx', '/node_modules/fastify/package.json'],
    ...['/data/amtiati.sqlite', '/amtiati.sqlite', '/docs/operate.md', '/backup.zip', '/index.html'],
    ...['/documents/home.ar.visitor.html', '/assets/', '/assets', '/favicon.ico%00.html', '/server-status'],
    ...['/wp-login.php', '/phpinfo.php'],
  ])('%s is not served', async (target) => {
    const answer = await get(target)
    expect(answer.status).toBe(404)
    for (const word of secretWords) expect(textOf(answer).includes(word)).toBe(false)
  })
})

describe('an address of another site', () => {
  const lures = [
    ...['//elsewhere.example', '//elsewhere.example/%2e%2e', '/\\elsewhere.example', '/%5celsewhere.example'],
    ...['/%2f%2felsewhere.example', '///elsewhere.example', '//elsewhere.example/booking'],
    ...['/.//elsewhere.example', '/auth?next=https://elsewhere.example'],
    ...['/auth?returnTo=//elsewhere.example', '/auth?redirect=javascript:alert(1)'],
    ...['/?url=https://elsewhere.example', '/thank-you?redirectUrl=https://elsewhere.example'],
    ...['//elsewhere.example/', '/booking/', '/assets//elsewhere.example', '/api/docs'],
    ...['/api/docs//elsewhere.example', '/%0d%0alocation:%20//x'],
  ]

  it.each(lures)('%s is never followed by the server', async (target) => {
    const answer = await get(target)
    const location = headerOf(answer, 'location')
    if (location !== undefined) expect(location).toMatch(/^\.?\/(?![/\\])/)
    expect(answer.status).toBeLessThan(500)
    expect(answer.headers.filter(([name]) => name === 'refresh')).toEqual([])
  })

  it('is not built from the Host or forwarding headers of a request', async () => {
    const forged = [
      ['host', 'elsewhere.example'],
      ['x-forwarded-host', 'elsewhere.example'],
      ['x-forwarded-proto', 'gopher'],
      ['forwarded', 'host=elsewhere.example;proto=gopher'],
      ['x-original-host', 'elsewhere.example'],
    ] as const
    for (const target of [
      ...['/', '/auth', '/payment', '/api/config', '/api/openapi.json', '/.well-known/security.txt'],
    ])
      for (const [name, value] of forged) {
        const answer = await get(target, [[name, value]])
        expect(`${JSON.stringify(answer.headers)}${textOf(answer)}`, `${target} with ${name}`).not.toMatch(
          /elsewhere\.example|gopher/,
        )
      }
  })
})

describe('the policy of a document', () => {
  const documents = [
    ...[
      '/',
      '/auth',
      '/recover',
      '/agent-auth',
      '/booking',
      '/checkout',
      '/thank-you',
      '/orders',
      '/agent-orders',
    ],
    ...['/privacy-policy', '/terms'],
  ]
  const policyOf = (answer: RawAnswer) => headerOf(answer, 'content-security-policy') ?? ''
  const directive = (policy: string, name: string) =>
    policy
      .split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(`${name} `)) ?? ''

  /** It names files of the build alone, and the policy has its hash. */
  function expectImportMap(attributes: string | undefined, text: string, scripts: string): void {
    expect(attributes).toContain('type="importmap"')
    expect(scripts).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    const { imports, ...others } = JSON.parse(text) as { imports: Readonly<Record<string, string>> }
    expect(others).toEqual({})
    for (const file of Object.values(imports)) expect(file).toMatch(/^\/assets\/[\w.-]+$/)
  }

  it.each([...documents, '/payment', '/no/such/page'])(
    'of %s allows no script but its own, and inline the import map alone',
    async (path) => {
      const answer = await get(path)
      const policy = policyOf(answer)
      expect(directive(policy, 'default-src')).toBe("default-src 'none'")
      expect(directive(policy, 'script-src')).not.toMatch(/unsafe|\*|data:|https?:(\s|$)/)
      const html = textOf(answer)
      for (const [, attributes, text = ''] of html.matchAll(/<script\b([^>]*)>([^<]*)/g)) {
        if (text.trim() === '') expect(attributes).toContain('src="/')
        else expectImportMap(attributes, text, directive(policy, 'script-src'))
      }
      expect(html).not.toMatch(/\son\w+=|javascript:/)
      const isPublic = /^\/(?:privacy-policy|terms)?$/.test(path)
      expect(headerOf(answer, 'cache-control')).toBe(isPublic ? 'private, no-cache' : 'no-store')
      expect(headerOf(answer, 'x-content-type-options')).toBe('nosniff')
    },
  )

  it('contains nothing of the requested address', async () => {
    for (const target of [
      '/?a=<script>alert(1)</script>',
      "/booking?x='%20onload=alert(1)",
      '/payment?clientSecret=%22%3E%3Cscript%3E',
    ]) {
      const answer = await get(target.replaceAll('<', '%3C').replaceAll('>', '%3E'))
      expect(textOf(answer)).not.toMatch(/alert\(1\)|clientSecret/)
      expect(policyOf(answer)).not.toMatch(/alert|onload/)
    }
    const cookie = await get('/', [['cookie', 'lang=en" onload="alert(1)']])
    expect(textOf(cookie)).not.toContain('alert(1)')
  })
})

describe('what is private', () => {
  /** Public lists, whose Cache-Control allows shared caches. */
  const publicOperations = new Set(['listCenters', 'listAgents', 'readConfig'])

  it('is not cacheable, neither in answers nor in refusals', async () => {
    const pilgrim = await signedUpPilgrim(stack)
    const orderId = await paidOrder(stack, pilgrim)
    const awb = await issuedAwb(pilgrim.person, orderId)
    const values: Record<string, string> = { id: String(orderId), userId: String(pilgrim.user.id), awb }
    const people: readonly Person[] = [pilgrim.person, newPerson(stack)]
    for (const [name, { method, path, etag }] of Object.entries<OperationShape>(operations)) {
      if (method !== 'GET' || publicOperations.has(name)) continue
      for (const person of people) {
        const target = path.replace(/:(\w+)/g, (_, key: string) => values[key] ?? '1')
        const answer = await person.send('GET', target)
        expect(answer.headers.get('cache-control'), `${name} ${answer.status}`).toMatch(/no-store/)
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(answer.headers.get('content-type')).toMatch(/^(application\/(json|pdf)$|.*charset=utf-8)/)
        // The page alone holds the answer that an ETag names, and a refusal has none.
        const isTagged = etag !== undefined && answer.status === 200
        expect(answer.headers.get('etag') !== null, name).toBe(isTagged)
      }
    }
  })

  it('is not in health checks, metrics and documents of the gateway', async () => {
    for (const path of [
      '/healthz',
      '/readyz',
      '/api/config',
      '/api/openapi.json',
      '/metrics',
      '/api/nothing',
    ]) {
      const answer = await get(path)
      expect(textOf(answer)).not.toMatch(/(?<!de)sk_|secret_key|hmac_secret|postgres:|\+9665\d{8}|password/i)
      expect(headerOf(answer, 'server')).toBeUndefined()
      expect(headerOf(answer, 'x-powered-by')).toBeUndefined()
    }
  })
})
