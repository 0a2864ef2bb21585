import { failure } from '#server/platform/errors.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import { waitInWords } from '#server/platform/waiting.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { signUpProofMs } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'

export const minute = 60_000
export const day = 24 * 60 * minute

/**
 * `email`: a user proves an e-mail address. `recovery`: a user who has lost the phone number proves the account's
 * address. `confirm`: a signed-in user confirms a request. A code for one role is never accepted for another.
 */
export const roles = ['user', 'agent', 'email', 'recovery', 'confirm'] as const
export type Role = (typeof roles)[number]
export type PhoneRole = Extract<Role, Principal['role']>
export type EmailRole = Extract<Role, 'email' | 'recovery'>
export const isEmailRole = (role: Role): role is EmailRole => role === 'email' || role === 'recovery'

/** A code is valid for half of the time that ASVS 6.5.5 allows. */
export const challengeRules = { lifeMs: 5 * minute, provenMs: signUpProofMs, providerLifeMs: 10 * minute }
/** E-mails arrive later than SMS, so their codes are valid longer. */
export const emailCodeLifeMs = challengeRules.providerLifeMs
export const failureMemoryMs = 180 * day

/** NIST SP 800-63B and ASVS 6.5 require limits on the guesses of a short code. */
export const guessRules = {
  triesPerCode: 3,
  /** The provider accepts this many tries of a code (docs/wires/otp.md O11). */
  providerTries: 5,
  consecutiveFailures: 20,
  uncountedPerCode: 3,
}

/**
 * `known`: the browser has signed in with this phone number before. `session`: the user is signed in and confirms a
 * request.
 */
export type DeviceTrust = 'open' | 'known' | 'session'

/**
 * A send is `unanswered` until its code is entered. `refused`: this channel refuses the phone number. `blocked`: every
 * channel does. `failed`: certainly no code was sent. A check is `wrong` until the provider approves it.
 */
export type EventKind = 'send' | 'check'
export type Outcome = 'unanswered' | 'answered' | 'refused' | 'blocked' | 'failed' | 'wrong' | 'right'

export interface Origin {
  readonly role: Role
  /** A phone number in E.164. For a code by e-mail: `keyOfUser` or `keyOfEmail`. */
  readonly phone: string
  readonly trust: DeviceTrust
  /** The phone number without its last four digits. For a code by e-mail: the role and `keyOfEmail`. */
  readonly prefix: string
  readonly country: string
  readonly address: string
  /** Null when a code is checked and not sent. */
  readonly channel: SendChannel | null
}

/** A displayed wait must never be too short, so seconds are rounded up. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000))
}

export const fieldRefusal = (field: 'code' | 'phone' | 'email', code: keyof typeof sessionsErrors) =>
  failure(sessionsErrors, code, { fields: [{ field, text: sessionsErrors[code].text }] })

/** A wrong code, an expired code and a code of another browser must get the same answer. */
export const wrongCode = () => fieldRefusal('code', 'CODE_INVALID')

export const waitRefusal = (code: keyof typeof sessionsErrors, seconds: number) =>
  failure(sessionsErrors, code, { values: { wait: waitInWords(seconds) }, retryAfterSeconds: seconds })
