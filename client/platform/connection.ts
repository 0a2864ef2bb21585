import { useSyncExternalStore } from 'react'

/** After this wait the connection counts as slow. */
const slowAfterMs = 8_000

const waits = new Set<{ readonly since: number }>()
const listeners = new Set<() => void>()
let slowTimer: ReturnType<typeof setTimeout> | undefined
let isSlow = false

/** Counts `work` as a wait for the network until it settles. @returns `work` itself. */
export function whileWaiting<T>(work: Promise<T>): Promise<T> {
  const wait = { since: performance.now() }
  const end = () => {
    waits.delete(wait)
    update()
  }
  waits.add(wait)
  update()
  work.then(end, end)
  return work
}

/** Updates `isSlow` from the longest wait, and again when that wait may become slow. */
function update(): void {
  clearTimeout(slowTimer)
  const longest = Math.max(0, ...[...waits].map(({ since }) => performance.now() - since))
  if (waits.size > 0 && longest < slowAfterMs) slowTimer = setTimeout(update, slowAfterMs - longest)
  const isNowSlow = waits.size > 0 && longest >= slowAfterMs
  if (isNowSlow === isSlow) return
  isSlow = isNowSlow
  for (const listener of listeners) listener()
}

export type Connection = 'good' | 'slow' | 'offline'

/** False only when the browser reports that there is no network. */
export function isOnline(): boolean {
  return navigator.onLine !== false
}

function connectionNow(): Connection {
  if (!isOnline()) return 'offline'
  return isSlow ? 'slow' : 'good'
}

/** `slow` while any call or chunk takes longer than eight seconds. */
export function useConnection(): Connection {
  // Prerendered pages show no note.
  return useSyncExternalStore(subscribe, connectionNow, () => 'good')
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
