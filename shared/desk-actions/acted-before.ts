import { riyadhTimeOf } from '#shared/platform/instant.ts'
import { doneWords } from './desk-actions.errors.ts'

/** A person who comes so long after a colleague is told who was first. */
export const atOnceMs = 10 * 60_000

/** What `ACTED_BEFORE` says of the one who was first: what, who, and 14:21 in Riyadh. */
export const actedBefore = (what: keyof typeof doneWords, who: string, at: number) => ({
  values: { what: doneWords[what], who, at: riyadhTimeOf(at).slice(11, 16) },
})
