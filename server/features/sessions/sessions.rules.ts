import { foldDigits } from '#shared/platform/phone.ts'

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

export const challengeRules = {
  /** ASVS 6.5.5 allows ten minutes; a code that was asked for is at hand within five. */
  lifeMs: 5 * minute,
  /** Wrong codes before a challenge is dead: 3 of 10,000 is what a four-digit code can bear. */
  maxChecks: 3,
  resendMs: minute,
  /** A proven phone may finish its sign-up this long without another SMS. */
  provenMs: 10 * minute,
} as const

/** The idle limit of a session used at `now`, never beyond its absolute end. */
export function idleLimit(role: Audience, now: number, endsAt: number): number {
  return Math.min(now + sessionLife[role].idleMs, endsAt)
}

/** Whole seconds until `at`, never negative, rounded up so that a waiting person is never told too little. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000))
}

export function canonicalCode(typed: string): string {
  return foldDigits(typed)
}

/** Names as people type them: outer and doubled white space goes. */
export function tidyName(typed: string | undefined): string | undefined {
  return typed?.replace(/\s+/g, ' ').trim() || undefined
}
