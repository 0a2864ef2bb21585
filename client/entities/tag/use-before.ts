import { useState } from 'react'
import type { TagState } from './tag.rules.ts'

/** State of a tag before it changed while the page is open; undefined for the state that the page began with. */
export function useBefore(state: TagState): TagState | undefined {
  const [seen, setSeen] = useState<{ readonly state: TagState; readonly before?: TagState }>({ state })
  if (seen.state !== state) setSeen({ state, before: seen.state })
  return seen.state === state ? seen.before : seen.state
}
