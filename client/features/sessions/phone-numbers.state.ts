import { useEffect } from 'react'
import { createStore, useStore } from '#client/platform/store.ts'

type PhoneNumbers = typeof import('./phone-numbers.ts')

const loaded = createStore<PhoneNumbers | undefined>(undefined)

export const phoneNumbersNow = loaded.get

/** @throws when the chunk cannot be loaded; the next call tries again. */
export async function loadPhoneNumbers(): Promise<PhoneNumbers> {
  const numbers = loaded.get() ?? (await import('./phone-numbers.ts'))
  loaded.set(numbers)
  return numbers
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
  return useStore(loaded)
}
