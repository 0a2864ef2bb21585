import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { createLogger } from '#server/platform/logging.ts'
import { shippingPaths } from '#shared/wire/shipping/shipping.wire.ts'
import { isFull } from '#test/kit/basics/full-run.ts'
import { patientLimits } from '#test/kit/basics/patience.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import type { Person } from '#test/kit/gateway/person.ts'
import { visitorOf } from '#test/kit/gateway/quiet-gateway.ts'
import { openStubService } from '#test/kit/gateway/stub-service.ts'
import { checkRules, startPrometheus } from '#test/kit/programs/prometheus.ts'
import { readAlerts, readPanels } from '#test/kit/programs/promql.ts'
import { createGateway } from './app.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { readonly key: string }[]
  readonly events: readonly unknown[]
  readonly status: { readonly code: number; readonly message?: string }
}

interface Received {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[]
  }[]
}

/** A collector of OTLP over HTTP in JSON. */
async function openCollector() {
  const received: { path: string; authorization: string | undefined; body: Received }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Received,
    })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: () =>
      received.flatMap(({ body }) =>
        (body.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    metrics: () =>
      received.flatMap(({ body }) =>
        (body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) =>
          scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name)),
        ),
      ),
  }
}

/** A gateway whose external services are one stub, and what it logs. */
async function openGateway(env: Readonly<Record<string, string>> = {}) {
  const services = await openStubService()
  // Refusals, which are not repeated.
  for (const path of [shippingPaths.offices, shippingPaths.agents])
    services.always(path, { status: 400, json: {} })
  const lines: Record<string, unknown>[] = []
  const write = (text: string) => {
    for (const line of text.trim().split('\n')) lines.push(JSON.parse(line))
  }
  const app = await createGateway({
    config: {
      ...readConfig({
        OTP_BASE_URL: services.url,
        PAYMENT_BASE_URL: services.url,
        TRUSTED_PROXIES: '127.0.0.1',
        SHIPPING_BASE_URL: services.url,
        ...env,
      }),
      limits: patientLimits,
    },
    database: await openMemory(),
    logger: createLogger('info', { write }),
    version: '1.2.3',
    commit: 'abc1234',
  })
  onTestFinished(() => app.close())
  /** Two jobs that the gateway begins with end. */
  const listsWereRead = () =>
    vi.waitFor(() => {
      expect(lines.filter(({ event }) => event === 'partner.list-unavailable')).toHaveLength(2)
    })
  return { app, services, lines, listsWereRead }
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const caller = {
  'x-request-id': 'proxy-0123456789abcdef',
  traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  tracestate: 'other=people',
}
const askForCode = (visitor: Person, headers: Readonly<Record<string, string>> = caller) =>
  visitor.send('POST', '/api/auth/request-otp', { body: { phone: '+966512345678' }, headers })

it('the log says what has started, where its rows are, and no password', async () => {
  const { app, lines } = await openGateway({
    DATABASE_URL: 'postgres://amtiati:very-secret@db.example:5433,other/luggage?application_name=a',
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  expect(lines.filter(({ event }) => event === 'started')).toEqual([
    expect.objectContaining({
      version: '1.2.3',
      commit: 'abc1234',
      node: process.version,
      mode: 'demo',
      engine: 'sqlite',
      database: 'db.example:5433,other/luggage',
      installation: expect.stringMatching(/^[0-9a-f-]{36}$/),
      workers: expect.arrayContaining(['shipments', 'messages']),
    }),
  ])
  expect(JSON.stringify(lines)).not.toContain('very-secret')
})

it.each([
  ['is not trusted', '10.0.0.1', [{ event: 'proxy.untrusted', address: '127.0.0.0/24' }]],
  ['is trusted', '127.0.0.1', []],
])('the log warns of a proxy that %s: %s', async (_, proxies, warnings) => {
  const { app, lines } = await openGateway({ TRUSTED_PROXIES: proxies })
  await (await visitorOf(app)).send('GET', '/healthz', { headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect(lines.filter(({ event }) => event === 'proxy.untrusted')).toMatchObject(warnings)
})

it('a collector receives spans with the trace ids of the log lines, and the metrics', async () => {
  const collector = await openCollector()
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20secret-of-the-collector')
  onTestFinished(() => void vi.unstubAllEnvs())
  const gateway = await openGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  const { app, services, lines } = gateway
  const visitor = await visitorOf(app)
  await askForCode(visitor)
  await visitor.send('GET', '/api/nothing')
  await gateway.listsWereRead()
  await app.close()
  const spans = collector.spans()
  const server = spans.find(({ name }) => name === 'POST /api/auth/request-otp')
  expect(server).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7' })
  const client = spans.find(({ name }) => name === 'otp send-code')
  expect(client).toMatchObject({ traceId, parentSpanId: server?.spanId })
  expect(services.traces.map(({ traceparent }) => traceparent)).toContain(
    `00-${traceId}-${client?.spanId}-01`,
  )
  const other = spans.find(({ name }) => name === 'GET none')
  await vi.waitFor(() => {
    const completed = lines.filter(({ msg }) => /^request (completed|failed)$/.test(String(msg)))
    expect(completed.map((line) => line.traceId)).toEqual([traceId, other?.traceId])
  })
  expect(spans.map(({ name }) => name)).toContain('payments.expiry')
  const job = spans.find(({ name }) => name === 'partner.refresh')
  expect(job?.parentSpanId).toBeUndefined()
  expect(spans).toContainEqual(
    expect.objectContaining({
      name: expect.stringMatching(/^shipping /),
      traceId: job?.traceId,
      parentSpanId: job?.spanId,
    }),
  )
  expect(JSON.stringify(services.requests)).not.toContain(caller.tracestate)
  expect(collector.metrics()).toEqual(
    expect.arrayContaining([
      'amtiati_http_request_duration_seconds',
      'amtiati_build_info',
      'amtiati_external_requests_total',
    ]),
  )
  expect(new Set(collector.received.map(({ path }) => path))).toEqual(new Set(['/v1/traces', '/v1/metrics']))
  expect(new Set(collector.received.map(({ authorization }) => authorization))).toEqual(
    new Set(['Bearer secret-of-the-collector']),
  )
})

it('spans hold no address, no message of an error and nothing of a person', async () => {
  const collector = await openCollector()
  const { app } = await openGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  const visitor = await visitorOf(app)
  await askForCode(visitor)
  await visitor.send('GET', '/api/track/secret-of-a-link?token=secret-of-a-query')
  await visitor.send('POST', '/api/auth/request-otp', { body: { phone: '+966512345678x' } })
  await visitor.send('GET', '/api/nothing/512345678')
  await app.close()
  expect(JSON.stringify(collector.received)).not.toMatch(/512345678|secret-of/)
  const requests = collector.spans().filter(({ name }) => /^(GET|POST) /.test(name))
  const method = 'http.request.method'
  const answered = ['amtiati.request_id', 'http.response.status_code']
  const ofRoute = [method, 'http.route', ...answered]
  const [unset, error] = [{ code: 0 }, { code: 2 }]
  expect(
    requests.map(({ name, status, events, attributes }) => [
      name,
      status,
      [...events, ...attributes.map(({ key }) => key)],
    ]),
  ).toEqual([
    ['POST /api/auth/request-otp', error, ofRoute],
    ['GET /api/track/:token', unset, ofRoute],
    ['POST /api/auth/request-otp', unset, ofRoute],
    ['GET none', unset, [method, ...answered]],
  ])
  const [call] = collector.spans().filter(({ name }) => name === 'otp send-code')
  expect(call?.status).toEqual(error)
  expect(call?.attributes.map(({ key }) => key)).toEqual(['amtiati.outcome', 'error.type'])
  expect(collector.spans().map(({ status }) => status.message)).not.toContainEqual(expect.anything())
  expect(collector.spans().map(({ name }) => name)).not.toContainEqual(expect.stringMatching(/handler/i))
})

it('a request that its caller does not sample is sent to no collector, and the external service learns it', async () => {
  const collector = await openCollector()
  const { app, services } = await openGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  const traceparent = caller.traceparent.replace(/01$/, '00')
  await askForCode(await visitorOf(app), { 'x-request-id': caller['x-request-id'], traceparent })
  await app.close()
  expect(collector.spans().filter((span) => span.traceId === traceId)).toEqual([])
  expect(services.traces).toContainEqual({
    'x-request-id': caller['x-request-id'],
    traceparent: expect.stringMatching(new RegExp(`^00-${traceId}-[\\da-f]{16}-00$`)),
  })
})

it.each(['refuses connections', 'never answers'])('a collector that %s disturbs nothing', async (how) => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    silent.close()
    silent.closeAllConnections()
  })
  const { port } = silent.address() as AddressInfo
  const endpoint = how === 'never answers' ? `http://127.0.0.1:${port}` : 'http://127.0.0.1:9'
  const { app, lines } = await openGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  expect((await (await visitorOf(app)).send('GET', '/healthz')).status).toBe(200)
  await app.close()
  const reported = lines.filter(({ event }) => event === 'telemetry.not-sent')
  expect(reported.map(({ what }) => what).toSorted()).toEqual(['metrics', 'traces'])
})

if (isFull)
  it('the alert rules and the dashboard are read by Prometheus itself', async () => {
    expect(await checkRules()).toContain('SUCCESS')
    const { app } = await openGateway()
    const prometheus = await startPrometheus(await app.listen({ host: '127.0.0.1', port: 0 }))
    onTestFinished(prometheus.close)
    const rules = await prometheus.rules()
    expect(rules.map(({ name }) => name)).toEqual(readAlerts().map(({ alert }) => alert))
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([])
    // The gateway of this test is well, but it reaches no external service.
    expect(rules.find(({ name }) => name === 'GatewayDown')?.state).toBe('inactive')
    for (const { panel, expr } of readPanels())
      expect([panel, (await prometheus.query(expr)).status]).toEqual([panel, 'success'])
    const { data } = await prometheus.query('amtiati_build_info')
    expect(data.result).toHaveLength(1)
  })
