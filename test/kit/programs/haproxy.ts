import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../basics/eventually.ts'
import { readRepoFile, repoRoot } from '../repo/repo-files.ts'
import { onFreePorts } from './ports.ts'
import { findOrInstall } from './programs.ts'

export interface Haproxy {
  readonly url: string
  /** Resolves when that many gateways of a backend are up. By default: of the one that asks for the database. */
  untilUp(count: number, tier?: 'gateways' | 'ready'): Promise<void>
  /** Resolves when that many requests wait for a gateway. */
  untilQueued(count: number): Promise<void>
  /** The address of its metrics. */
  readonly metricsUrl: string
  /** The id of its process. */
  readonly pid: number
  /** The lines of its log. */
  log(): string
  close(): Promise<void>
}

/** The file that deployments use, on this machine alone. */
const deployed = () => readRepoFile('deploy/haproxy.cfg').replace('bind :', 'bind 127.0.0.1:')
/** The patience of tests: a slow answer is no error. */
const withPatience = (config: string) => config.replace(/^( +timeout \S+) \S+$/gm, '$1 300s')

/** So that few requests fill the gateways. */
const withRequests = (config: string, most: number) =>
  config.replace(/^( +default-server .* maxconn) \d+/m, `$1 ${most}`)

/** The second file, for HAProxy on a host. */
export const hostFile = `${repoRoot}deploy/haproxy-host.cfg`

/** Where the file finds the page for an outage. */
export const errorPage = { ERROR_PAGE: `${repoRoot}deploy/unavailable.html` }

const statusPage = (port: number) => `
frontend status
  mode http
  timeout client 300s
  bind 127.0.0.1:${port}
  stats enable
  stats uri /
`

/** The path of HAProxy. @throws with what to install where there is none. */
export function findHaproxy(): string {
  // Debian keeps it where only root's PATH leads.
  const program = findOrInstall({ ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }, ['haproxy'])
  if (program === undefined)
    throw new Error(
      'This test needs HAProxy and there is none. Install it (Debian: apt-get install haproxy).',
    )
  return program
}

interface HaproxyOptions {
  /** For gateways that must know it before; a free one by default. */
  readonly port?: number
  /** Uses the time-outs of deployments. */
  readonly isHasty?: boolean
  /** Most requests of a gateway; by default that of deployments. */
  readonly requests?: number
  /** Adds the file for a host; the test must run as root. */
  readonly isOnHost?: boolean
}

/** HAProxy (https://www.haproxy.org) in front of two gateways, with the configuration of deployments. */
export function startHaproxy(
  gatewayUrls: readonly [string, string],
  { port, isHasty = false, requests, isOnHost = false }: HaproxyOptions = {},
): Promise<Haproxy> {
  const patient = isHasty ? deployed() : withPatience(deployed())
  const config = requests === undefined ? patient : withRequests(patient, requests)
  return onFreePorts(3, ([own = 0, status = 0, metrics = 0]) =>
    startOn({ web: port ?? own, status, metrics }, gatewayUrls, config, isOnHost),
  )
}

interface Ports {
  readonly web: number
  readonly status: number
  readonly metrics: number
}

async function startOn(
  ports: Ports,
  gatewayUrls: readonly [string, string],
  config: string,
  isOnHost: boolean,
): Promise<Haproxy> {
  const program = findHaproxy()
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, config + statusPage(ports.status))
  const [first, second] = gatewayUrls.map((url) => `127.0.0.1:${new URL(url).port}`)
  const files = ['-f', file, ...(isOnHost ? ['-f', hostFile] : [])]
  const child = spawn(program, ['-db', ...files], {
    env: {
      ...process.env,
      ...errorPage,
      PROXY_PORT: String(ports.web),
      PROXY_METRICS: `127.0.0.1:${ports.metrics}`,
      GATEWAY_1: first,
      GATEWAY_2: second,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let logged = ''
  child.stdout.on('data', (chunk) => {
    logged += chunk
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(child, 'exit')
  const readRows = async () => {
    const rows = await fetch(`http://127.0.0.1:${ports.status}/;csv`)
    return (await rows.text()).split('\n')
  }
  // HAProxy says that it does not start before it opens any port, or ends.
  await Promise.race([ended, eventually(readRows)])
  if (child.exitCode !== null) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(`haproxy ended: ${said}`)
  }

  return {
    url: `http://127.0.0.1:${ports.web}`,
    metricsUrl: `http://127.0.0.1:${ports.metrics}/metrics`,
    pid: child.pid ?? 0,
    async untilUp(count, tier = 'gateways') {
      await eventually(async () => {
        const rows = await readRows()
        const isUp = (row: string) => row.startsWith(`${tier},gateway-`) && row.split(',')[17] === 'UP'
        return rows.filter(isUp).length === count ? true : undefined
      })
    },
    async untilQueued(count) {
      await eventually(async () => {
        const rows = await readRows()
        const queued = rows.find((row) => row.startsWith('gateways,BACKEND,'))?.split(',')[2]
        return Number(queued) === count ? true : undefined
      })
    },
    log: () => logged,
    async close() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
