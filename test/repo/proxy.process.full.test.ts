import { once } from 'node:events'
import { readFile, readlink } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { healthPaths } from '#server/platform/plugins/health.ts'
import { deskCallbackPath } from '#shared/desk/staff/staff.operations.ts'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { pages } from '#shared/platform/pages.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { type Haproxy, startHaproxy } from '#test/kit/programs/haproxy.ts'
import { readExpression, readPanels } from '#test/kit/programs/promql.ts'

/** The limit of deploy/haproxy.cfg. */
const connectionsPerAddress = 2_000

interface Upstream {
  readonly server: Server
  readonly url: string
  readonly requests: string[]
  /** The answer to `/readyz`. */
  isReady: boolean
  /** The answer to `/readyz?database=1`. */
  hasDatabase: boolean
  /** Its build has the files that are asked for. */
  hasFiles: boolean
  /** Accepted and then closed without an answer. */
  broken: number
  /** Answers to `/held`, which wait for the test. */
  readonly held: ServerResponse[]
}

/** In place of a gateway: it answers each request with its own name, or breaks the connection. */
async function openUpstream(name: string): Promise<Upstream> {
  const requests: string[] = []
  const healthOf = (url: string) => {
    if (url === healthPaths.ready) return upstream.isReady
    return url === healthPaths.readyWithDatabase ? upstream.isReady && upstream.hasDatabase : undefined
  }
  const server = createServer((request: IncomingMessage, response) => {
    const { url = '', headers } = request
    const isHealthy = healthOf(url)
    if (isHealthy !== undefined) return void response.writeHead(isHealthy ? 200 : 503).end()
    requests.push(`${request.method} ${url}`)
    if (url === '/forwarded') return void response.end(headers['x-forwarded-for'])
    if (/\/track\/id/i.test(url)) return void response.end(headers['x-request-id'])
    if (url.endsWith('/events')) return void streamTo(response)
    if (url === '/held') return void upstream.held.push(response)
    if (upstream.broken > 0) {
      upstream.broken -= 1
      return void request.socket.destroy()
    }
    response.statusCode = upstream.hasFiles ? 200 : 404
    response.end(name)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const upstream: Upstream = {
    server,
    url,
    requests,
    isReady: true,
    hasDatabase: true,
    hasFiles: true,
    broken: 0,
    held: [],
  }
  return upstream
}

/** As a gateway streams: a comment now and then, without an end. */
function streamTo(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
  const timer = setInterval(() => response.write(':\n\n'), 12_000)
  response.on('close', () => clearInterval(timer))
}

let upstreams: readonly [Upstream, Upstream]
let haproxy: Haproxy
beforeAll(async () => {
  upstreams = [await openUpstream('one'), await openUpstream('two')]
  haproxy = await startHaproxy([upstreams[0].url, upstreams[1].url], { isHasty: true })
})
afterAll(async () => {
  await haproxy?.close()
  for (const { server } of upstreams ?? []) {
    server.closeAllConnections()
    server.close()
  }
})

const get = (path: string, init: RequestInit = {}) => fetch(`${haproxy.url}${path}`, init)

beforeEach(async () => {
  for (const each of upstreams) {
    each.isReady = true
    each.hasDatabase = true
    each.hasFiles = true
    each.broken = 0
    each.requests.length = 0
  }
  await haproxy.untilUp(2)
  await haproxy.untilUp(2, 'ready')
})

describe('the proxy of deployments', () => {
  it('goes on serving where no gateway calls itself ready', async () => {
    for (const each of upstreams) each.isReady = false
    await haproxy.untilUp(0, 'ready')
    await haproxy.untilUp(0)
    for (const path of ['/', '/booking', '/api/config', '/orders/42']) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, 200])
      expect(await answer.text()).toMatch(/^(one|two)$/)
    }
  })

  it('logs the id that the gateway gets, without the address, a query or the secret of a link', async () => {
    const secret = 'AbCdEfGhIjKlMnOpQrStUv'
    for (const path of [`/api/track/id${secret}?phone=966551234567`, `/Track/id${secret}/more`]) {
      const id = await (await get(path, { headers: { 'x-request-id': 'mine' } })).text()
      expect(id).toMatch(/^[\da-f-]{36}$/)
      const line = await eventually(async () =>
        haproxy
          .log()
          .split('\n')
          .find((each) => each.includes(id)),
      )
      expect(line).toMatch(/^127\.0\.0\.0:/)
      expect(line).toMatch(/\/track\/-/i)
    }
    await (await get(`/email-stop/${secret}`)).text()
    await eventually(async () => (haproxy.log().includes('/email-stop/- ') ? true : undefined))
    expect(haproxy.log()).not.toContain(secret)
    expect(haproxy.log()).not.toContain('966551234567')
  })

  it('answers in both languages, and says when to come again, where there is no gateway', async () => {
    const alone = await startHaproxy(['http://127.0.0.1:1', 'http://127.0.0.1:2'])
    onTestFinished(() => alone.close())
    const answer = await fetch(`${alone.url}/orders/42`)
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual([
      503,
      '5',
      'no-store',
    ])
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const page = await answer.text()
    expect(page).toContain('<html lang="ar" dir="rtl">')
    expect(page).toContain('الخدمة متوقفة لحظات')
    expect(page).toContain('The service is away for a moment')
  })

  it('repeats a GET that a gateway left without an answer, and nothing else', async () => {
    for (const each of upstreams) each.broken = 1
    const answer = await get('/api/config')
    expect(answer.status).toBe(200)
    expect(upstreams.flatMap(({ requests }) => requests)).toHaveLength(3)

    for (const each of upstreams) {
      each.broken = 1
      each.requests.length = 0
    }
    const refused = await get('/api/checkout', { method: 'POST', body: '{}' })
    expect(refused.status).toBe(502)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(upstreams.flatMap(({ requests }) => requests)).toEqual(['POST /api/checkout'])
  })

  it('finds a file of a build at the gateway that has it, and asks for nothing else twice', async () => {
    const [older, newer] = upstreams
    older.hasFiles = false
    for (let time = 0; time < 6; time += 1) {
      const answer = await get('/assets/app-1a2b3c4d.js')
      expect([answer.status, await answer.text()]).toEqual([200, 'two'])
    }
    expect(older.requests).not.toEqual([])
    newer.hasFiles = false
    expect((await get('/assets/app-1a2b3c4d.js')).status).toBe(404)
    for (const each of upstreams) each.requests.length = 0
    expect((await get('/api/orders/42')).status).toBe(404)
    expect(upstreams.flatMap(({ requests }) => requests)).toEqual(['GET /api/orders/42'])
  })

  it('does not repeat the callback of a sign-in, which uses up its code', async () => {
    for (const each of upstreams) each.broken = 1
    const callback = `${deskCallbackPath}?code=C&state=1abc`
    // On a new connection: on one that was used before, the proxy closes it without an answer.
    const socket = open()
    socket.write(`GET ${callback} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n`)
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 502 /)
    expect(upstreams.flatMap(({ requests }) => requests)).toEqual([`GET ${callback}`])
  })

  it('names each client by its own address, whatever the client says', async () => {
    for (const from of ['127.0.0.3', '127.0.0.4']) {
      const socket = open(from)
      socket.write(
        'GET /forwarded HTTP/1.1\r\nhost: here\r\nx-forwarded-for: 10.9.9.9\r\nconnection: close\r\n\r\n',
      )
      expect(await untilClosed(socket)).toMatch(new RegExp(`\r\n\r\n${from}$`))
    }
  })

  it('passes event streams on as they come, for longer than an answer may take, spread over the gateways', async () => {
    const streams = await Promise.all(
      ['/api/orders/42/events', '/api/track/A/events'].map(async (path) => {
        const { body, headers } = await get(path, { headers: { 'accept-encoding': 'gzip' } })
        expect(headers.get('content-encoding')).toBeNull()
        const reader = body?.getReader()
        // The fourth comes later than a client may be silent.
        for (let comments = 0; comments < 4; comments += 1)
          expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(':\n\n')
        return reader
      }),
    )
    expect(upstreams.map(({ requests }) => requests.length)).toEqual([1, 1])
    for (const stream of streams) await stream?.cancel()
  })

  it('closes a connection whose request is not complete after ten seconds, and no gateway sees it', async () => {
    const incomplete = [
      'GET / HTTP/1.1\r\nhost: here\r\n',
      'POST /api/checkout HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n\r\n{',
    ]
    const answers = await Promise.all(
      incomplete.map((bytes) => {
        const socket = open()
        socket.write(bytes)
        return untilClosed(socket)
      }),
    )
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(upstreams.flatMap(({ requests }) => requests)).toEqual([])
  })

  it('lets one address hold many connections, and refuses more without harm to others', async () => {
    const sockets = Array.from({ length: connectionsPerAddress }, () => open('127.0.0.3'))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
    })
    // Each has sent a request: a connection that has sent none is closed after ten seconds.
    await Promise.all(
      sockets.map((socket) => {
        const answered = once(socket, 'data')
        socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
        return answered
      }),
    )
    const ask = (from: string) => {
      const socket = open(from)
      socket.write('GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n')
      return untilClosed(socket)
    }
    expect(await ask('127.0.0.3')).toBe('')
    expect(await ask('127.0.0.4')).toMatch(/^HTTP\/1\.1 200 /)
  })

  /** Where requests and event streams go. The proxy counts a stream that was left until it sends the next comment. */
  async function servedBy(): Promise<ReadonlySet<string>> {
    for (const each of upstreams) each.requests.length = 0
    for (let time = 0; time < 6; time += 1) {
      await (await get('/orders')).text()
      await (await get('/api/orders/42/events')).body?.cancel()
    }
    const kindsOf = ({ requests }: Upstream, name: string) =>
      [...new Set(requests)].map((request) => `${name} ${request}`)
    return new Set([...kindsOf(upstreams[0], 'one'), ...kindsOf(upstreams[1], 'two')])
  }
  const both = (name: string) => [`${name} GET /orders`, `${name} GET /api/orders/42/events`]

  it('leaves a gateway that alone has lost the database, and uses what is ready where all have', async () => {
    const [first, second] = upstreams
    first.hasDatabase = false
    await haproxy.untilUp(1)
    expect(await servedBy()).toEqual(new Set(both('two')))

    second.hasDatabase = false
    await haproxy.untilUp(0)
    expect(await servedBy()).toEqual(new Set([...both('one'), ...both('two')]))

    // It is being stopped, and the other one serves without the database.
    first.isReady = false
    await haproxy.untilUp(1, 'ready')
    expect(await servedBy()).toEqual(new Set(both('two')))
  })
})

describe('the proxy before gateways that can take no more requests', () => {
  /** A proxy whose two gateways have one request each, as many as they take. */
  async function openFull(isHasty: boolean) {
    const full = await startHaproxy([upstreams[0].url, upstreams[1].url], { requests: 1, isHasty })
    await full.untilUp(2)
    const holding = [0, 1].map(() => fetch(`${full.url}/held`))
    await eventually(() => (upstreams.every(({ held }) => held.length === 1) ? true : undefined))
    const end = async () => {
      for (const { held } of upstreams) for (const response of held.splice(0)) response.end()
      await Promise.all(holding)
    }
    onTestFinished(async () => {
      await end()
      await full.close()
    })
    return { full, end }
  }

  it('lets what follows a payment go first, as the gateways refuse it last', async () => {
    const { full, end } = await openFull(false)
    const paying = Object.values<OperationShape>(operations)
      .filter(({ refusedLast }) => refusedLast)
      .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, '42') }))
    const pagesOfPayments = [pages.payment, pages.thankYou].map((path) => ({ method: 'GET', path }))
    const first = [...paying, ...pagesOfPayments]
    const answers = [fetch(`${full.url}/api/partner/agents`), fetch(`${full.url}/orders`)]
    await full.untilQueued(2)
    answers.push(
      ...first.map(({ method, path }) =>
        fetch(`${full.url}${path}`, { method, ...(method !== 'GET' && { body: '{}' }) }),
      ),
    )
    await full.untilQueued(2 + first.length)
    const order: string[] = []
    for (const { server } of upstreams)
      server.on('request', ({ method, url }: IncomingMessage) => order.push(`${method} ${url}`))
    await end()
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200)
    const served = order.filter((each) => !each.includes(healthPaths.ready))
    expect(served.slice(-2).toSorted()).toEqual(['GET /api/partner/agents', 'GET /orders'])
    expect(served).toHaveLength(2 + first.length)
  })

  it('refuses with Retry-After what waited for a second, and serves again when they can', async () => {
    const { full, end } = await openFull(true)
    const refused = await fetch(`${full.url}/orders`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(upstreams.flatMap(({ requests }) => requests)).toEqual(['GET /held', 'GET /held'])
    expect((await fetch(`${full.url}/assets/app-1a2b3c4d.js`)).status).toBe(200)
    await end()
    expect((await fetch(`${full.url}/orders`)).status).toBe(200)
  })
})

describe('the metrics of the proxy', () => {
  it('are those of the dashboard, on a port of their own and at no address of the site', async () => {
    const shown = readPanels()
      .flatMap(({ expr }) => readExpression(expr).selectors.map(({ metric }) => metric))
      .filter((metric) => metric.startsWith('haproxy_'))
    expect(shown).toHaveLength(3)
    const metrics = await (await fetch(haproxy.metricsUrl)).text()
    for (const name of shown) expect(metrics).toMatch(new RegExp(`^${name}\\{proxy="(gateways|web)"`, 'm'))
    // A gateway answers there, whose metrics need a token.
    expect(await (await get('/metrics')).text()).toMatch(/^(one|two)$/)
    expect((await fetch(new URL('/', haproxy.metricsUrl))).status).toBe(404)
  })
})

describe('the proxy on a host', () => {
  // Only root can leave root.
  const asRoot = process.getuid?.() === 0 ? it : () => {}
  asRoot('does not read requests as root, and sees no files of the host', async () => {
    const onHost = await startHaproxy(['http://127.0.0.1:1', 'http://127.0.0.1:2'], { isOnHost: true })
    onTestFinished(() => onHost.close())
    const status = await readFile(`/proc/${onHost.pid}/status`, 'utf8')
    for (const line of ['Uid', 'Gid']) {
      const ids = new RegExp(`^${line}:\\s+(.+)$`, 'm').exec(status)?.[1]?.split(/\s+/)
      expect(ids).toHaveLength(4)
      expect(ids, line).not.toContain('0')
    }
    expect(await readlink(`/proc/${onHost.pid}/root`)).toBe('/var/lib/haproxy')
    // The page for an outage was read before.
    const answer = await fetch(onHost.url)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect((await fetch(onHost.metricsUrl)).status).toBe(200)
  })
})

/** What was received until the end. */
async function untilClosed(socket: Socket): Promise<string> {
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return received
}

/** @param localAddress another address of this machine, as of another client. */
function open(localAddress = '127.0.0.1'): Socket {
  const { hostname: host, port } = new URL(haproxy.url)
  const socket = connect({ host, port: Number(port), localAddress })
  socket.on('error', () => undefined)
  return socket
}
