import type { Core } from '#server/core.ts'
import type { WorkerName } from '#server/platform/worker-names.ts'

/** The names of the workers that are woken from now on, in their order. Waking then runs no worker. */
export function recordWakes({ workers }: Pick<Core, 'workers'>): WorkerName[] {
  const woken: WorkerName[] = []
  for (const [name, worker] of workers) workers.set(name, { ...worker, wake: () => void woken.push(name) })
  return woken
}
