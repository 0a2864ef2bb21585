import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createGateway } from '#server/app.ts'
import { ConfigError, readConfig } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/database/open.ts'
import { createLogger } from '#server/platform/logging.ts'

/** Longer than the slowest thing a request or the worker may be waiting for. */
const graceMs = 75_000

const root = fileURLToPath(new URL('..', import.meta.url))

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const logger = createLogger(config.LOG_LEVEL)
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string }
  const database = await openDatabase({
    url: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    onIdleError: (error) => logger.warn({ event: 'database.connection-lost', err: error }),
  })
  const clientRoot = `${root}dist/client`
  const app = await createGateway({
    config,
    database,
    logger,
    version,
    ...(existsSync(`${clientRoot}/index.html`) ? { clientRoot } : {}),
  })
  if (!existsSync(`${clientRoot}/index.html`))
    logger.warn('the app is not built: only the API is served (npm run build)')

  let isClosing = false
  const close = async (signal: string) => {
    if (isClosing) return
    isClosing = true
    logger.info({ event: 'closing', signal })
    const forced = setTimeout(() => process.exit(1), graceMs)
    forced.unref()
    await app.close()
    await database.close()
    clearTimeout(forced)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close(signal))

  await app.listen({ host: config.HOST, port: config.PORT })
}

start().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
})
