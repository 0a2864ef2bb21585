import { useMemo } from 'react'
import { readStored, readStoredJson, storeJson, useStored } from '#client/platform/browser-storage.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'

/** The counts of an agent on this browser since the sign-in. */
export interface Shift {
  /** When the agent signed in, in epoch milliseconds. Data kept for the agent is wiped when the session ends. */
  readonly since: number
  readonly received: number
  readonly notAccepted: number
}

/** The time at which the data kept for the agent of a shift is wiped. */
export const endOfShift = ({ since }: Pick<Shift, 'since'>): number => since + sessionLife.agent.absoluteMs

/** Undefined for another agent, when the session must have ended, and when the clock was set back behind its begin. */
export function readShift(agentId: number): Shift | undefined {
  const since = Number(readStored('agentSince') ?? Number.NaN)
  const now = Date.now()
  const isOn = readStored('scanAgent') === String(agentId) && since <= now && now < endOfShift({ since })
  if (!isOn) return undefined
  const counted = readStoredJson('agentShift') as Shift | null | undefined
  return counted?.since === since ? counted : { since, received: 0, notAccepted: 0 }
}

export function countInShift(agentId: number, what: 'received' | 'notAccepted', by: 1 | -1): void {
  const shift = readShift(agentId)
  // An undo may concern a bag received before this shift: the count does not fall below 0.
  if (shift !== undefined) storeJson('agentShift', { ...shift, [what]: Math.max(0, shift[what] + by) })
}

/** The component renders again when the shift changes, also by another tab. */
export function useShift(agentId: number): Shift | undefined {
  const [since, counted] = [useStored('agentSince'), useStored('agentShift')]
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is stored is read anew
  return useMemo(() => readShift(agentId), [agentId, since, counted])
}
