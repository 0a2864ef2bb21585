import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { configRows } from '#server/platform/config.ts'
import type { Engine, EngineParts } from '#server/platform/database/database.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { type Balancer, openBalancer } from '#test/kit/balancer.ts'
import { type Control, openControl } from '#test/kit/control.ts'
import { openPatientPostgres } from '#test/kit/open-postgres.ts'
import { onFreePorts } from '#test/kit/ports.ts'
import { programEnv, programFlags } from '../lib/repo.mjs'
import { processorMsOf } from './machine.ts'
import { isAnswer } from './questions.ts'
import type { Vitals } from './vitals.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const probe = new URL('./probe.ts', import.meta.url).href

/** A large database opens slowly. */
const readyWithinMs = 120_000
const endsWithinMs = 90_000

/** A process that was started for a benchmark. */
export interface Child {
  readonly name: string
  readonly pid: number
  ask<T>(job: unknown): Promise<T>
  /** Processor time so far in milliseconds; undefined where the system does not tell. */
  processorMs(): number | undefined
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
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; log?: string } = {},
): Child {
  const output = options.log === undefined ? ('inherit' as const) : openSync(options.log, 'a')
  const child = spawn(process.execPath, [...programFlags, ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR,
      ...programEnv,
      ...options.env,
    },
    // A file, as in production: a pipe would cost processor time in the process that reads it.
    stdio: ['ignore', output, output, 'ipc'],
    serialization: 'advanced',
  })
  if (typeof output === 'number') closeSync(output)
  running.add(child)
  let last = 0
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  child.on('message', (message) => {
    if (!isAnswer(message)) return
    const asked = waiting.get(message.question)
    waiting.delete(message.question)
    if (message.error === undefined) asked?.resolve(message.result as never)
    else asked?.reject(new Error(`${name}: ${message.error}`))
  })
  child.on('exit', () => {
    running.delete(child)
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended${tailOf(options.log)}`))
    waiting.clear()
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    name,
    pid: child.pid ?? 0,
    isRunning,
    ask: (job) =>
      new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve, reject })
        child.send({ question: last, job })
      }),
    processorMs: () => processorMsOf(child.pid ?? 0),
    async end() {
      if (!isRunning()) throw new Error(`${name} had ended before${tailOf(options.log)}`)
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
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  return `:\n  ${lines.slice(-10).join('\n  ')}`
}

export const startGenerator = (): Child => start('generator', [here('./generator.ts')])
export const startBaseline = (): Child => start('baseline', [here('./baseline.ts')])

/** Milliseconds until the address answers 200. @throws when the process ends, or time runs out. */
async function untilAnswered(child: Child, url: string, log?: string): Promise<number> {
  const startedAt = performance.now()
  while (child.isRunning() && performance.now() - startedAt < readyWithinMs) {
    const isOk = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok
      },
      () => false,
    )
    if (isOk) return performance.now() - startedAt
    await pause(2)
  }
  throw new Error(`${child.name} was not ready${tailOf(log)}`)
}

/** Milliseconds from the start of a bare server's process to its first answer: the share of Node itself. */
export async function coldStartOfBaseline(): Promise<number> {
  const startedAt = performance.now()
  const child = startBaseline()
  const url = await child.ask<string>({ status: 200, headers: [], body: '' })
  await untilAnswered(child, url)
  const tookMs = performance.now() - startedAt
  await child.end()
  return tookMs
}

export interface PostgresServer {
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>
  end(): Promise<void>
}

/** One real PostgreSQL in a process of its own, as the tests use it. */
export async function startPostgres(): Promise<PostgresServer> {
  const child = spawn(process.execPath, [join(root, 'test/kit/postgres-server.ts')], {
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

/** The gateways with simulator and database, each in a process of its own. */
export interface Deployment {
  readonly engine: Engine
  readonly gatewayUrls: readonly string[]
  readonly mockUrl: string
  readonly control: Control
  readonly simulator: Child
  gateways(): readonly Child[]
  /** Event loop, processor and memory of every gateway since the last call. */
  vitals(): Promise<Vitals[]>
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
  /** Needed for PostgreSQL. */
  readonly postgres?: PostgresServer | undefined
}

export function startDeployment(options: DeploymentOptions): Promise<Deployment> {
  return onFreePorts(1 + (options.gateways ?? 1), (ports) => startOn(ports, options))
}

async function startOn(
  [mockPort = 0, ...ports]: readonly number[],
  { engine, gateways = 1, postgres }: DeploymentOptions,
): Promise<Deployment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'amtiati-bench-'))
  folders.add(dataDir)
  const log = (name: string) => join(dataDir, `${name}.txt`)
  const databaseUrl = engine === 'postgres' ? await postgres?.createDatabase() : undefined
  if (engine === 'postgres' && databaseUrl === undefined) throw new Error('there is no PostgreSQL')
  const gatewayUrls = ports.map((port) => `http://localhost:${port}`)
  const mockUrl = `http://localhost:${mockPort}`
  // Callbacks go to the gateways in turn, as those of a provider do.
  const balancer: Balancer | undefined = gateways > 1 ? await openBalancer() : undefined
  balancer?.forwardTo(gatewayUrls)
  const common = { MOCK_PARTNER_PORT: String(mockPort), DATA_DIR: dataDir }
  const gatewayEnv = {
    ...common,
    LOG_LEVEL: 'info',
    PUBLIC_URL: publicUrl,
    CALLBACK_URL: balancer?.url ?? gatewayUrls[0],
    ...liftedLimits(),
    // The season is two months old at once: with the defaults its older half would be deleted during the run.
    KEEP_IDEMPOTENCY_KEYS_DAYS: '365',
    KEEP_UNPAID_ORDERS_DAYS: '90',
    // Accounts with paid orders are deleted, which give them up.
    CANCELLATION: 'off',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
  const simulator = start('simulator', [join(root, 'mock-partner/main.ts')], {
    // A fixed label, because drawing one takes the simulator some 20 ms, and only the gateway is measured.
    env: { ...common, MOCK_LABELS: 'fixed' },
    log: log('simulator'),
  })
  let children: Child[] = []

  async function startGateways(): Promise<number> {
    children = []
    const times = await Promise.all(
      ports.map((port, index) => {
        const name = `gateway${gateways > 1 ? ` ${index + 1}` : ''}`
        const startedAt = performance.now()
        const child = start(name, ['--import', probe, join(root, 'server/main.ts')], {
          env: { ...gatewayEnv, PORT: String(port) },
          log: log('gateway'),
        })
        children.push(child)
        return untilAnswered(child, `http://localhost:${port}/readyz`, log('gateway')).then(
          () => performance.now() - startedAt,
        )
      }),
    )
    // Measurements begin once the gateways have fetched the partner's lists.
    for (const [index, url] of gatewayUrls.entries())
      for (const list of ['agents', 'centers'])
        await untilAnswered(children[index] as Child, `${url}/api/partner/${list}`, log('gateway'))
    return times[0] ?? Number.NaN
  }

  async function stopGateways(): Promise<void> {
    const ending = children
    children = []
    await Promise.all(ending.map((child) => child.end()))
  }

  const deployment: Deployment = {
    engine,
    gatewayUrls,
    mockUrl,
    control: openControl(mockUrl),
    simulator,
    gateways: () => children,
    vitals: () => Promise.all(children.map((child) => child.ask<Vitals>('vitals'))),
    startGateways,
    stopGateways,
    openDatabase: () =>
      databaseUrl === undefined
        ? openSqlite(join(dataDir, 'amtiati.sqlite'))
        : openPatientPostgres(databaseUrl),
    async close() {
      const ended = await Promise.allSettled([stopGateways(), simulator.end()])
      await balancer?.close()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
      folders.delete(dataDir)
      for (const each of ended) if (each.status === 'rejected') throw each.reason
    },
  }
  try {
    await untilAnswered(simulator, `${mockUrl}/control/counters`, log('simulator'))
    await startGateways()
  } catch (error) {
    await deployment.close().catch(() => undefined)
    throw error
  }
  return deployment
}
