import { ensureClientBuilt } from './lib/build.mjs'
import { demoControlKey, recordStack } from './lib/demo-key.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { choosePorts } from './lib/ports.mjs'
import {
  checkedOutCommit,
  leashed,
  loadEnvironmentFile,
  node,
  programEnv,
  programFlags,
} from './lib/repo.mjs'
import { runSession } from './lib/session.mjs'

/** Runs on the machine's Node (20 or newer); what it starts runs on Node 26. */
await runSession(async () => {
  const environmentFile = loadEnvironmentFile()
  const isLive = process.env.MODE?.trim() === 'live'
  const host = process.env.HOST?.trim() || '127.0.0.1'
  const gatewayPort = { variable: 'PORT', fallback: 3000, of: 'gateway' }
  const simulatorPort = { variable: 'MOCK_PARTNER_PORT', fallback: 4000, of: 'simulator' }
  const ports = await choosePorts(isLive ? [gatewayPort] : [gatewayPort, simulatorPort], host)

  await ensureInstalled()
  await ensureClientBuilt()

  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  const key = () => process.env.DEMO_CONTROL_KEY?.trim() || demoControlKey()
  const env = {
    ...programEnv,
    BUILD_COMMIT: checkedOutCommit(),
    ...process.env,
    ...(!isLive && { DEMO_CONTROL_KEY: key() }),
  }
  if (!isLive) recordStack(ports.PORT)
  const child = (name, app, ready, ...args) => ({
    name,
    command: node,
    args: [...leashed, ...programFlags, `${app}/main.ts`, ...args],
    env,
    ready,
  })
  const gateway = child(
    'gateway',
    'server',
    `http://${reachable}:${ports.PORT}/readyz`,
    ...(environmentFile ? [environmentFile] : []),
  )
  if (isLive) return { children: [gateway], raw: true, banner: `Ready on http://${host}:${ports.PORT}` }

  const simulator = child(
    'simulator',
    'mock-partner',
    `http://${reachable}:${ports.MOCK_PARTNER_PORT}/control/counters`,
  )
  const app = process.env.PUBLIC_URL?.trim() || `http://localhost:${ports.PORT}`
  return {
    children: [simulator, gateway],
    // With LOG_LEVEL set the log is shown unformatted; otherwise only warnings and errors.
    raw: Boolean(process.env.LOG_LEVEL?.trim()),
    banner: [
      '',
      `  App              ${app}`,
      `  Simulator panel  http://localhost:${ports.MOCK_PARTNER_PORT}`,
      '',
      '  Sign in with any Saudi mobile, e.g. 0501234567. The code is in the panel, under Messages.',
      `  Agents sign in at ${app}/agent-auth with +966500000101, …102 or …103.`,
      `  Staff sign in at ${app}/desk as one of four people, whose password is on the page.`,
      '',
      '  Ctrl-C stops everything.',
      '',
    ].join('\n'),
  }
})
