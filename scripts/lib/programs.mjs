import { node, programFlags } from './repo.mjs'

/** A program that listens on every address is reached by the one of this machine. */
export const reachable = (host) => (['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host)

/** Simulator and gateway as children of a session. `flags`: more arguments of `node`. */
export function programsOf({ host, ports, env, flags, environmentFile }) {
  const program = (name, folder, port, path, ...args) => ({
    name,
    command: node,
    args: [...flags, ...programFlags, `${folder}/main.ts`, ...args],
    env,
    ready: `http://${reachable(host)}:${port}${path}`,
  })
  const environment = environmentFile === undefined ? [] : [environmentFile]
  return {
    simulator: program('simulator', 'mock-partner', ports.MOCK_PARTNER_PORT, '/control/counters'),
    gateway: program('gateway', 'server', ports.PORT, '/readyz', ...environment),
  }
}
