import { ensureClientBuilt } from './lib/build.mjs'
import { demoControlKey, recordStack } from './lib/demo-key.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { choosePorts } from './lib/ports.mjs'
import { programsOf } from './lib/programs.mjs'
import { checkedOutCommit, leashed, loadEnvironmentFile, programEnv } from './lib/repo.mjs'
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

  const env = {
    ...programEnv,
    BUILD_COMMIT: checkedOutCommit(),
    ...process.env,
    ...(!isLive && { DEMO_CONTROL_KEY: demoControlKey() }),
  }
  if (!isLive) recordStack(ports.PORT)
  const { gateway, simulator } = programsOf({ host, ports, env, flags: leashed, environmentFile })
  if (isLive) return { children: [gateway], raw: true, banner: `Ready on http://${host}:${ports.PORT}` }

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
