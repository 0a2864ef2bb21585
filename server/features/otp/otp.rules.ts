import { failure } from '#server/platform/errors.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import { waitInWords } from '#server/platform/waiting.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { signUpProofMs } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'

export const minute = 60_000
export const day = 24 * 60 * minute

/**
 * Phones of users and of agents are limited separately, and a code sent for one role is never accepted for another.
 * `email`: a user proves an address. `recovery`: an owner whose number is gone proves the address. `confirm`: a
 * signed-in user confirms one request.
 */
export const roles = ['user', 'agent', 'email', 'recovery', 'confirm'] as const
export type Role = (typeof roles)[number]
export type PhoneRole = Extract<Role, Principal['role']>
export type EmailRole = Extract<Role, 'email' | 'recovery'>
export const isEmailRole = (role: Role): role is EmailRole => role === 'email' || role === 'recovery'

/** Half of the time that ASVS 6.5.5 allows. The provider itself accepts a code for ten minutes (Twilio Verify). */
export const challengeRules = { lifeMs: 5 * minute, provenMs: signUpProofMs, providerLifeMs: 10 * minute }
/** Letters come later than SMS. */
export const emailCodeLifeMs = challengeRules.providerLifeMs
/** Wrong codes below the hard stop are remembered this long after the last one. */
export const failureMemoryMs = 180 * day

/** Guessing a four-digit code (NIST SP 800-63B, ASVS 6.5): 3 in 10,000 per code, a hard stop after 20. */
export const guessRules = {
  triesPerCode: 3,
  /** Tries of one verification (docs/wires/otp.md O11). */
  providerTries: 5,
  consecutiveFailures: 20,
  /** The provider may have compared these and lost its answer. */
  uncountedPerCode: 3,
}

/**
 * `known`: the browser has signed in with the phone before. `session`: the user is signed in and confirms a request.
 * Each is counted apart.
 */
export type DeviceTrust = 'open' | 'known' | 'session'

/**
 * A send is `unanswered` until its code is entered, then `answered`; `refused` by this channel, `blocked` by any;
 * `failed` when certainly no code was sent. A check is `wrong` until the provider has approved it, then `right`.
 */
export type EventKind = 'send' | 'check'
export type Outcome = 'unanswered' | 'answered' | 'refused' | 'blocked' | 'failed' | 'wrong' | 'right'

export interface Origin {
  readonly role: Role
  /** E.164; `keyOfUser` or `keyOfEmail` for a code to an address. */
  readonly phone: string
  readonly trust: DeviceTrust
  /** The role and `keyOfEmail` when the code goes to an address. */
  readonly prefix: string
  readonly country: string
  readonly address: string
  /** Null in a check. */
  readonly channel: SendChannel | null
}

/** Never negative, rounded up so that a wait is never understated. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000))
}

export const fieldRefusal = (field: 'code' | 'phone' | 'email', code: keyof typeof sessionsErrors) =>
  failure(sessionsErrors, code, { fields: [{ field, text: sessionsErrors[code].text }] })

/** A wrong code, an expired one and one that was sent to another browser are answered alike. */
export const wrongCode = () => fieldRefusal('code', 'CODE_INVALID')

export const waitRefusal = (code: keyof typeof sessionsErrors, seconds: number) =>
  failure(sessionsErrors, code, { values: { wait: waitInWords(seconds) }, retryAfterSeconds: seconds })
