import { reloadDocument } from '#client/platform/document.ts'

const storageKey = 'reloadedForRelease'

/** Two reloads closer than this mean that reloading does not help. */
const reloadWindowMs = 30_000

/**
 * After a release the chunks named by an open page are gone. One reload fetches the new page; should that not
 * help, the error goes on to the error page instead of reloading for ever.
 */
export function reloadOnceAfterRelease(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!mayReload(Date.now())) return
    event.preventDefault()
    reloadDocument()
  })
}

function mayReload(now: number): boolean {
  try {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0)
    sessionStorage.setItem(storageKey, String(now))
    return now - last > reloadWindowMs
  } catch {
    // Without storage nobody would notice a second reload.
    return false
  }
}
