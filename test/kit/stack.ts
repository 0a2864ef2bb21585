import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Control, openControl } from './control.ts'
import { eventually } from './eventually.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const readyWithinMs = 30_000
const keptLines = 2_000
const shownLines = 25

export interface Stack {
  /** Of the first gateway, without a slash at the end. */
  readonly gatewayUrl: string
  readonly gatewayUrls: readonly string[]
  readonly mockUrl: string
  readonly control: Control
  readonly dataDir: string
  /** Everything the gateways and the simulator have written so far, oldest first, each line led by who wrote it. */
  logs(): readonly string[]
  /** Ends one gateway and waits until it is gone. Resolves with its exit code, null when the signal killed it. */
  killGateway(signal?: NodeJS.Signals, index?: number): Promise<number | null>
  /**
   * Starts a gateway that was ended, on its old port and data, and waits until it is ready. `env` changes what it is
   * told from now on.
   */
  startGateway(index?: number, env?: Readonly<Record<string, string>>): Promise<void>
  /** Ends everything and removes the data. Throws when a process had ended without being told to. */
  close(): Promise<void>
}

interface Member {
  readonly name: string
  readonly entry: string
  /** Each answers well when the process can do its work. */
  readonly readyUrls: readonly string[]
  readonly env: NodeJS.ProcessEnv
  child?: ChildProcess
}

/**
 * A simulator and one or more gateways as real processes, with free ports and a data folder of their own.
 * Nothing of the caller's environment reaches them but what a program needs to run, and `env`.
 */
export async function startStack(
  options: { env?: Readonly<Record<string, string>>; gateways?: number } = {},
): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'amtiati-stack-'))
  const [mockPort = 0, ...gatewayPorts] = await freePorts(1 + (options.gateways ?? 1))
  const env = (port: number): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TMPDIR: process.env.TMPDIR,
    LOG_LEVEL: 'info',
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
    env: env(gatewayPorts[0] ?? 0),
  }
  const gateways: Member[] = gatewayPorts.map((port, index) => ({
    name: `gateway${gatewayPorts.length > 1 ? index + 1 : ''}`,
    entry: 'server/main.ts',
    // A gateway that had to fight for the processor while it started refuses calls for a moment.
    readyUrls: ['/readyz', '/api/config'].map((path) => `http://localhost:${port}${path}`),
    env: env(port),
  }))

  const lines: string[] = []
  const unexpectedEnds: string[] = []
  const expectedEnds = new WeakSet<ChildProcess>()
  const lastLines = () => lines.slice(-shownLines).join('\n  ')

  async function start(member: Member): Promise<void> {
    const args = ['--disable-warning=ExperimentalWarning', member.entry]
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: member.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    member.child = child
    const keep = (line: string) => {
      lines.push(`${member.name}: ${line}`)
      if (lines.length > keptLines) lines.shift()
    }
    createInterface({ input: child.stdout }).on('line', keep)
    createInterface({ input: child.stderr }).on('line', keep)
    child.once('close', (code, signal) => {
      if (!expectedEnds.has(child))
        unexpectedEnds.push(`${member.name} ended with ${signal ?? `code ${code}`}`)
    })
    await eventually(
      async () => {
        if (child.exitCode !== null || child.signalCode !== null) return { isReady: false }
        for (const url of member.readyUrls) {
          const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
          await response.arrayBuffer()
          if (!response.ok) return undefined
        }
        return { isReady: true }
      },
      { withinMs: readyWithinMs },
    ).then(
      ({ isReady }) => {
        if (!isReady) throw new Error(`${member.name} ended before it was ready:\n  ${lastLines()}`)
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
    const force = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await closed
    clearTimeout(force)
    return child.exitCode
  }

  const members = [mock, ...gateways]
  const killAll = () => {
    for (const { child } of members) child?.kill('SIGKILL')
  }
  // A worker of the test runner may be ended in the middle of a test; its processes must not outlive it.
  process.once('exit', killAll)

  async function close(): Promise<void> {
    process.off('exit', killAll)
    await Promise.all(gateways.map((gateway) => end(gateway, 'SIGTERM')))
    await end(mock, 'SIGTERM')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    if (unexpectedEnds.length > 0) throw new Error(`${unexpectedEnds.join(', ')}:\n  ${lastLines()}`)
  }

  const gatewayAt = (index: number): Member => {
    const gateway = gateways[index]
    if (gateway === undefined) throw new Error(`there is no gateway ${index}`)
    return gateway
  }

  try {
    await Promise.all(members.map(start))
  } catch (error) {
    // What matters is why it did not start, not that its neighbours are then ended.
    await close().catch(() => undefined)
    throw error
  }

  return {
    gatewayUrl: gatewayUrls[0] ?? '',
    gatewayUrls,
    mockUrl,
    control: openControl(mockUrl),
    dataDir,
    logs: () => lines,
    killGateway: (signal = 'SIGKILL', index = 0) => end(gatewayAt(index), signal),
    startGateway(index = 0, env = {}) {
      const gateway = gatewayAt(index)
      Object.assign(gateway.env, env)
      return start(gateway)
    },
    close,
  }
}

/** Ports that were free a moment ago, all different because all were held at once. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(async (server) => {
      server.listen({ port: 0, host: '127.0.0.1' })
      await once(server, 'listening')
      const address = server.address()
      return address !== null && typeof address === 'object' ? address.port : 0
    }),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
