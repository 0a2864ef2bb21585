import { useSyncExternalStore } from 'react'

/**
 * Every key the app keeps in the browser, beside the cookies. The privacy page describes them: a new key needs a
 * sentence there, in both languages. `session` ends with the tab; `local` stays until it is removed.
 */
const storageKeys = {
  /** The booking draft and the order made of it. */
  booking: 'session',
  /** Marks that an agent signed in on this browser (spec §3, §4). It has no authority. */
  agentToken: 'local',
  /** Id of the agent whose session the server confirmed last: opens the scanner without a network. No authority. */
  scanAgent: 'local',
  /** When this agent signed in, epoch milliseconds. */
  agentSince: 'local',
  /** The counts of bags that the agent has received and not accepted since the sign-in. */
  agentShift: 'local',
  /** The agent's bags, to be found and checked without a network. */
  keptBags: 'local',
  /** The agent whose pictures of bags are stored in IndexedDB, and when the last was (entities/handover/outbox.store.ts). */
  bagPhotos: 'local',
  /** Whether agents take pictures of bags, as the server said last: a scanner without a network asks nobody. */
  takesPhotos: 'local',
  /** Sound and vibration of the scanner are on, or off: absent until the agent has said. */
  scanSignals: 'local',
  /** The paid orders of the signed-in user, to be shown without a network. */
  keptOrders: 'local',
  /** What was typed into forms and is not sent, without codes. */
  drafts: 'session',
  /** The sign-in page: its open code dialog, a verified code without a name, and the waits the server asked for. */
  signIn: 'session',
  /** Role and id of the last signed-in person. */
  tabOwner: 'session',
  /** The desk: keys of the keyboard do nothing while it says `off`. */
  deskKeys: 'local',
  /** The desk: text that was typed and not sent, and its owner. Signing out removes it, and so does another person's sign-in. */
  deskDrafts: 'session',
  /** Development only: the pseudo-language is on. */
  pseudo: 'session',
} as const satisfies Readonly<Record<string, 'local' | 'session'>>

type StorageKey = keyof typeof storageKeys

// Private windows and blocked storage throw on access: every function below treats that as an empty storage.

function storageOf(key: StorageKey): Storage {
  return storageKeys[key] === 'local' ? window.localStorage : window.sessionStorage
}

/** @returns undefined when nothing is stored or storage is blocked. */
export function readStored(key: StorageKey): string | undefined {
  try {
    return storageOf(key).getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** The parsed JSON under `key`; undefined when there is none. */
export function readStoredJson(key: StorageKey): unknown {
  try {
    return JSON.parse(readStored(key) ?? '')
  } catch {
    return undefined
  }
}

/** @returns false when storage is blocked or full. */
export function store(key: StorageKey, value: string): boolean {
  try {
    storageOf(key).setItem(key, value)
    return true
  } catch {
    return false
  } finally {
    notify()
  }
}

export function storeJson(key: StorageKey, value: unknown): boolean {
  return store(key, JSON.stringify(value))
}

export function removeStored(key: StorageKey): void {
  try {
    storageOf(key).removeItem(key)
  } catch {
    return
  } finally {
    notify()
  }
}

/** Removes everything the tab holds. */
export function clearTabStorage(): void {
  try {
    window.sessionStorage.clear()
  } catch {
    return
  } finally {
    notify()
  }
}

const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The value stored under `key`; the component renders again when it changes. Documents are rendered without it. */
export function useStored(key: StorageKey): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => readStored(key),
    () => undefined,
  )
}
