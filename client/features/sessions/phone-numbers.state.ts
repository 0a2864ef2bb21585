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
 * Loads the library of phone numbers, which is a tenth of the sign-in page's code, after the fields can already be filled in.
 * `undefined` until it is loaded.
 */
export function usePhoneNumbers(): PhoneNumbers | undefined {
  useEffect(() => {
    // The action that needs the library loads it again, and shows the error when that fails.
    loadPhoneNumbers().catch(() => undefined)
  }, [])
  return useStore(loaded)
}
