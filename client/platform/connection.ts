import { useSyncExternalStore } from 'react'

/** From here on a person wonders whether anything still happens. */
const slowAfterMs = 8_000

const waits = new Set<{ readonly since: number }>()
const listeners = new Set<() => void>()
let slowTimer: ReturnType<typeof setTimeout> | undefined
let isSlow = false

/** Notes that somebody waits for the network until `work` settles; answers `work` itself. */
export function whileWaiting<T>(work: Promise<T>): Promise<T> {
  const wait = { since: performance.now() }
  const end = () => {
    waits.delete(wait)
    look()
  }
  waits.add(wait)
  look()
  work.then(end, end)
  return work
}

/** Decides anew whether the longest wait is long, and comes back when it may have become so. */
function look(): void {
  clearTimeout(slowTimer)
  const longest = Math.max(0, ...[...waits].map(({ since }) => performance.now() - since))
  if (waits.size > 0 && longest < slowAfterMs) slowTimer = setTimeout(look, slowAfterMs - longest)
  const isNowSlow = waits.size > 0 && longest >= slowAfterMs
  if (isNowSlow === isSlow) return
  isSlow = isNowSlow
  for (const listener of listeners) listener()
}

export type Connection = 'good' | 'slow' | 'offline'

/** False only when the browser is sure that there is no network at all. */
export function isOnline(): boolean {
  return navigator.onLine !== false
}

function connectionNow(): Connection {
  if (!isOnline()) return 'offline'
  return isSlow ? 'slow' : 'good'
}

/** `slow` while any call or chunk has been awaited for more than eight seconds. */
export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, connectionNow)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
