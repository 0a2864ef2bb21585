import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { createLogger } from '#server/platform/logging.ts'
import { isFull } from '#test/kit/full-run.ts'
import { openMemory } from '#test/kit/memory-database.ts'
import { patientLimits } from '#test/kit/patience.ts'
import type { Person } from '#test/kit/person.ts'
import { checkRules, startPrometheus } from '#test/kit/prometheus.ts'
import { readAlerts, readPanels } from '#test/kit/promql.ts'
import { visitorOf } from '#test/kit/quiet-gateway.ts'
import { openStubService } from '#test/kit/stub-service.ts'
import { createGateway } from './app.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
}

interface Received {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[]
  }[]
}

/** A collector: takes OTLP over HTTP in JSON. */
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
  return { app, services, lines }
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const caller = {
  'x-request-id': 'proxy-0123456789abcdef',
  traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
}
const askForCode = (visitor: Person) =>
  visitor.send('POST', '/api/auth/request-otp', { body: { phone: '+966512345678' }, headers: caller })

it('a request carries its id and its trace into the log and to the external service', async () => {
  const { app, services, lines } = await openGateway()
  const { headers } = await askForCode(await visitorOf(app))
  expect(headers.get('x-request-id')).toBe(caller['x-request-id'])
  const carried = services.traces.filter((trace) => trace['x-request-id'] === caller['x-request-id'])
  expect(carried).not.toEqual([])
  for (const { traceparent } of carried)
    expect(traceparent).toMatch(new RegExp(`^00-${traceId}-[\\da-f]{16}-01$`))
  await vi.waitFor(() => {
    const own = lines.filter(({ reqId }) => reqId === caller['x-request-id'])
    expect(own.map(({ msg }) => msg)).toContainEqual(expect.stringMatching(/^request (completed|failed)$/))
    expect(own.filter((line) => line.traceId !== traceId)).toEqual([])
  })
})

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

it('a collector receives spans with the trace ids of the log lines, and the metrics', async () => {
  const collector = await openCollector()
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20secret-of-the-collector')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { app, services, lines } = await openGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  const visitor = await visitorOf(app)
  await askForCode(visitor)
  await visitor.send('GET', '/api/nothing')
  // Sends what is waiting.
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
  // Jobs of workers have spans of their own.
  const jobs = spans.filter(({ name }) => name === 'payments.expiry')
  expect(jobs).not.toEqual([])
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
  // Spans name operations only.
  expect(JSON.stringify(collector.received)).not.toContain('512345678')
})

it('a collector that does not answer disturbs nothing', async () => {
  const { app } = await openGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect((await (await visitorOf(app)).send('GET', '/healthz')).status).toBe(200)
  await app.close()
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
