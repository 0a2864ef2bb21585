import { demoControlKey, recordStack } from './lib/demo-key.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { choosePorts } from './lib/ports.mjs'
import { leashed, loadEnvironmentFile, node, programEnv, programFlags, vite } from './lib/repo.mjs'
import { runSession } from './lib/session.mjs'

/** Vite serves the client and proxies /api to the gateway; gateway and simulator restart when a file changes. */
await runSession(async () => {
  const environmentFile = loadEnvironmentFile()
  // A container listens on all of its addresses.
  const host = process.env.HOST?.trim() || '127.0.0.1'
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  const ports = await choosePorts(
    [
      { variable: 'PORT', fallback: 3000, of: 'gateway' },
      { variable: 'MOCK_PARTNER_PORT', fallback: 4000, of: 'simulator' },
      { variable: 'VITE_PORT', fallback: 5173, of: 'Vite' },
    ],
    host,
  )
  await ensureInstalled()

  const app = `http://localhost:${ports.VITE_PORT}`
  // Browsers open Vite's address, so the provider redirects there.
  const key = process.env.DEMO_CONTROL_KEY?.trim() || demoControlKey()
  recordStack(ports.PORT)
  const env = {
    ...programEnv,
    PUBLIC_URL: app,
    DRAIN_MS: '0',
    ...process.env,
    DEMO_CONTROL_KEY: key,
    HOST: host,
  }
  const watched = (name, app, ready, ...args) => ({
    name,
    command: node,
    args: [...programFlags, '--watch', '--watch-preserve-output', `${app}/main.ts`, ...args],
    env,
    ready,
  })
  return {
    children: [
      watched('simulator', 'mock-partner', `http://${reachable}:${ports.MOCK_PARTNER_PORT}/control/counters`),
      watched(
        'gateway',
        'server',
        `http://${reachable}:${ports.PORT}/readyz`,
        ...(environmentFile ? [environmentFile] : []),
      ),
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
        ready: `http://${reachable}:${ports.VITE_PORT}/`,
      },
    ],
    raw: Boolean(process.env.LOG_LEVEL?.trim()),
    banner: `\n  App              ${app}\n  Simulator panel  http://localhost:${ports.MOCK_PARTNER_PORT}\n\n  Ctrl-C stops everything.\n`,
  }
})
