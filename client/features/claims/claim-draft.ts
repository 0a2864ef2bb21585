import { useState } from 'react'
import { readStoredJson, removeStored, storeJson } from '#client/platform/browser-storage.ts'

/*
 * What was typed and is not sent: it outlives a reload, a session that has ended, and a phone without a network. By the order
 * it reports about, or the claim it answers. Photographs are not kept: they are too large.
 */

type Drafts = Readonly<Record<string, unknown>>

function readDrafts(): Drafts {
  const stored = readStoredJson('claimDrafts')
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? (stored as Drafts) : {}
}

/** @param read what a stored value is; undefined for another build's. */
export function useDraft<T>(name: string, empty: T, read: (stored: unknown) => T | undefined) {
  const [value, setValue] = useState<T>(() => read(readDrafts()[name]) ?? empty)
  return {
    value,
    change(next: T): void {
      setValue(next)
      storeJson('claimDrafts', { ...readDrafts(), [name]: next })
    },
    clear(): void {
      const { [name]: _, ...others } = readDrafts()
      if (Object.keys(others).length === 0) removeStored('claimDrafts')
      else storeJson('claimDrafts', others)
      setValue(empty)
    },
  }
}
