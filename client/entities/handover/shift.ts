import { useMemo } from 'react'
import { readStoredJson, removeStored, storeJson, useStored } from '#client/platform/browser-storage.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'

/** What an agent has done on this browser since the sign-in. */
export interface Shift {
  readonly agentId: number
  /** When the agent signed in, in epoch milliseconds. What is kept for the agent ends with the session's life after it. */
  readonly since: number
  readonly received: number
  readonly notAccepted: number
}

/** When what is kept for the agent of a shift has to go. */
export const endOfShift = ({ since }: Pick<Shift, 'since'>): number => since + sessionLife.agent.absoluteMs

/** The agent has signed in. */
export function beginShift(agentId: number): void {
  storeJson('agentShift', { agentId, since: Date.now(), received: 0, notAccepted: 0 } satisfies Shift)
}

/** The server names the agent: a shift that was begun goes on. */
export function continueShift(agentId: number): void {
  if (readShift(agentId) === undefined) beginShift(agentId)
}

/** Undefined when the agent's session must have ended, or the clock was set back behind its begin. */
export function readShift(agentId: number): Shift | undefined {
  const shift = readStoredJson('agentShift') as Shift | null | undefined
  const now = Date.now()
  const isOwn = shift?.agentId === agentId && shift.since <= now && now < endOfShift(shift)
  return isOwn ? shift : undefined
}

export function countInShift(agentId: number, what: 'received' | 'notAccepted', by: 1 | -1): void {
  const shift = readShift(agentId)
  // What was received before this shift may be undone in it.
  if (shift !== undefined) storeJson('agentShift', { ...shift, [what]: Math.max(0, shift[what] + by) })
}

export function wipeShift(): void {
  removeStored('agentShift')
}

/** The component renders again when the shift changes, also by another tab. */
export function useShift(agentId: number): Shift | undefined {
  const stored = useStored('agentShift')
  return useMemo(() => (stored === undefined ? undefined : readShift(agentId)), [stored, agentId])
}
