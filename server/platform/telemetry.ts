import { FastifyOtelInstrumentation } from '@fastify/otel'
import {
  type Attributes,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
  ValueType,
} from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, resourceFromAttributes, serviceNameEnvDetector } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyRequest } from 'fastify'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Clock } from './clock.ts'
import type { Log } from './logging.ts'
import type { Metrics } from './metrics.ts'
import { noteSpan } from './plugins/request-trace.ts'
import type { StartSpan } from './spans.ts'
import { during, readTraceparent } from './work.ts'

export interface TelemetryOptions {
  readonly endpoint: string
  readonly version: string
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
}

const scope = { name: 'amtiati' }
const metricsEveryMs = 60_000
const timeoutMs = 3_000

export function startTelemetry(options: TelemetryOptions) {
  const { log } = options
  const endpoint = options.endpoint.replace(/\/$/, '')
  const resource = resourceFromAttributes({
    'service.name': 'amtiati-gateway',
    'service.version': options.version,
  }).merge(detectResources({ detectors: [serviceNameEnvDetector] }))
  const spanExporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: timeoutMs })
  const metricExporter = new OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, timeoutMillis: timeoutMs })
  logFailures(spanExporter, 'traces', log)
  logFailures(metricExporter, 'metrics', log)
  const spans = new TracerProvider({
    resource,
    spanProcessors: [new HarmlessSpans({ exporter: spanExporter })],
  })
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: metricExporter,
        exportIntervalMillis: metricsEveryMs,
        exportTimeoutMillis: timeoutMs,
        metricProducers: [createProducer(options, resource)],
      }),
    ],
  })
  return {
    requests: requestSpans(spans),
    startSpan: createStartSpan(spans.getTracer(scope.name)),
    /** Never rejects, because a collector that is down must not disturb the gateway. */
    async stop(): Promise<void> {
      await Promise.allSettled([spans.shutdown(), meters.shutdown()])
    },
  }
}

function requestSpans(spans: TracerProvider) {
  // `@fastify/otel` finds the caller's span through the global propagator. It has no state, so all gateways of a
  // process can share it.
  propagation.setGlobalPropagator({
    fields: () => ['traceparent'],
    inject: () => undefined,
    extract(context, carrier) {
      const { traceparent } = carrier as FastifyRequest['headers']
      const caller = readTraceparent(traceparent)
      return caller ? trace.setSpanContext(context, caller) : context
    },
  })
  const instrumentation = new FastifyOtelInstrumentation({
    instrumentHandler: false,
    instrumentHooks: false,
    recordExceptions: false,
    requestHook(span, request) {
      span.updateName(`${request.method} ${request.routeOptions.url ?? 'none'}`)
      span.setAttribute('amtiati.request_id', request.id)
      noteSpan(request, span.spanContext())
    },
  })
  instrumentation.setTracerProvider(spans)
  return instrumentation.plugin()
}

const createStartSpan =
  (tracer: Tracer): StartSpan =>
  (kind, name, parent) => {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
    const span = tracer.startSpan(
      name,
      { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL },
      context,
    )
    return {
      context: span.spanContext(),
      end(attributes, error) {
        if (attributes) span.setAttributes(attributes)
        if (error !== undefined) {
          span.setAttribute('error.type', error instanceof Error ? error.name : 'Error')
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      },
    }
  }

/** A span sends only these attributes: `url.path`, for example, contains the secrets of links. */
const sentAttributes = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'error.type',
  'amtiati.request_id',
  'amtiati.outcome',
])

class HarmlessSpans extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    // `@fastify/otel` makes a second span for a request to an unknown address.
    if (span.attributes['fastify.type'] !== undefined) return
    const attributes = Object.fromEntries(
      Object.entries(span.attributes).filter(([name]) => sentAttributes.has(name)),
    )
    const status = attributes['http.response.status_code']
    const code = typeof status === 'number' && status < 500 ? SpanStatusCode.UNSET : span.status.code
    super.onEnd(
      Object.create(span, {
        attributes: { value: attributes },
        events: { value: [] },
        status: { value: { code } },
      }),
    )
  }
}

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void
}

type ExportResult = Parameters<Parameters<OTLPTraceExporter['export']>[1]>[0]

export function logFailures<Items>(exporter: Exporter<Items>, what: 'traces' | 'metrics', log: Log): void {
  const send = exporter.export.bind(exporter)
  let isFailing = false
  function note({ error }: ExportResult) {
    if ((error !== undefined) === isFailing) return
    isFailing = error !== undefined
    // The exporter runs in the context of the request whose span came first, but the log line must not name that
    // request.
    during(undefined, () => {
      if (error === undefined) log.info({ event: 'telemetry.sent-again', what })
      else log.warn({ event: 'telemetry.not-sent', what, reason: reasonOf(error) })
    })
  }
  exporter.export = (items, done) =>
    send(items, (result) => {
      note(result)
      done(result)
    })
}

const reasonOf = (error: Error) => ('code' in error && error.code !== undefined ? error.code : error.message)

type HrTime = [seconds: number, nanoseconds: number]
const timeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]

function createProducer(
  { metrics, clock }: TelemetryOptions,
  resource: ReturnType<typeof resourceFromAttributes>,
) {
  const startTime = timeOf(clock.now())
  return {
    async collect() {
      const found = await metrics.registry.getMetricsAsJSON()
      const times = { startTime, endTime: timeOf(clock.now()) }
      const data = found.flatMap((metric) =>
        dataOf(metric as MetricObjectWithValues<MetricValue<string>>, times),
      )
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: data }] }, errors: [] }
    },
  }
}

interface Times {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

type PromMetric = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>

function dataOf(metric: PromMetric, times: Times): MetricData[] {
  const { name, help, values } = metric
  const descriptor = {
    name,
    description: help,
    unit: name.includes('_seconds') ? 's' : name.includes('_bytes') ? 'By' : '',
    valueType: ValueType.DOUBLE,
  }
  const shared = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
  const numbers = values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => ({ ...times, attributes: { ...labels } as Attributes, value }))
  switch (String(metric.type)) {
    case 'counter':
      return [{ ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers }]
    case 'gauge':
      return [{ ...shared, dataPointType: DataPointType.GAUGE, dataPoints: numbers }]
    case 'histogram':
      return [{ ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(metric, times) }]
    default:
      return []
  }
}

/**
 * A bucket of Prometheus counts all values up to `le`; a bucket of OpenTelemetry counts the values between two
 * boundaries.
 */
function histogramsOf({ name, values }: PromMetric, times: Times) {
  const groups = Map.groupBy(values, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  return [...groups].map(([labels, parts]) => {
    const buckets = parts.filter(({ labels: { le } }) => le !== undefined)
    const only = (suffix: string) =>
      parts.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0
    const boundaries = buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite)
    return {
      ...times,
      attributes: JSON.parse(labels) as Attributes,
      value: {
        buckets: {
          boundaries,
          counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
        },
        sum: only('sum'),
        count: only('count'),
      },
    }
  })
}
