import { useEffect, useSyncExternalStore } from 'react'

type PhoneNumbers = typeof import('./phone-numbers.ts')

let loaded: PhoneNumbers | undefined
const listeners = new Set<() => void>()

/** @throws when the chunk cannot be loaded; the next call tries again. */
export async function loadPhoneNumbers(): Promise<PhoneNumbers> {
  if (loaded !== undefined) return loaded
  loaded = await import('./phone-numbers.ts')
  for (const listener of listeners) listener()
  return loaded
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * The library of phone numbers is a tenth of what sign-in weighs. It is loaded when the fields can be filled in already;
 * undefined until then.
 */
export function usePhoneNumbers(): PhoneNumbers | undefined {
  useEffect(() => {
    // What needs them asks again, and says so when it fails.
    loadPhoneNumbers().catch(() => undefined)
  }, [])
  return useSyncExternalStore(
    subscribe,
    () => loaded,
    () => undefined,
  )
}
