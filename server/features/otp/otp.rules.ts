import type { Config } from '#server/platform/config.ts'
import { failure } from '#server/platform/errors.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import { waitInWords } from '#server/platform/waiting.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { signUpProofMs } from '#shared/sessions/session-lives.ts'
import { channelTexts, sessionsErrors } from '#shared/sessions/sessions.errors.ts'

const minute = 60_000
export const day = 24 * 60 * minute

/**
 * What a code is for. Phones of users and of agents are limited separately, and a code sent for one role is never accepted
 * for another. `email`: a user proves an address. `recovery`: a proven address says whose number is gone. `confirm`: a
 * signed-in user confirms one request.
 */
export const roles = ['user', 'agent', 'email', 'recovery', 'confirm'] as const
export type Role = (typeof roles)[number]
/** Codes that sign in, sent to phones. */
export type PhoneRole = Extract<Role, Principal['role']>
/** Codes to addresses. */
export type EmailRole = Extract<Role, 'email' | 'recovery'>
export const phoneRoles: readonly Role[] = ['user', 'agent'] satisfies PhoneRole[]
export const emailRoles: readonly Role[] = ['email', 'recovery'] satisfies EmailRole[]
export const isEmailRole = (role: Role): role is EmailRole => emailRoles.includes(role)
const confirmRoles: readonly Role[] = ['confirm']

/** The roles whose codes count together: codes that sign in, codes to addresses and codes that confirm count apart. */
export const countedTogether = (role: Role | undefined): readonly Role[] =>
  [emailRoles, confirmRoles].find((group) => role !== undefined && group.includes(role)) ?? phoneRoles

/** A code is valid for half of what ASVS 6.5.5 allows. The provider itself accepts it for ten minutes (Twilio Verify). */
export const challengeRules = { lifeMs: 5 * minute, provenMs: signUpProofMs, providerLifeMs: 10 * minute }
/** Consecutive wrong codes below the hard stop are remembered this long after the last one. */
export const failureMemoryMs = 180 * day

/**
 * Another channel may be chosen this long after the last code, at once where the service says that the SMS was not
 * delivered. Calls are at most this part of the day's budget.
 */
export const channelRules = { switchAfterMs: 30_000, callPercent: 10 }

/** The channels on offer for a number, in their order: calls to listed countries alone, against toll fraud. */
export const channelsFor = (country: string, { OTP_CHANNELS, OTP_CALL_COUNTRIES }: ChannelConfig) =>
  OTP_CHANNELS.filter((channel) => channel !== 'call' || OTP_CALL_COUNTRIES.includes(country))

export type ChannelConfig = Pick<Config, 'OTP_CHANNELS' | 'OTP_CALL_COUNTRIES'>

/** Limits of guessing a four-digit code (NIST SP 800-63B, ASVS 6.5): 3 in 10,000 per code, a hard stop after 20. */
export const guessRules = {
  triesPerCode: 3,
  /** Of the provider, per verification (docs/wires/otp.md O11). */
  providerTries: 5,
  consecutiveFailures: 20,
  /** While one of the `guessing` rules is reached. */
  triesUnderAttack: 1,
  /** Checks per code that are uncounted although the provider may have compared them and lost its answer. */
  uncountedPerCode: 3,
}

/** The number that an agent reads out to the desk; see pairings.service.ts. */
export const pairingRules = {
  /** How long it is shown, and how long the browser stays open after the desk has opened it. */
  lifeMs: 30 * minute,
  from: 100_000,
  to: 1_000_000,
  /** An address has at most this many numbers of one phone. */
  perAddress: 5,
  /** To find a number that no other browser shows. */
  tries: 20,
}

/** `known`: the browser has signed in with the phone before. The two are limited separately. */
export type DeviceTrust = 'open' | 'known'

/**
 * Outcomes of a send: `unanswered` until its code is entered, then `answered`, or `joined` where the phone had no
 * account; `refused` by the provider by this channel, `blocked` by any; `failed` when certainly no code was sent.
 * Outcomes of a check: `wrong` from before the code is compared, `right` once the provider has approved it.
 */
export type EventKind = 'send' | 'check'
export type Outcome =
  | 'unanswered'
  | 'answered'
  | 'joined'
  | 'refused'
  | 'blocked'
  | 'failed'
  | 'wrong'
  | 'right'

/** Source of a send or a check: the columns that events are counted by. */
export interface Origin {
  readonly role: Role
  /** E.164; of codes to an address see emails.rules.ts. */
  readonly phone: string
  readonly trust: DeviceTrust
  readonly prefix: string
  readonly country: string
  readonly address: string
  /** Of a send. */
  readonly channel?: SendChannel
}

/** Whole seconds until `at`, never negative, rounded up so that a wait is never understated. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000))
}

/** Refuses one field of the request, with the text of the error beside it. */
export const fieldRefusal = (field: 'code' | 'phone' | 'email', code: keyof typeof sessionsErrors) =>
  failure(sessionsErrors, code, { fields: [{ field, text: sessionsErrors[code].text }] })

/**
 * A channel is not on offer, or refuses the number; `others` may be chosen. Without any of them and without a code on its way
 * the number gets none.
 */
export const channelRefusal = (channel: SendChannel, others: readonly SendChannel[], isSent: boolean) =>
  others.length === 0 && !isSent
    ? fieldRefusal('phone', 'PHONE_CANNOT_RECEIVE_CODES')
    : failure(sessionsErrors, 'CHANNEL_UNAVAILABLE', {
        values: { channel: channelTexts[channel] },
        channels: others,
      })

/** Refuses for a time. */
export const waitRefusal = (code: keyof typeof sessionsErrors, seconds: number) =>
  failure(sessionsErrors, code, { values: { wait: waitInWords(seconds) }, retryAfterSeconds: seconds })
