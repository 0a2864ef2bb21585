import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createGateway } from '#server/app.ts'
import { type Config, warningsAbout } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/database/open.ts'
import type { Refusal } from '#server/platform/database/servers.ts'
import { createLogger } from '#server/platform/logging.ts'
import { connectionsFor, readFileLimit } from '#server/platform/open-files.ts'
import { type Stopping, stopGraceMs, stoppingDecorator } from '#server/platform/plugins/graceful-close.ts'
import { createNotReady } from './not-ready.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export async function runGateway(asked: Config, commit?: string): Promise<void> {
  const { maxConnections, warning } = connectionsFor(readFileLimit(), asked.limits.maxConnections)
  const config: Config = { ...asked, limits: { ...asked.limits, maxConnections } }
  const logger = createLogger(config.LOG_LEVEL)
  process.on('uncaughtExceptionMonitor', (error) => logger.fatal({ event: 'crashed', err: error }))
  const warnings = warningsAbout(config, process.execPath)
  for (const each of warning === undefined ? warnings : [...warnings, warning])
    logger.warn({ event: 'configuration.warning' }, each)
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string }
  const notReady = createNotReady(config)
  const refuse = ({ refusal, sentence }: Refusal) =>
    logger.error({ event: 'database.no-primary', refusal }, sentence)
  const database = await openDatabase({
    url: config.DATABASE_URL,
    listenUrl: config.LISTEN_URL,
    connections: config.limits.databaseConnections,
    dataDir: config.DATA_DIR,
    mode: config.MODE,
    isExclusive: true,
    onIdleError: (error) => logger.warn({ event: 'database.connection-lost', err: error }),
    onCreated: (name) => logger.info({ event: 'database.created', database: name }),
    onRefusal: (refusal) => {
      refuse(refusal)
      notReady.listen()
    },
    onServers: ({ names, choice }) => {
      if ('refusal' in choice) refuse(choice)
      else logger.info({ event: 'database.primary', server: names[choice.server], servers: names })
    },
  })
  await notReady.close()
  const clientRoot = `${root}dist/client`
  const app = await createGateway({
    config,
    database,
    logger,
    version,
    ...(commit && { commit }),
    ...(existsSync(`${clientRoot}/index.html`) ? { clientRoot } : {}),
    onIncompatibleSchema() {
      if (isClosing) return
      process.exitCode = 1
      void close('newer-schema', 0)
    },
  })
  if (!existsSync(`${clientRoot}/index.html`))
    logger.warn('the app is not built: only the API is served (npm run build)')

  let isClosing = false
  const close = async (reason: string, drainMs: number) => {
    isClosing = true
    logger.info({ event: 'closing', reason, drainMs })
    setTimeout(() => {
      logger.error({ event: 'closing-forced', afterMs: stopGraceMs })
      process.exit(1)
    }, stopGraceMs).unref()
    await app.getDecorator<Stopping>(stoppingDecorator).drain(delay(drainMs))
    await app.close()
    await database.close()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (isClosing) process.exit(1)
      void close(signal, config.DRAIN_MS)
    })

  await app.listen({ host: config.HOST, port: config.PORT })
}
