import type { FastifyInstance } from 'fastify'
import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { readArchiveFailing } from '#server/platform/database/archive.ts'
import type { Database } from '#server/platform/database/database.ts'
import { nameOf } from '#server/platform/database/url.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import type { StartSpan } from '#server/platform/spans.ts'

interface TelemetryOptions {
  readonly config: Config
  readonly version: string
}

export async function registerTelemetry(
  app: FastifyInstance,
  { config, version }: TelemetryOptions,
  metrics: Metrics,
): Promise<StartSpan | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config
  if (!endpoint) return undefined
  const telemetry = (await import('#server/platform/telemetry.ts')).startTelemetry({
    endpoint,
    version,
    metrics,
    clock: systemClock,
    log: app.log,
  })
  await app.register(telemetry.requests)
  app.addHook('onClose', telemetry.stop)
  return telemetry.startSpan
}

export function describeProcess(
  metrics: Metrics,
  { version, database }: { readonly version: string; readonly database: Database },
): void {
  metrics.describeBuild({ version, node: process.version, engine: database.engine })
  metrics.gaugeBy(
    'amtiati_database_connections',
    'Connections to the database, by state. SQLite has one, in use during a transaction.',
    'state',
    ['in-use', 'idle', 'most'],
    async () => {
      const { inUse, idle, most } = database.connections()
      return new Map([
        ['in-use', inUse],
        ['idle', idle],
        ['most', most],
      ])
    },
  )
  metrics.gauge(
    'amtiati_database_waiting_queries',
    'Queries and transactions that wait for a connection.',
    async () => database.connections().waiting,
  )
  metrics.gaugeBy(
    'amtiati_database_servers',
    'Servers that DATABASE_URL names, by what they are; unknown where it names one. Two primaries are a split brain.',
    'state',
    serverStates,
    async () => new Map(database.servers && Object.entries(countedStates(database.servers.states()))),
  )
  metrics.gauge(
    'amtiati_database_archive_failing',
    '1 while PostgreSQL cannot archive its log; unknown on SQLite and without an archive.',
    () => readArchiveFailing(database),
  )
}

const serverStates = ['primary', 'standby', 'unreachable'] as const

const countedStates = (states: readonly string[]) =>
  Object.fromEntries(
    serverStates.map((state) => [state, states.filter((each) => each === state).length] as const),
  )

export function registerStartLine(
  app: FastifyInstance,
  {
    config,
    database,
    version,
    commit,
  }: TelemetryOptions & {
    readonly database: Database
    readonly commit?: string
  },
  workers: readonly string[],
): void {
  app.addHook('onListen', async () => {
    const { MODE: mode } = config
    const rows = config.DATABASE_URL === undefined ? config.DATA_DIR : nameOf(config.DATABASE_URL)
    const line = {
      version,
      commit,
      node: process.version,
      mode,
      engine: database.engine,
      database: rows,
      installation: database.installation?.id,
      workers,
    }
    app.log.info({ event: 'started', ...line }, `${mode} on ${rows}`)
  })
}
