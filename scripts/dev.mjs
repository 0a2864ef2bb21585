import { demoControlKey, recordStack } from './lib/demo-key.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { choosePorts } from './lib/ports.mjs'
import { programsOf, reachable } from './lib/programs.mjs'
import { leashed, loadEnvironmentFile, node, programEnv, vite } from './lib/repo.mjs'
import { runSession } from './lib/session.mjs'

/** Vite serves the client and proxies /api to the gateway; gateway and simulator restart when a file changes. */
await runSession(async () => {
  const environmentFile = loadEnvironmentFile()
  // A container listens on all of its addresses.
  const host = process.env.HOST?.trim() || '127.0.0.1'
  const ports = await choosePorts(
    [
      { variable: 'PORT', fallback: 3000, of: 'gateway' },
      { variable: 'MOCK_PARTNER_PORT', fallback: 4000, of: 'simulator' },
      { variable: 'VITE_PORT', fallback: 5173, of: 'Vite' },
    ],
    host,
  )
  await ensureInstalled()

  // Browsers open Vite's address, so the provider redirects there.
  const app = `http://localhost:${ports.VITE_PORT}`
  recordStack(ports.PORT)
  const env = {
    ...programEnv,
    PUBLIC_URL: app,
    DRAIN_MS: '0',
    ...process.env,
    DEMO_CONTROL_KEY: demoControlKey(),
    HOST: host,
  }
  const flags = ['--watch', '--watch-preserve-output']
  const { gateway, simulator } = programsOf({ host, ports, env, flags, environmentFile })
  return {
    children: [
      simulator,
      gateway,
      {
        name: 'vite',
        command: node,
        args: [
          ...leashed,
          vite,
          '--host',
          host,
          '--port',
          String(ports.VITE_PORT),
          '--strictPort',
          '--clearScreen',
          'false',
        ],
        env,
        ready: `http://${reachable(host)}:${ports.VITE_PORT}/`,
      },
    ],
    raw: Boolean(process.env.LOG_LEVEL?.trim()),
    banner: `\n  App              ${app}\n  Simulator panel  http://localhost:${ports.MOCK_PARTNER_PORT}\n\n  Ctrl-C stops everything.\n`,
  }
})
