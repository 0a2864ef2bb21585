import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics of one gateway, in a registry of its own so that several gateways in one test do not add up. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer, by route and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3, 10],
      registers,
    }),
    counter: <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
      new Counter({ name, help, labelNames: [...labelNames], registers }),
    gauge: (name: string, help: string, read: () => Promise<number>) =>
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          // A failing gauge, such as one that reads a lost database, must not fail the scrape.
          this.set(await read().catch(() => Number.NaN))
        },
      }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
