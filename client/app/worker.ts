import { reloadDocument } from '#client/platform/document.ts'
import { createStore, useStore } from '#client/platform/store.ts'
import { trustedWorkerUrl } from '#client/platform/trusted-types.ts'
import type { ToWorker } from '#client/worker/worker.types.ts'

/*
 * The page's side of the service worker (client/worker). A new release is installed in the background and waits: it takes
 * over when the user asks for it, or at once when this page is of that release already.
 */

/** The time between two checks for a new release. */
const updateEveryMs = 60 * 60_000

let registration: ServiceWorkerRegistration | undefined
let askedAt = 0
const waiting = createStore<ServiceWorker | undefined>(undefined)

/** Registers the worker, once per document. Without one the app works as before, only not off line. */
export async function startWorker(): Promise<void> {
  if (import.meta.env.DEV || askedAt !== 0 || !('serviceWorker' in navigator)) return
  askedAt = Date.now()
  try {
    registration = await navigator.serviceWorker.register(trustedWorkerUrl(), { updateViaCache: 'none' })
  } catch {
    // Blocked by settings, or no network: the next document tries again.
    return
  }
  if (registration.waiting) await consider(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const installing = registration?.installing
    installing?.addEventListener('statechange', () => {
      // The first worker of a browser has nothing to wait for.
      if (installing.state === 'installed' && navigator.serviceWorker.controller) void consider(installing)
    })
  })
}

/** Asks for a new release when the page is shown again after a long time. */
export function lookForRelease(): void {
  if (registration === undefined || Date.now() - askedAt < updateEveryMs) return
  askedAt = Date.now()
  registration.update().catch(() => undefined)
}

/** True while a newer release waits. */
export function useIsReleaseWaiting(): boolean {
  return useStore(waiting) !== undefined
}

/** Lets the waiting release take over, and reloads this page. Other pages go on with the chunks they have. */
export function takeRelease(): void {
  const worker = waiting.get()
  if (worker === undefined) return
  navigator.serviceWorker.addEventListener('controllerchange', reloadDocument, { once: true })
  tell(worker, 'activate')
}

/** Stores the scanner for use without a network. Repeating it loads nothing that is stored. */
export async function keepScanner(): Promise<void> {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  const { active } = await navigator.serviceWorker.ready
  if (active !== null) tell(active, 'keep-scanner')
}

async function consider(worker: ServiceWorker): Promise<void> {
  if ((await releaseOf(worker)) === documentRelease()) return tell(worker, 'activate')
  waiting.set(worker)
  worker.addEventListener('statechange', () => {
    // Another page took it.
    const isTaken = worker.state === 'activated' || worker.state === 'redundant'
    if (isTaken && waiting.get() === worker) waiting.set(undefined)
  })
}

function documentRelease(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="release"]')?.content
}

function releaseOf(worker: ServiceWorker): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data), { once: true })
    port1.start()
    tell(worker, 'release', [port2])
  })
}

function tell(worker: ServiceWorker, message: ToWorker, ports: Transferable[] = []): void {
  worker.postMessage(message, ports)
}
