import { readStored, store } from '#client/platform/browser-storage.ts'
import { isOnline } from '#client/platform/connection.ts'
import { reloadDocument } from '#client/platform/document.ts'

/** A second reload within this time means that reloading does not help. */
const reloadWindowMs = 30_000

const goneChunks = new WeakSet<object>()

let earlyLoads = 0

/**
 * For chunks that are loaded before they are needed: when one is missing, the page on screen stays as it is. A page that
 * was opened meanwhile and misses the same chunk offers the new version.
 */
export async function withoutReload(load: Promise<unknown>): Promise<void> {
  earlyLoads += 1
  await load.catch(() => undefined)
  earlyLoads -= 1
}

/**
 * After a release the server no longer has the chunks an open page refers to. One reload fetches the new page; if that
 * does not help, the error reaches the error page, which offers a button instead of reloading again.
 */
export function reloadOnceAfterRelease(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // Offline, the failure says nothing about a release, and a reload would lose the page on screen.
    if (!isOnline()) return
    if (earlyLoads === 0 && mayReload(Date.now())) {
      event.preventDefault()
      reloadDocument()
      return
    }
    if (typeof event.payload === 'object' && event.payload !== null) goneChunks.add(event.payload)
  })
}

/** True for the error of a chunk that failed to load while online, when no reload is due. */
export function isChunkGone(problem: unknown): boolean {
  return typeof problem === 'object' && problem !== null && goneChunks.has(problem)
}

function mayReload(now: number): boolean {
  const last = Number(readStored('reloadedForRelease') ?? 0)
  if (now - last <= reloadWindowMs) return false
  // Where storage is blocked a second reload would go unnoticed, and the page would reload for ever.
  return store('reloadedForRelease', String(now))
}
