import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import pino from 'pino'
import { createOrders } from '#server/features/orders/orders.service.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { reportOf } from '#server/features/tracking/tracking.provider.map.ts'
import type { TrackingProvider } from '#server/features/tracking/tracking.provider.ts'
import { createTracking } from '#server/features/tracking/tracking.service.ts'
import { createTrackingStore } from '#server/features/tracking/tracking.store.ts'
import { createPollWorker } from '#server/features/tracking/tracking.worker.ts'
import { createDatabase, type EngineParts } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { openPatientPostgres } from '#test/kit/open-postgres.ts'
import type { Options } from './options.ts'
import { type PostgresServer, startPostgres } from './processes.ts'
import { figure, tableOf } from './table.ts'
import { countScans, createStatementCounter, fillTransit } from './transit.store.ts'

/**
 * Bags in transit, followed by polling alone: the poll worker of the gateway on a real database, with a courier that
 * answers at once and a clock that is advanced. Calls and statements of an hour are exact; times are those of the work.
 */

const hourMs = 3_600_000
const intervalMs = 30 * 60_000
/** As often as the worker looks for due bags by itself. */
const roundMs = 15_000
/** With news: a scan of each bag every so many hours. */
const hoursPerScan = 8

const scenarios = ['silence', 'news'] as const
type Scenario = (typeof scenarios)[number]

/** One simulated hour. */
interface TransitLine {
  readonly engine: string
  readonly bags: number
  readonly scenario: Scenario
  readonly hour: number
  readonly calls: number
  readonly bagsPerCall: number
  readonly newScans: number
  readonly reads: number
  readonly writes: number
  /** Milliseconds of real time for the work of the hour. */
  readonly workMs: number
  /** Longest block of the event loop, in milliseconds. */
  readonly longestDelay: number
}

interface TransitResult {
  readonly lines: readonly TransitLine[]
  readonly faults: readonly string[]
}

export async function runTransit(options: Options, say: (line: string) => void): Promise<TransitResult> {
  const lines: TransitLine[] = []
  const faults: string[] = []
  const postgres = options.engines.includes('postgres') ? await startPostgres() : undefined
  try {
    for (const engine of options.engines)
      for (const bags of options.sizes)
        for (const scenario of scenarios) {
          say(`${engine}, ${bags} bags, ${scenario}`)
          const opened = await open(engine, postgres)
          try {
            for await (const line of measure(
              opened.parts,
              { scenario, bags, hours: options.rounds },
              faults,
            )) {
              lines.push(line)
              say(`  hour ${line.hour}: ${line.calls} calls, ${figure(line.workMs)} ms`)
            }
          } finally {
            await opened.close()
          }
        }
  } finally {
    await postgres?.end()
  }
  return { lines, faults }
}

async function open(engine: EngineParts['engine'], postgres: PostgresServer | undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-transit-'))
  const parts =
    engine === 'postgres' && postgres
      ? openPatientPostgres(await postgres.createDatabase())
      : openSqlite(join(folder, 'transit.sqlite'))
  await migrate(parts)
  return {
    parts,
    async close() {
      await parts.kysely.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Run {
  readonly scenario: Scenario
  readonly bags: number
  readonly hours: number
}

async function* measure(
  parts: EngineParts,
  { scenario, bags, hours }: Run,
  faults: string[],
): AsyncGenerator<TransitLine> {
  const startedAt = Date.UTC(2027, 4, 18, 12)
  const clock = { at: startedAt, now: () => clock.at }
  await fillTransit(parts, { bags, now: startedAt, intervalMs })
  const { plugin, counts } = createStatementCounter()
  const courier = createCourier(scenario, startedAt, clock.now)
  const { worker, added } = createFollower(
    { ...parts, kysely: parts.kysely.withPlugin(plugin) },
    courier,
    clock.now,
  )

  let known = 0
  for (let hour = 1; hour <= hours; hour += 1) {
    const before = { ...counts, calls: courier.calls, asked: courier.asked }
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const beganAt = performance.now()
    for (let round = 0; round < hourMs / roundMs; round += 1) {
      clock.at += roundMs
      for (let calls = -1; calls < courier.calls; ) {
        calls = courier.calls
        worker.start()
        await worker.stop()
      }
    }
    delay.disable()
    const calls = courier.calls - before.calls
    const scans = await added()
    yield {
      ...{ engine: parts.engine, bags, scenario, hour, calls },
      bagsPerCall: (courier.asked - before.asked) / calls,
      newScans: scans - known,
      reads: counts.reads - before.reads,
      writes: counts.writes - before.writes,
      workMs: performance.now() - beganAt,
      longestDelay: delay.max / 1e6,
    }
    known = scans
  }
  const stored = await countScans(parts)
  if (stored !== known)
    faults.push(`${parts.engine}, ${scenario}: ${known} scans were new, ${stored} are stored`)
  const missing = courier.sent() - stored
  if (missing !== 0)
    faults.push(`${parts.engine}, ${scenario}: ${missing} scans of the answers are not stored`)
}

/** A courier whose bags are scanned at times that follow from their numbers. */
function createCourier(scenario: Scenario, startedAt: number, now: () => number) {
  const sent = new Map<string, number>()
  const scansOf = (awb: string) => {
    if (scenario === 'silence') return 0
    const offsetMs = (Number(awb) * 7919) % (hoursPerScan * hourMs)
    return Math.floor((now() - startedAt + offsetMs) / (hoursPerScan * hourMs))
  }
  const wireScan = (index: number) => ({
    ScanType: 'AF',
    City: 'Taif',
    ScanDescription: 'Arrived Delivery Facility',
    ScanDateTime: new Date(startedAt + index * 60_000).toISOString().slice(0, 19),
    ScanTimeZone: '+00:00',
  })
  const courier = {
    calls: 0,
    asked: 0,
    /** Scans of all answers, each once. */
    sent: () => [...sent.values()].reduce((sum, count) => sum + count, 0),
    provider: {
      readPush: reportOf,
      readTexts: async () => [],
      async track(awbs) {
        courier.calls += 1
        courier.asked += awbs.length
        const records = awbs.map((AWB) => {
          const count = scansOf(AWB)
          sent.set(AWB, count)
          return { AWB, Scans: Array.from({ length: count }, (_, index) => wireScan(index)) }
        })
        return reportOf(JSON.parse(JSON.stringify(records))) ?? { shipments: [], unreadable: 0 }
      },
    } satisfies TrackingProvider,
  }
  return courier
}

/** The part of the gateway that follows bags. */
function createFollower(parts: EngineParts, courier: ReturnType<typeof createCourier>, now: () => number) {
  const database = createDatabase(parts)
  const metrics = createMetrics()
  const clock = { now }
  const log = pino({ level: 'warn' })
  const store = createTrackingStore(database)
  const orders = createOrders({
    database,
    store: createOrdersStore(database),
    findUsers: async () => new Map(),
    findUserIdByPhone: async () => undefined,
    lockUser: async () => undefined,
    findRefunds: async () => new Map(),
    findReceipts: async () => new Set(),
    announce: async (news) => tracking.hear(news),
    openOrdersPerUser: 1,
    cancellation: { isOffered: true, hours: 0 },
    clock,
  })
  const shared = { database, store, provider: courier.provider, orders, intervalMs, clock, log, metrics }
  const tracking = createTracking({ ...shared, webhookKey: 'not-used', silenceMs: 24 * hourMs })
  return {
    worker: createPollWorker({ ...shared, record: tracking.record }),
    async added(): Promise<number> {
      const { values } = (await metrics.registry.getSingleMetric('amtiati_tracking_scans_total')?.get()) ?? {
        values: [],
      }
      return values.reduce((sum, { value }) => sum + value, 0)
    },
  }
}

export function transitTable({ lines }: TransitResult): string {
  return tableOf(
    [
      'engine',
      'bags',
      'courier',
      'hour',
      'calls',
      'bags a call',
      'new scans',
      'reads',
      'writes',
      'work s',
      'event loop stood still ms',
    ],
    lines.map((line) => [
      line.engine,
      String(line.bags),
      line.scenario,
      String(line.hour),
      String(line.calls),
      figure(line.bagsPerCall),
      String(line.newScans),
      String(line.reads),
      String(line.writes),
      figure(line.workMs / 1_000),
      figure(line.longestDelay),
    ]),
  )
}
