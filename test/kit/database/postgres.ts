import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * A PostgreSQL in a process of its own, so that a killed runner leaves no server behind. It starts with the first request,
 * so that a run without databases does not start it. `settings` such as `archive_mode=on` win over those of the tests.
 */
export async function startPostgres(settings: readonly string[] = []): Promise<{
  readonly address: string
  readonly pid: number
  stop(): Promise<void>
}> {
  const entry = fileURLToPath(new URL('./postgres-server.ts', import.meta.url))
  const child = spawn(process.execPath, [entry, ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [address] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(([code]) => {
      throw new Error(`the PostgreSQL process ended with ${code}`)
    }),
  ])) as [string]
  return {
    address,
    pid: child.pid ?? 0,
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}

/** One for the whole run. Its workers read the address (fresh-postgres.ts). */
export async function setup(): Promise<() => Promise<void>> {
  const { address, stop } = await startPostgres()
  process.env.TEST_POSTGRES = address
  return stop
}
