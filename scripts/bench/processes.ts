import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { configRows } from '#server/platform/config-variables.ts'
import type { Engine, EngineParts } from '#server/platform/database/database.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { type Balancer, openBalancer } from '#test/kit/balancer.ts'
import { type Control, openControl } from '#test/kit/control.ts'
import { openPatientPostgres } from '#test/kit/open-postgres.ts'
import { onFreePorts } from '#test/kit/ports.ts'
import { programEnv, programFlags } from '../lib/repo.mjs'
import type { FixedAnswer } from './baseline.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A large database opens slowly. */
const readyWithinMs = 120_000
const endsWithinMs = 90_000

/** A process that was started for a benchmark. */
export interface Program {
  readonly name: string
  readonly pid: number
  isRunning(): boolean
  /** Sends SIGTERM and waits for the end. @throws when it had ended before. */
  end(): Promise<void>
}

const running = new Set<ChildProcess>()
const folders = new Set<string>()
/** Cleans up processes and databases however a benchmark ends. */
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function start(
  name: string,
  entry: string,
  { env, log }: { env?: NodeJS.ProcessEnv; log?: string } = {},
): Program & { readonly child: ChildProcess } {
  const { PATH, HOME, TMPDIR } = process.env
  // A file, as in production: a pipe would cost processor time in this process, which makes the load.
  const output = log === undefined ? ('inherit' as const) : openSync(log, 'a')
  const child = spawn(process.execPath, [...programFlags, join(root, entry)], {
    cwd: root,
    env: { PATH, HOME, TMPDIR, ...programEnv, ...env },
    stdio: ['ignore', output, output, 'ipc'],
  })
  if (typeof output === 'number') closeSync(output)
  running.add(child)
  child.on('exit', () => running.delete(child))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    name,
    child,
    pid: child.pid ?? 0,
    isRunning,
    async end() {
      if (!isRunning()) throw new Error(`${name} had ended before${tailOf(log)}`)
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), endsWithinMs)
      await exited
      clearTimeout(force)
    },
  }
}

function tailOf(log: string | undefined): string {
  if (log === undefined) return ''
  return `:\n  ${readFileSync(log, 'utf8').trimEnd().split('\n').slice(-10).join('\n  ')}`
}

/** Resolves when the address answers 200. @throws when the process ends, or time runs out. */
async function untilAnswered(program: Program, url: string, log?: string): Promise<void> {
  const startedAt = performance.now()
  while (program.isRunning() && performance.now() - startedAt < readyWithinMs) {
    const isOk = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok
      },
      () => false,
    )
    if (isOk) return
    await pause(2)
  }
  throw new Error(`${program.name} was not ready${tailOf(log)}`)
}

/** A bare server that sends the same bytes, by default hardly any. */
export async function startBaseline(
  answer: FixedAnswer = { headers: [['content-length', '0']], body: '' },
): Promise<Program & { readonly url: string }> {
  const program = start('baseline', 'scripts/bench/baseline.ts')
  program.child.send(answer)
  const [url] = (await once(program.child, 'message')) as [string]
  return { ...program, url }
}

/** Milliseconds from the start of a bare server's process to its first answer: the share of Node itself. */
export async function coldStartOfBaseline(): Promise<number> {
  const startedAt = performance.now()
  const baseline = await startBaseline()
  await untilAnswered(baseline, baseline.url)
  const tookMs = performance.now() - startedAt
  await baseline.end()
  return tookMs
}

export interface PostgresServer {
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>
  /** Ends and starts the server, or stops and continues all its processes. Resolves when it is done. */
  outage(verb: 'stop' | 'kill' | 'start' | 'freeze' | 'thaw'): Promise<void>
  end(): Promise<void>
}

/** One real PostgreSQL in a process of its own, as the tests use it; a durable one keeps what it answered when it is killed. */
export async function startPostgres({ isDurable = false } = {}): Promise<PostgresServer> {
  const program = join(root, 'test/kit/postgres-server.ts')
  const child = spawn(process.execPath, [program, ...(isDurable ? ['--durable'] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    async createDatabase() {
      const response = await fetch(address)
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      return text
    },
    async outage(verb) {
      const response = await fetch(new URL(verb, address), { method: 'POST' })
      if (!response.ok) throw new Error(await response.text())
    },
    async end() {
      const exited = once(child, 'exit')
      child.stdin.end()
      await exited
    },
  }
}

/** The address that browsers use. All gateways of a benchmark share it, and with it the names of their cookies. */
export const publicUrl = 'http://localhost:3000'

/**
 * The shared limits of sign-in, with the windows of production and counts that are never reached: all load comes from
 * one address.
 */
function liftedLimits(): Record<string, string> {
  const shared = configRows.filter(
    ({ name, default: value }) =>
      /^OTP_/.test(name) && !/PER_(PHONE|CODE)$/.test(name) && /^\d+\/\d+[smhd]/.test(value ?? ''),
  )
  return Object.fromEntries(
    shared.map(({ name, default: value = '' }) => [name, value.replace(/\d+\//g, '100000000/')]),
  )
}

/** Of every gateway. */
const gatewayEnv = {
  LOG_LEVEL: 'info',
  PUBLIC_URL: publicUrl,
  ...liftedLimits(),
  // Accounts with paid orders are deleted, which give them up.
  CANCELLATION: 'off',
}

/** The gateways with simulator and database, each in a process of its own. */
export interface Deployment {
  readonly engine: Engine
  readonly gatewayUrls: readonly string[]
  readonly mockUrl: string
  readonly control: Control
  readonly simulator: Program
  gateways(): readonly Program[]
  /** The longest time in which the event loop of a gateway stood still since the last call, in milliseconds. */
  longestStop(): Promise<number>
  /** Ends the gateways. The simulator, the database and the data stay. */
  stopGateways(): Promise<void>
  /** Returns the milliseconds from the start of the first gateway's process until it was ready. */
  startGateways(): Promise<number>
  /** The database, for facts that no response contains. The caller closes it. */
  openDatabase(): EngineParts
  close(): Promise<void>
}

export interface DeploymentOptions {
  readonly engine: Engine
  readonly gateways?: number
  /** For PostgreSQL, which needs one of both: the server, or the address of an empty database. */
  readonly postgres?: PostgresServer | undefined
  readonly databaseUrl?: string
  /** Of every gateway, beside the usual settings. */
  readonly env?: Readonly<Record<string, string>>
}

export function startDeployment(options: DeploymentOptions): Promise<Deployment> {
  return onFreePorts(1 + (options.gateways ?? 1), (ports) => startOn(ports, options))
}

async function startOn(
  [mockPort = 0, ...ports]: readonly number[],
  { engine, postgres, env, ...options }: DeploymentOptions,
): Promise<Deployment> {
  const databaseUrl =
    engine === 'postgres' ? (options.databaseUrl ?? (await postgres?.createDatabase())) : undefined
  if (engine === 'postgres' && databaseUrl === undefined) throw new Error('there is no PostgreSQL')
  const dataDir = await mkdtemp(join(tmpdir(), 'amtiati-bench-'))
  folders.add(dataDir)
  const log = (name: string) => join(dataDir, `${name}.txt`)
  const gatewayUrls = ports.map((port) => `http://localhost:${port}`)
  const mockUrl = `http://localhost:${mockPort}`
  // Callbacks go to the gateways in turn, as those of a provider do.
  const balancer: Balancer | undefined = ports.length > 1 ? await openBalancer() : undefined
  balancer?.forwardTo(gatewayUrls)
  const common = { MOCK_PARTNER_PORT: String(mockPort), DATA_DIR: dataDir }
  const simulator = start('simulator', 'mock-partner/main.ts', {
    // A fixed label, because drawing one takes the simulator some 20 ms, and only the gateway is measured.
    env: { ...common, MOCK_LABELS: 'fixed' },
    log: log('simulator'),
  })
  let gateways: Program[] = []

  async function startGateway(port: number, index: number): Promise<number> {
    const startedAt = performance.now()
    const program = start(`gateway${ports.length > 1 ? ` ${index + 1}` : ''}`, 'server/main.ts', {
      env: {
        ...gatewayEnv,
        ...common,
        CALLBACK_URL: balancer?.url ?? gatewayUrls[0],
        PORT: String(port),
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        ...env,
      },
      log: log('gateway'),
    })
    gateways.push(program)
    const url = `http://localhost:${port}`
    await untilAnswered(program, `${url}/readyz`, log('gateway'))
    const tookMs = performance.now() - startedAt
    // Measurements begin once the gateway has fetched the partner's lists.
    for (const list of ['agents', 'centers'])
      await untilAnswered(program, `${url}/api/partner/${list}`, log('gateway'))
    return tookMs
  }
  const startGateways = async () => (await Promise.all(ports.map(startGateway)))[0] ?? Number.NaN

  async function stopGateways(): Promise<void> {
    const ending = gateways
    gateways = []
    await Promise.all(ending.map((program) => program.end()))
  }

  async function close(): Promise<void> {
    const ended = await Promise.allSettled([stopGateways(), simulator.end()])
    await balancer?.close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    folders.delete(dataDir)
    for (const each of ended) if (each.status === 'rejected') throw each.reason
  }

  try {
    await untilAnswered(simulator, `${mockUrl}/control/counters`, log('simulator'))
    await startGateways()
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
  return {
    engine,
    gatewayUrls,
    mockUrl,
    control: openControl(mockUrl),
    simulator,
    gateways: () => gateways,
    longestStop: async () => Math.max(...(await Promise.all(gatewayUrls.map(scrapeLongestStop)))),
    startGateways,
    stopGateways,
    openDatabase: () =>
      databaseUrl === undefined
        ? openSqlite(join(dataDir, 'amtiati.sqlite'))
        : openPatientPostgres(databaseUrl),
    close,
  }
}

/** The gateway measures it every 10 ms, and begins anew with every scrape. */
async function scrapeLongestStop(gatewayUrl: string): Promise<number> {
  const text = await (await fetch(`${gatewayUrl}/metrics`)).text()
  const seconds = /^nodejs_eventloop_lag_max_seconds(?:\{.*?\})? (\S+)/m.exec(text)?.[1]
  return Math.max(0, Number(seconds) * 1_000 - 10)
}
