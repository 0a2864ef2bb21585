import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import { createStore } from './store.ts'
import { waits } from './waits.ts'

/*
 * Whether the server can be reached: what the browser says of the network, and how long calls and chunks wait. No other
 * module listens for the network.
 */

export type Connection = 'good' | 'slow' | 'offline'

const pending = new Set<{ readonly since: number }>()
const slow = createStore(false)
let slowTimer: ReturnType<typeof setTimeout> | undefined

/** Counts `work` as a wait for the network until it settles. @returns `work` itself. */
export function whileWaiting<T>(work: Promise<T>): Promise<T> {
  const wait = { since: performance.now() }
  const end = () => {
    pending.delete(wait)
    update()
  }
  pending.add(wait)
  update()
  work.then(end, end)
  return work
}

/** Updates `slow` from the longest wait, and again when that wait may become slow. */
function update(): void {
  clearTimeout(slowTimer)
  const longest = Math.max(0, ...[...pending].map(({ since }) => performance.now() - since))
  if (pending.size > 0 && longest < waits.note) slowTimer = setTimeout(update, waits.note - longest)
  slow.set(pending.size > 0 && longest >= waits.note)
}

/** False only when the browser reports that there is no network. */
export function isOnline(): boolean {
  return navigator.onLine !== false
}

/** `slow` while any call or chunk takes longer than eight seconds. */
export function useConnection(): Connection {
  // Documents show no note.
  return useSyncExternalStore(subscribe, connectionNow, () => 'good')
}

function connectionNow(): Connection {
  if (!isOnline()) return 'offline'
  return slow.get() ? 'slow' : 'good'
}

function subscribe(listener: () => void): () => void {
  const ignoreSlow = slow.subscribe(listener)
  const ignoreNetwork = onNetworkChange(listener)
  return () => {
    ignoreSlow()
    ignoreNetwork()
  }
}

/** Runs when the network is lost or returns. @returns a function that removes the listener. */
export function onNetworkChange(listener: (isBack: boolean) => void): () => void {
  const ended = new AbortController()
  window.addEventListener('online', () => listener(true), ended)
  window.addEventListener('offline', () => listener(false), ended)
  return () => ended.abort()
}

/** Runs when the network returns: requests that failed or hang can be tried again. */
export function useNetworkReturn(onReturn: () => void): void {
  const onChange = useEffectEvent((isBack: boolean) => {
    if (isBack) onReturn()
  })
  // A layout effect: the network may return between the render of a failure and a passive effect.
  useLayoutEffect(() => onNetworkChange((isBack) => onChange(isBack)), [])
}
