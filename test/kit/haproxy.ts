import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { freePorts } from './ports.ts'
import { findOrInstall } from './programs.ts'

export interface Haproxy {
  readonly url: string
  /** Resolves when HAProxy considers that many gateways ready. */
  untilUp(count: number): Promise<void>
  close(): Promise<void>
}

/** Checks `/readyz` five times a second, and never sends a request that one gateway has accepted to another. */
const configOf = (port: number, statusPort: number, gatewayUrls: readonly string[]) => `
defaults
  mode http
  timeout connect 60s
  timeout client 300s
  timeout server 300s
  timeout check 60s
  option redispatch
frontend people
  bind 127.0.0.1:${port}
  default_backend gateways
backend gateways
  option httpchk GET /readyz
  default-server check inter 200ms fall 1 rise 1
${gatewayUrls.map((url, index) => `  server gateway${index} 127.0.0.1:${new URL(url).port}`).join('\n')}
frontend status
  bind 127.0.0.1:${statusPort}
  stats enable
  stats uri /
`

/** HAProxy (https://www.haproxy.org) in front of gateways. @throws with what to install where there is none. */
export async function startHaproxy(
  gatewayUrls: readonly string[],
  port: number,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Haproxy> {
  // Debian keeps it where only root's PATH leads.
  const program = findOrInstall({ ...env, PATH: `${env.PATH}:/usr/sbin` }, ['haproxy'])
  if (program === undefined)
    throw new Error(
      'This test needs HAProxy and there is none. Install it (Debian: apt-get install haproxy).',
    )
  const [statusPort = 0] = await freePorts(1)
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configOf(port, statusPort, gatewayUrls))
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(child, 'exit')

  return {
    url: `http://127.0.0.1:${port}`,
    async untilUp(count) {
      await eventually(async () => {
        if (child.exitCode !== null) throw new Error(`haproxy ended: ${said}`)
        const rows = (await (await fetch(`http://127.0.0.1:${statusPort}/;csv`)).text()).split('\n')
        const isUp = (row: string) => /^gateways,gateway\d+,/.test(row) && row.split(',')[17] === 'UP'
        return rows.filter(isUp).length === count ? true : undefined
      })
    },
    async close() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
