import {
  type Attributes,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
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
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Clock } from './clock.ts'
import type { Metrics } from './metrics.ts'
import type { Tracer } from './tracer.ts'
import type { TraceContext } from './work.ts'

export interface TelemetryOptions {
  /** Of a collector that speaks OTLP over HTTP; `/v1/traces` and `/v1/metrics` are added. */
  readonly endpoint: string
  readonly version: string
  readonly metrics: Metrics
  readonly clock: Clock
}

const scope = { name: 'amtiati' }
const metricsEveryMs = 60_000
const timeoutMs = 3_000

/**
 * Traces and metrics by the packages of OpenTelemetry, which read their own variables besides (`OTEL_SERVICE_NAME`,
 * `OTEL_EXPORTER_OTLP_HEADERS`). Loaded only where an endpoint is configured. The metrics are those of `/metrics`: nothing
 * is counted twice.
 */
export function startTelemetry(options: TelemetryOptions) {
  const endpoint = options.endpoint.replace(/\/$/, '')
  const resource = resourceFromAttributes({
    'service.name': 'amtiati-gateway',
    'service.version': options.version,
  }).merge(detectResources({ detectors: [serviceNameEnvDetector] }))
  const exporting = { timeoutMillis: timeoutMs }
  const spans = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ ...exporting, url: `${endpoint}/v1/traces` }),
      }),
    ],
  })
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ ...exporting, url: `${endpoint}/v1/metrics` }),
        exportIntervalMillis: metricsEveryMs,
        exportTimeoutMillis: timeoutMs,
        metricProducers: [createProducer(options, resource)],
      }),
    ],
  })
  return {
    tracer: createTracer(spans),
    /** Sends what is waiting. Never rejects: a collector that is down must not disturb the gateway. */
    async stop(): Promise<void> {
      await Promise.allSettled([spans.shutdown(), meters.shutdown()])
    },
  }
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const

function createTracer(provider: TracerProvider): Tracer {
  const tracer = provider.getTracer(scope.name)
  return {
    start(kind, name, parent) {
      const span = tracer.startSpan(name, { kind: kinds[kind] }, contextOf(parent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        context: { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 },
        end(attributes, error) {
          if (attributes) span.setAttributes(attributes)
          // Only the kind of the error: its message may hold a phone or a name.
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) })
          span.end()
        },
      }
    },
  }
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'Error')

function contextOf(parent: TraceContext | undefined) {
  if (!parent) return ROOT_CONTEXT
  const { traceId, spanId, isSampled } = parent
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  })
}

type HrTime = [seconds: number, nanoseconds: number]
const timeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]

/** Hands the registry of `/metrics` over. */
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

/** A metric of the registry in the form of OpenTelemetry; gauges without a number are left out. */
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
  // `type` is a word in this form of the registry, whatever the declaration says.
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

/** Prometheus counts what is at most `le`; OpenTelemetry counts between two boundaries. */
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
