import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers every GET with the URL of a fresh, empty PostgreSQL database. */
    freshPostgres: string
  }
}

/**
 * One PostgreSQL for the whole run, in a process of its own: the runner may be killed at any time and must not leave
 * a server behind. It starts with the first test that asks, so a run without databases pays nothing.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const entry = fileURLToPath(new URL('./postgres-server.ts', import.meta.url))
  const child = spawn(process.execPath, [entry], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [address] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(([code]) => {
      throw new Error(`the process that keeps PostgreSQL ended with ${code}`)
    }),
  ])) as [string]
  project.provide('freshPostgres', address)
  return async () => {
    child.stdin.end()
    await exited
  }
}
