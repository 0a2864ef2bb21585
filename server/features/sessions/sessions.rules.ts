export type Audience = 'user' | 'agent'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long a session lives unused, and at the longest (NIST SP 800-63B: AAL1 for pilgrims, AAL2 for agents). */
export const sessionLife = {
  user: { idleMs: 7 * day, absoluteMs: 30 * day },
  agent: { idleMs: hour, absoluteMs: 12 * hour },
} as const

/** A use within this time of the last one is not written again. */
export const sessionTouchMs = minute

/** The idle limit of a session used at `now`, never beyond its absolute end. */
export function idleLimit(role: Audience, now: number, endsAt: number): number {
  return Math.min(now + sessionLife[role].idleMs, endsAt)
}

/** Names as people type them: outer and doubled white space goes. */
export function tidyName(typed: string | undefined): string | undefined {
  return typed?.replace(/\s+/g, ' ').trim() || undefined
}
