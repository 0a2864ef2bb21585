import type { Role } from './sessions.rules.ts'

/** Sending a code and checking one are counted apart by the server. */
export type Step = 'send' | 'check'

/** The server refuses this step for this phone. */
export interface Limit {
  readonly role: Role
  readonly step: Step
  readonly phone: string
  /** The server's error code. */
  readonly code: string
  /** Epoch milliseconds. Null where no time ends it: people at the other end do. */
  readonly until: number | null
}

/** Limits that the screens have words of their own for; all others are told in general words. */
const named = [
  'CODE_REQUESTED_TOO_SOON',
  'TOO_MANY_CODES',
  'TOO_MANY_WRONG_CODES',
  'PHONE_LOCKED',
  'SIGN_IN_BUSY',
] as const

export function limitName(code: string): (typeof named)[number] | 'other' {
  return named.find((known) => known === code) ?? 'other'
}

/** `limit` in the place of an earlier one on the same step and phone; those that are over are dropped. */
export function withLimit(limits: readonly Limit[], limit: Limit, now: number): readonly Limit[] {
  return [...limits.filter((other) => !isSame(other, limit) && isHolding(other, now)), limit]
}

/** The step worked: whatever was said of it is over. */
export function withoutLimit(
  limits: readonly Limit[],
  freed: Pick<Limit, 'role' | 'step' | 'phone'>,
): readonly Limit[] {
  const rest = limits.filter((limit) => !isSame(limit, freed))
  return rest.length === limits.length ? limits : rest
}

export function isHolding({ until }: Limit, now: number): boolean {
  return until === null || until > now
}

/** What holds for this step and phone. A sign-in that is busy as a whole holds for every phone. */
export function limitOn(limits: readonly Limit[], role: Role, step: Step, phone: string): Limit | undefined {
  return limits.find(
    (limit) =>
      limit.role === role && limit.step === step && (limit.phone === phone || limit.code === 'SIGN_IN_BUSY'),
  )
}

function isSame(one: Limit, other: Pick<Limit, 'role' | 'step' | 'phone'>): boolean {
  return one.role === other.role && one.step === other.step && one.phone === other.phone
}

export type Wait = { kind: 'clock'; text: string } | { kind: 'words'; hours: number; minutes: number }

/** Below an hour a clock that runs, `4:32`; above it whole minutes, because nobody watches an hour run down. */
export function waitOf(seconds: number): Wait {
  if (seconds < 3600) {
    return {
      kind: 'clock',
      text: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`,
    }
  }
  const minutes = Math.ceil(seconds / 60)
  return { kind: 'words', hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}
