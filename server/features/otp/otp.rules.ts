import { failure } from '#server/platform/errors.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import { waitInWords } from '#server/platform/waiting.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { signUpProofMs } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'

export const minute = 60_000
export const day = 24 * 60 * minute

/**
 * The purpose of a code. Phones of users and of agents are limited separately, and a code sent for one role is never accepted
 * for another. `email`: a user proves an address. `recovery`: a proven address says whose number is gone. `confirm`: a
 * signed-in user confirms one request.
 */
export const roles = ['user', 'agent', 'email', 'recovery', 'confirm'] as const
export type Role = (typeof roles)[number]
/** Codes that sign in, sent to phones. */
export type PhoneRole = Extract<Role, Principal['role']>
/** Codes to addresses. */
export type EmailRole = Extract<Role, 'email' | 'recovery'>
export const isEmailRole = (role: Role): role is EmailRole => role === 'email' || role === 'recovery'

/** A code is valid for half of the time that ASVS 6.5.5 allows. The provider itself accepts it for ten minutes (Twilio Verify). */
export const challengeRules = { lifeMs: 5 * minute, provenMs: signUpProofMs, providerLifeMs: 10 * minute }
/** A code to an address may be entered for longer: letters come later than SMS. */
export const emailCodeLifeMs = challengeRules.providerLifeMs
/** Consecutive wrong codes below the hard stop are remembered this long after the last one. */
export const failureMemoryMs = 180 * day

/** Limits of guessing a four-digit code (NIST SP 800-63B, ASVS 6.5): 3 in 10,000 per code, a hard stop after 20. */
export const guessRules = {
  triesPerCode: 3,
  /** The provider's tries for each verification (docs/wires/otp.md O11). */
  providerTries: 5,
  consecutiveFailures: 20,
  /** Checks per code that are uncounted although the provider may have compared them and lost its answer. */
  uncountedPerCode: 3,
}

/**
 * `known`: the browser has signed in with the phone before. `session`: the user is signed in and confirms a request. Codes of
 * each are counted apart.
 */
export type DeviceTrust = 'open' | 'known' | 'session'

/**
 * Outcomes of a send: `unanswered` until its code is entered, then `answered`; `refused` by the provider by this channel,
 * `blocked` by any; `failed` when certainly no code was sent. Outcomes of a check: `wrong` from before the code is compared,
 * `right` once the provider has approved it.
 */
export type EventKind = 'send' | 'check'
export type Outcome = 'unanswered' | 'answered' | 'refused' | 'blocked' | 'failed' | 'wrong' | 'right'

/** Source of a send or a check: the columns that events are counted by. */
export interface Origin {
  readonly role: Role
  /** E.164; `keyOfUser` or `keyOfEmail` for a code to an address. */
  readonly phone: string
  readonly trust: DeviceTrust
  /** The role and `keyOfEmail` for a code to an address, which has no country. */
  readonly prefix: string
  readonly country: string
  readonly address: string
  /** Null in a check. */
  readonly channel: SendChannel | null
}

/** Whole seconds until `at`, never negative, rounded up so that a wait is never understated. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000))
}

/** Refuses one field of the request, with the text of the error beside it. */
export const fieldRefusal = (field: 'code' | 'phone' | 'email', code: keyof typeof sessionsErrors) =>
  failure(sessionsErrors, code, { fields: [{ field, text: sessionsErrors[code].text }] })

/** A wrong code, an expired one and one that was sent to another browser are answered alike. */
export const wrongCode = () => fieldRefusal('code', 'CODE_INVALID')

/** Refuses for a time. */
export const waitRefusal = (code: keyof typeof sessionsErrors, seconds: number) =>
  failure(sessionsErrors, code, { values: { wait: waitInWords(seconds) }, retryAfterSeconds: seconds })
