import { useSyncExternalStore } from 'react'
import { readStored, removeStored, store } from '#client/platform/browser-storage.ts'

/*
 * The agent whose session the server confirmed last on this browser. Opens the scanner without a network, for the
 * confirmations of this agent alone; it authorises nothing.
 */

export function keepScanAgent(agentId: number): void {
  store('scanAgent', String(agentId))
}

export function forgetScanAgent(): void {
  removeStored('scanAgent')
}

export function useScanAgent(): number | undefined {
  return useSyncExternalStore(subscribe, readScanAgent, () => undefined)
}

function readScanAgent(): number | undefined {
  const id = Number(readStored('scanAgent'))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Another tab signs in or out; a change by this tab comes with one of the session. */
function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
