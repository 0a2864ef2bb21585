import { readStoredJson, removeStored, storeJson } from './browser-storage.ts'
import type { SentContent } from './single-mutation.ts'

/** Typed text of a form that was not sent. */
export interface Draft {
  readonly values?: unknown
  /** Set when it was sent and no answer came. */
  readonly sent?: SentContent | undefined
}

/*
 * Drafts by the names of their forms. They outlive a reload, a session that has ended and a phone without a network, not the tab.
 */

type Drafts = Readonly<Record<string, Draft | undefined>>

function readDrafts(): Drafts {
  const stored = readStoredJson('drafts')
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? (stored as Drafts) : {}
}

export const readDraft = (name: string): Draft | undefined => readDrafts()[name]

/** Whether values were kept: a form that is opened by a press opens again with them. */
export const hasDraft = (name: string): boolean => readDraft(name)?.values !== undefined

export function keepDraft(name: string, change: Draft): void {
  const drafts = readDrafts()
  storeJson('drafts', { ...drafts, [name]: { ...drafts[name], ...change } })
}

export function dropDraft(name: string): void {
  const { [name]: dropped, ...others } = readDrafts()
  if (dropped === undefined) return
  if (Object.keys(others).length === 0) removeStored('drafts')
  else storeJson('drafts', others)
}
