import { isOnline } from '#client/platform/connection.ts'
import { reloadDocument } from '#client/platform/document.ts'

const storageKey = 'reloadedForRelease'

/** Two reloads closer than this mean that reloading does not help. */
const reloadWindowMs = 30_000

const goneChunks = new WeakSet<object>()

/**
 * After a release the chunks named by an open page are gone. One reload fetches the new page; should that not
 * help, the error goes on to the error page, which then asks instead of reloading for ever.
 */
export function reloadOnceAfterRelease(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // Without a network nothing is known of a release, and a reload would lose the page that is still there.
    if (!isOnline()) return
    if (mayReload(Date.now())) {
      event.preventDefault()
      reloadDocument()
      return
    }
    if (typeof event.payload === 'object' && event.payload !== null) goneChunks.add(event.payload)
  })
}

/** True for what a page failed with when its chunk could not be had although the network is there. */
export function isChunkGone(problem: unknown): boolean {
  return typeof problem === 'object' && problem !== null && goneChunks.has(problem)
}

function mayReload(now: number): boolean {
  try {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0)
    if (now - last <= reloadWindowMs) return false
    sessionStorage.setItem(storageKey, String(now))
    return true
  } catch {
    // Without storage nobody would notice a second reload.
    return false
  }
}
