import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrate, schemaSteps } from '#server/platform/database/migrate.ts'
import { openDatabase } from '#server/platform/database/open.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { postgresAt } from '#test/kit/database/databases.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { onFreePorts } from '#test/kit/programs/ports.ts'
import { spawnNode } from '#test/kit/programs/spawn.ts'

/** A gateway as a process, without a simulator, on a folder and a port of its own by default. */
const startGateway = (env: Readonly<Record<string, string>>, args: readonly string[] = []) =>
  onFreePorts(1, ([port]) => startOn(port, env, args))

async function startOn(
  port: number | undefined,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
) {
  const child = spawnNode('server/main.ts', {
    args,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: freshFolder(),
      PORT: String(port),
      MOCK_PARTNER_PORT: '4',
      ...env,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const complaints = text(child.stderr)
  child.stdout.resume()
  return { child, ended, complaints, url: `http://127.0.0.1:${port}` }
}

/** The message of a gateway that does not start. It must exit with 1. */
async function complaintOf(env: Readonly<Record<string, string>>, args?: readonly string[]): Promise<string> {
  const { ended, complaints } = await startGateway(env, args)
  expect(await ended).toBe(1)
  return (await complaints).trimEnd()
}

describe('a gateway that cannot start says why in one line', () => {
  it('when PostgreSQL does not answer', async () => {
    expect(await complaintOf({ DATABASE_URL: `postgres://amtiati:very-secret@127.0.0.1:4/none` })).toBe(
      `The gateway does not start: cannot connect to the database of DATABASE_URL: connect ECONNREFUSED 127.0.0.1:4`,
    )
  })

  it('when another gateway uses the file', async () => {
    const dataDir = freshFolder()
    const onIdleError = () => undefined
    const database = await openDatabase({
      url: undefined,
      dataDir,
      mode: 'demo',
      isExclusive: true,
      onIdleError,
    })
    onTestFinished(() => database.close())
    expect(await complaintOf({ DATA_DIR: dataDir })).toBe(
      `The gateway does not start: ${dataDir}/amtiati.sqlite is in use by another gateway. Stop that first, or name another DATA_DIR.`,
    )
  })

  it('when the database belongs to the other mode', async () => {
    const [dataDir, url] = [freshFolder(), await freshPostgresUrl()]
    const database = await openDatabase({ url, dataDir, mode: 'live', onIdleError: () => undefined })
    await database.close()
    const { host, pathname } = new URL(url)
    expect(await complaintOf({ DATA_DIR: dataDir, DATABASE_URL: url, MODE: 'demo' })).toBe(
      `The gateway does not start: MODE=demo does not fit PostgreSQL ${host}${pathname}: the mode of this database is live (installation ${database.installation?.id}). Set MODE=live, or name another database in DATABASE_URL or DATA_DIR.`,
    )
  })

  it('when DATA_DIR is not a folder', async () => {
    const file = join(freshFolder(), 'file')
    await writeFile(file, '')
    const dataDir = join(file, 'data')
    expect(await complaintOf({ DATA_DIR: dataDir })).toMatch(
      /^The gateway does not start: \S+amtiati\.sqlite cannot be opened and written: ENOTDIR.*$/,
    )
  })

  it('when the file is not a database', async () => {
    const dataDir = freshFolder()
    await writeFile(
      join(dataDir, 'amtiati.sqlite'),
      'not a database, but long enough to be looked at '.repeat(30),
    )
    expect(await complaintOf({ DATA_DIR: dataDir })).toMatch(
      /^The gateway does not start: \S+amtiati\.sqlite cannot be opened and written: file is not a database$/,
    )
  })

  it.each([
    ['127.0.0.1', {}],
    ['0.0.0.0', { HOST: '0.0.0.0' }],
  ])('when the port is taken at %s', async (host, env) => {
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    expect(await complaintOf({ ...env, PORT: String(port) })).toBe(
      `The gateway does not start: port ${port} of ${host} is in use. PORT names another one.`,
    )
  })
})

describe('a gateway whose variables come from a .env file', () => {
  it('refuses each name in it that it does not know', async () => {
    const file = join(freshFolder(), '.env')
    await writeFile(file, 'LOG_LEVEL=info\nOFFICE_HOURS=8\nNODE_OPTIONS=--trace-warnings\n# COMMENT=1\n')
    const env = { LOG_LEVEL: 'info', OFFICE_HOURS: '8' }
    expect(await complaintOf(env, [file])).toMatch(
      /^Invalid configuration:\n {2}- OFFICE_HOURS is not known; the nearest name is \w+$/,
    )
  })
})

it('a gateway logs what its level says', async () => {
  const { child, url } = await startGateway({ LOG_LEVEL: 'fatal' })
  const logged: unknown[] = []
  child.stdout.on('data', (line) => logged.push(String(line)))
  await eventually(async () => ((await fetch(`${url}/readyz`)).ok ? true : undefined))
  expect(logged).toEqual([])
})

it('a gateway says that it has created its database, and that the database is down when the file was removed', async () => {
  const dataDir = freshFolder()
  const { child, url } = await startGateway({ DATA_DIR: dataDir })
  const lines: string[] = []
  child.stdout.on('data', (chunk) => lines.push(...String(chunk).split('\n')))
  const logged = (event: string) =>
    eventually(() => lines.find((line) => line.includes(`"event":"${event}"`)))
  const file = join(dataDir, 'amtiati.sqlite')
  expect(await logged('database.created')).toContain(`"database":"SQLite ${file}"`)
  await eventually(async () => ((await fetch(`${url}/readyz`)).ok ? true : undefined))
  await rm(file)
  expect(await logged('database.down')).toContain(`${file} was removed or replaced`)
  const answer = await fetch(`${url}/readyz`)
  expect(await answer.json()).toMatchObject({ ready: true, database: 'down', schema: 'known' })
})

it('a gateway ends in order, and does not start again, when a newer build has replaced the schema', async () => {
  const env = { DATABASE_URL: await freshPostgresUrl(), DRAIN_MS: '30000' }
  const { child, ended, url } = await startGateway(env)
  let log = ''
  child.stdout.on('data', (chunk) => {
    log += String(chunk)
  })
  await eventually(async () => ((await fetch(`${url}/readyz`)).ok ? true : undefined))
  const { open } = postgresAt(env.DATABASE_URL)
  const parts = open()
  onTestFinished(() => parts.kysely.destroy())
  const replacing = {
    isAdditive: false,
    statementsOf: () => ['ALTER TABLE orders RENAME COLUMN paid_at TO payment_at'],
  }
  await migrate(parts, { ...schemaSteps, '9999-replaces': replacing })
  // It does not serve on for DRAIN_MS, in which it would write.
  expect(await ended).toBe(1)
  const refusal =
    'the database is newer than this build (9999-replaces). Start the newer build, or restore the copy made before the upgrade.'
  const lines = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ event }) => /^(database\.schema|closing)/.test(event))
  expect(lines).toMatchObject([
    { level: 50, event: 'database.schema-incompatible', migrations: ['9999-replaces'], msg: refusal },
    { event: 'closing', reason: 'newer-schema', drainMs: 0 },
  ])
  expect(await complaintOf(env)).toBe(`The gateway does not start: ${refusal}`)
})

describe('a gateway that is asked to stop', () => {
  it('reports it while it still serves, and ends at once when asked again', async () => {
    const { child, ended, url } = await startGateway({ DRAIN_MS: '30000' })
    const ask = (path: string) => fetch(`${url}${path}`)
    await eventually(async () => ((await ask('/readyz')).ok ? true : undefined))
    child.kill('SIGTERM')
    const answer = await eventually(async () => {
      const next = await ask('/readyz')
      return next.status === 503 ? next : undefined
    })
    expect(await answer.json()).toEqual({
      ready: false,
      failing: ['closing'],
      paused: [],
      database: 'up',
      schema: 'known',
    })
    const served = await ask('/api/config')
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close'])
    child.kill('SIGTERM')
    expect(await ended).toBe(1)
  })
})

it('a gateway loads the packages of OpenTelemetry only when it has a collector', async () => {
  // `prom-client` loads `@opentelemetry/api` in any case.
  const refusesPackages = `import { registerHooks } from 'node:module'
    registerHooks({
      load(url, context, next) {
        if (/node_modules\\/@(fastify\\/otel|opentelemetry\\/(?!api\\/))/.test(url)) throw new Error('OpenTelemetry is loaded')
        return next(url, context)
      },
    })`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(refusesPackages)}`
  const { url } = await startGateway({ NODE_OPTIONS })
  await eventually(async () => ((await fetch(`${url}/readyz`)).ok ? true : undefined))
  const other = await startGateway({
    NODE_OPTIONS,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4',
  })
  expect(await other.ended).toBe(1)
  expect(await other.complaints).toContain('OpenTelemetry is loaded')
})
