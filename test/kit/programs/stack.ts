import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type GatewayLimits, gatewayLimits } from '#server/platform/gateway-limits.ts'
import { eventually } from '../basics/eventually.ts'
import { patienceMs, patientLimits } from '../basics/patience.ts'
import { type Control, openControl } from './control.ts'
import { onFreePorts } from './ports.ts'
import { spawnNode } from './spawn.ts'

const keptLines = 2_000
const shownLines = 25

/** DEMO_CONTROL_KEY of every stack of the tests. */
export const demoKey = 'demo-control-key-of-the-tests'

/** A gateway and the simulator of its external services. */
export interface Stack {
  /** Of the first gateway, without a slash at the end. */
  readonly gatewayUrl: string
  readonly mockUrl: string
  readonly control: Control
  readonly dataDir: string
  /** Lines of the log, oldest first, each with the name of its program. Of processes the last 2,000. */
  logs(): readonly string[]
  /** Ends the programs and removes the data. @throws when a process had ended by itself. */
  close(): Promise<void>
}

/** Why a line of the gateway's log is refused: collectors drop what is not JSON. One write may hold several lines. */
export function complaintAboutLine(written: string): string | undefined {
  try {
    for (const line of written.trimEnd().split('\n')) JSON.parse(line)
    return undefined
  } catch {
    return `a line of the log is not JSON: ${written}`
  }
}

/** Real processes: one simulator, and one or more gateways. */
export interface ProcessStack extends Stack {
  readonly gatewayUrls: readonly string[]
  /** The simulator, then the gateways, as they run now. */
  programs(): readonly { readonly name: string; readonly pid: number }[]
  /** Ends one gateway. Resolves with its exit code, null when the signal killed it. */
  killGateway(signal?: NodeJS.Signals, index?: number): Promise<number | null>
  /**
   * Starts an ended gateway on its old port and data, and waits until it is ready. `env` changes its environment from
   * then on.
   */
  startGateway(index?: number, env?: Readonly<Record<string, string>>): Promise<void>
}

/** Whether a gateway that was asked to stop serves no new connection, or says on one that it closes. For `eventually`. */
export const refuses = (gatewayUrl: string) =>
  fetch(`${gatewayUrl}/readyz`).then(
    ({ ok }) => !ok || undefined,
    () => true,
  )

interface Member {
  readonly name: string
  readonly entry: string
  /** Each answers 2xx when the process is ready. */
  readonly readyUrls: readonly string[]
  readonly env: NodeJS.ProcessEnv
  child?: ChildProcess
}

/**
 * The partner's look-ups lag by up to 40 s and the gateway waits 60 s for them; tests scale both down. Shipments whose
 * outcome is known are not affected.
 */
const laggingLookUps = (scale: number) => ({
  env: { MOCK_SHIPPING_LAG_MS: String(40_000 * scale) },
  limits: { shipmentQuietMs: gatewayLimits.shipmentQuietMs * scale },
})

const shortLookUps = laggingLookUps(0.1)

/** The limits of every gateway of the tests, before a test's own. */
export const stackLimits: GatewayLimits = {
  ...patientLimits,
  ...shortLookUps.limits,
  // An account of a test creates more orders than a real user; tests of these limits set their own.
  openOrdersPerUser: 1_000_000,
  accountCallsPerUser: [{ count: 1_000_000, windowMs: 1_000 }],
}

/** The environment of every gateway and simulator of the tests, before a test's own. */
export const stackEnv = {
  LOG_LEVEL: 'info',
  ...shortLookUps.env,
  // Tests of messages switch them on: their statuses change rows while other tests compare them.
  MESSAGES_ENABLED: 'false',
  DEMO_CONTROL_KEY: demoKey,
  // No balancer has to notice the stop.
  DRAIN_MS: '0',
} as const

interface StackOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly limits?: Partial<GatewayLimits>
  readonly gateways?: number
  /** The simulator's clock and reset change the gateway, too. */
  readonly isOneWorld?: boolean
  /** The programs write into a file, as in production: reading pipes would cost this process time, which a measurement counts. */
  readonly isLogFile?: boolean
}

/**
 * Starts a simulator and one or more gateways as real processes, with free ports and a data folder of their own. Their
 * environment is `env` and what any program needs to run.
 */
export function startStack(options: StackOptions = {}): Promise<ProcessStack> {
  return onFreePorts(1 + (options.gateways ?? 1), (ports) => startOn(ports, options))
}

/** Of a file that may be too long for one string. */
function lastLinesOf(path: string): string[] {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, shownLines * 1_000))
    readSync(file, bytes, 0, bytes.length, size - bytes.length)
    return bytes.toString().split('\n')
  } finally {
    closeSync(file)
  }
}

async function startOn(
  [mockPort = 0, ...gatewayPorts]: readonly number[],
  options: StackOptions,
): Promise<ProcessStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'amtiati-stack-'))
  const env = (port: number): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TMPDIR: process.env.TMPDIR,
    ...stackEnv,
    ...options.env,
    PORT: String(port),
    MOCK_PARTNER_PORT: String(mockPort),
    DATA_DIR: dataDir,
  })

  const mockUrl = `http://localhost:${mockPort}`
  const gatewayUrls = gatewayPorts.map((port) => `http://localhost:${port}`)
  const mock: Member = {
    name: 'simulator',
    entry: 'mock-partner/main.ts',
    readyUrls: [`${mockUrl}/control/counters`],
    env: { ...env(gatewayPorts[0] ?? 0), ...(options.isOneWorld ? {} : { DEMO_CONTROL_KEY: '' }) },
  }
  const gateways: Member[] = gatewayPorts.map((port, index) => ({
    name: `gateway${gatewayPorts.length > 1 ? index + 1 : ''}`,
    entry: 'test/kit/gateway/limited-gateway.ts',
    readyUrls: [`http://localhost:${port}/readyz`],
    env: { ...env(port), TEST_LIMITS: JSON.stringify({ ...stackLimits, ...options.limits }) },
  }))

  const lines: string[] = []
  const unexpectedEnds: string[] = []
  const expectedEnds = new WeakSet<ChildProcess>()
  const logFile = join(dataDir, 'log.txt')
  const logs = () => (options.isLogFile ? lastLinesOf(logFile) : lines)
  const lastLines = () => logs().slice(-shownLines).join('\n  ')

  function readLines(member: Member, child: ReturnType<typeof spawnNode>): void {
    const keep = (line: string) => {
      lines.push(`${member.name}: ${line}`)
      if (lines.length > keptLines) lines.shift()
    }
    createInterface({ input: child.stdout }).on('line', (line) => {
      // The last line of a killed process may be cut.
      const complaint = member !== mock && !expectedEnds.has(child) ? complaintAboutLine(line) : undefined
      if (complaint) unexpectedEnds.push(complaint)
      keep(line)
    })
    createInterface({ input: child.stderr }).on('line', keep)
  }

  async function start(member: Member): Promise<void> {
    const output = options.isLogFile ? openSync(logFile, 'a') : 'pipe'
    const child = spawnNode(member.entry, { env: member.env, output })
    member.child = child
    if (output === 'pipe') readLines(member, child)
    else closeSync(output)
    // Not only an answer at the address: until the child listens, that could be of another program.
    let isListening = false
    child.on('message', () => {
      isListening = true
    })
    child.once('close', (code, signal) => {
      if (!expectedEnds.has(child))
        unexpectedEnds.push(`${member.name} ended with ${signal ?? `code ${code}`}`)
    })
    const isReady = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return false
      if (!isListening) return undefined
      for (const url of member.readyUrls) {
        const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) })
        await response.arrayBuffer()
        if (!response.ok) return undefined
      }
      return true
    }
    await eventually(isReady, { everyMs: 10 }).then(
      (isAnswered) => {
        if (!isAnswered) throw new Error(`${member.name} ended before it was ready:\n  ${lastLines()}`)
      },
      (error) => {
        throw new Error(`${member.name} was not ready: ${error.message}\n  ${lastLines()}`)
      },
    )
  }

  async function end(member: Member, signal: NodeJS.Signals): Promise<number | null> {
    const { child } = member
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null
    expectedEnds.add(child)
    const closed = once(child, 'close')
    child.kill(signal)
    const force = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    await closed
    clearTimeout(force)
    return child.exitCode
  }

  const members = [mock, ...gateways]
  async function close(): Promise<void> {
    await Promise.all(gateways.map((gateway) => end(gateway, 'SIGTERM')))
    await end(mock, 'SIGTERM')
    const last = unexpectedEnds.length > 0 ? lastLines() : ''
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    if (unexpectedEnds.length > 0) throw new Error(`${unexpectedEnds.join(', ')}:\n  ${last}`)
  }

  const gatewayAt = (index: number): Member => {
    const gateway = gateways[index]
    if (gateway === undefined) throw new Error(`there is no gateway ${index}`)
    return gateway
  }

  try {
    await Promise.all(members.map(start))
  } catch (error) {
    // Report the failed start, not errors while the other processes are ended.
    await close().catch(() => undefined)
    throw error
  }

  return {
    gatewayUrl: gatewayUrls[0] ?? '',
    gatewayUrls,
    mockUrl,
    control: openControl(mockUrl),
    dataDir,
    programs: () => members.map(({ name, child }) => ({ name, pid: child?.pid ?? 0 })),
    logs,
    killGateway: (signal = 'SIGKILL', index = 0) => end(gatewayAt(index), signal),
    startGateway(index = 0, env = {}) {
      const gateway = gatewayAt(index)
      Object.assign(gateway.env, env)
      return start(gateway)
    },
    close,
  }
}
