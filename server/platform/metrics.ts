import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from './clock.ts'
import { inTimeOr } from './late.ts'

export interface Backlog {
  readonly count: number
  readonly oldest: number | null
}

type GaugeName = `amtiati_${string}`
type CounterName = `amtiati_${string}_total`
type ReadValues = () => Promise<ReadonlyMap<string, number>>

interface GaugePart {
  readonly values: readonly string[]
  readonly read: () => Promise<ReadonlyMap<string, number> | undefined>
}

/** Each gateway has its own registry, because one test can run several gateways. */
export function createMetrics({ readWithinMs = 1_000 }: { readonly readWithinMs?: number } = {}) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const families = new Map<string, GaugePart[]>()

  /**
   * A read that fails or takes too long gives no value, because a database that is down must not delay the scrape. The
   * next scrape waits for a slow read.
   */
  function inTime<T>(read: () => Promise<T>): () => Promise<T | undefined> {
    const shared = oncePerScrape(read)
    return async () => {
      try {
        return await inTimeOr<T | undefined>(shared(), readWithinMs, () => undefined)
      } catch {
        return undefined
      }
    }
  }

  /** A counter must begin at 0: Prometheus sees no increase in a series that begins at 1, and raises no alert. */
  function counter<const L extends string>(
    name: CounterName,
    help: string,
    labelNames: readonly L[],
    known: readonly Readonly<Record<L, string>>[] = [],
  ) {
    const made = new Counter({ name, help, labelNames: [...labelNames], registers })
    for (const labels of known) made.inc(labels, 0)
    return made
  }

  /**
   * `read` returns a number for each of `values`; a missing number is NaN in the scrape. Calls with the same name share
   * one gauge.
   */
  function gaugeBy(
    name: GaugeName,
    help: string,
    label: string,
    values: readonly string[],
    read: ReadValues,
  ) {
    const known = families.get(name)
    const part = { values, read: inTime(read) }
    if (known) {
      known.push(part)
      return
    }
    const parts = [part]
    families.set(name, parts)
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        await Promise.all(
          parts.map(async (part) => {
            const found = (await part.read()) ?? new Map<string, number>()
            for (const value of part.values) this.set({ [label]: value }, found.get(value) ?? Number.NaN)
          }),
        )
      },
    })
  }

  return {
    registry,
    requests: new Histogram({
      name: 'amtiati_http_request_duration_seconds',
      help: 'Time to answer, by route and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3, 10],
      registers,
    }),
    externalRequests: counter(
      'amtiati_external_requests_total',
      'Requests to external services, by operation and outcome; repeated reads count each time.',
      ['service', 'operation', 'outcome'],
    ),
    externalDurations: new Histogram({
      name: 'amtiati_external_request_duration_seconds',
      help: 'Time until an external service has answered, or not; without requests that the breaker refused.',
      labelNames: ['service', 'operation'] as const,
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    counter,
    gauge(name: GaugeName, help: string, read: () => Promise<number>): void {
      const known = inTime(read)
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set((await known()) ?? Number.NaN)
        },
      })
    },
    gaugeBy,

    queue(queue: string, clock: Clock, readBacklog: () => Promise<Backlog>): void {
      const read = oncePerScrape(readBacklog)
      gaugeBy('amtiati_queue_length', 'Entries that wait, by queue.', 'queue', [queue], async () =>
        one(queue, (await read()).count),
      )
      gaugeBy(
        'amtiati_queue_oldest_age_seconds',
        'How long the oldest entry of a queue has been waiting; 0 for an empty queue.',
        'queue',
        [queue],
        async () => {
          const { oldest } = await read()
          return one(queue, oldest === null ? 0 : Math.max(0, clock.now() - oldest) / 1_000)
        },
      )
    },

    describeBuild(labels: Readonly<Record<'version' | 'node' | 'engine', string>>): void {
      new Gauge({
        name: 'amtiati_build_info',
        help: 'Version of the gateway and of Node, and the engine of the database.',
        labelNames: ['version', 'node', 'engine'],
        registers,
      }).set(labels, 1)
    },
  }
}

const one = (value: string, number: number): ReadonlyMap<string, number> => new Map([[value, number]])

export function oncePerScrape<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

export type Metrics = ReturnType<typeof createMetrics>
