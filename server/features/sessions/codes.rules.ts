import type { Config } from '#server/platform/config.ts'
import { freeAt, type Limit, longestMs } from '#server/platform/limits.ts'
import { foldDigits } from '#shared/platform/phone.ts'

const minute = 60_000
const day = 24 * 60 * minute

export const challengeRules = {
  /** ASVS 6.5.5 allows ten minutes; a code that was asked for is at hand within five. */
  lifeMs: 5 * minute,
  /** A proven phone may finish its sign-up this long without another SMS. */
  provenMs: 10 * minute,
  /** How long the provider may still hold what it sent (Twilio: ten minutes). */
  providerLifeMs: 10 * minute,
} as const

/** A browser is known this long after it last signed in. */
export const deviceLifeMs = 180 * day
/** Wrong codes in a row that stay below the hard stop are remembered this long after the last one. */
export const rowMemoryMs = 180 * day

/** The lane of browsers that have signed in with the phone before, and the lane of all others: limited apart. */
export type Lane = 'open' | 'known'
export type EventKind = 'send' | 'check'
/**
 * Of a send: `unanswered` until its code is rightly entered, then `answered`; `failed` when surely nothing went out.
 * Of a check: `wrong` from before the code is compared, `right` by the provider's one positive answer.
 */
export type Outcome = 'unanswered' | 'answered' | 'failed' | 'wrong' | 'right'
/** Who can share a limit: the phones of a prefix or a country, the callers behind an address, everybody. */
export type GroupBy = 'prefix' | 'country' | 'address' | 'all'

type LimitName = Extract<keyof Config, `OTP_${string}_PER_${string}` | `OTP_${string}_IN_${string}`>
/** The variables of the limits, by their names. */
export type CodeLimits = Pick<Config, LimitName>

type LimitListName = {
  [N in LimitName]: CodeLimits[N] extends readonly Limit[] ? N : never
}[LimitName]

/** A limit of a group, by the name of its variable. */
export interface GroupRule {
  readonly name: LimitListName
  readonly on: EventKind
  readonly by: GroupBy
  readonly counts: readonly Outcome[]
  /** Right codes of the group make room: what many honest people do is no attack. */
  readonly hasRoom: boolean
  /** What costs money stops known devices, too; what only looks like an attack does not. */
  readonly stopsKnown: boolean
}

const unanswered = { on: 'send', counts: ['unanswered'], hasRoom: true, stopsKnown: false } as const
const wrong = { on: 'check', counts: ['wrong'], hasRoom: true, stopsKnown: false } as const
const anySend = { on: 'send', counts: ['unanswered', 'answered'], hasRoom: false } as const

export const groupRules = [
  { name: 'OTP_UNANSWERED_PER_PREFIX', by: 'prefix', ...unanswered },
  { name: 'OTP_UNANSWERED_PER_COUNTRY', by: 'country', ...unanswered },
  { name: 'OTP_UNANSWERED_PER_ADDRESS', by: 'address', ...unanswered },
  { name: 'OTP_UNANSWERED_IN_ALL', by: 'all', ...unanswered },
  {
    name: 'OTP_SENDS_PER_ADDRESS',
    by: 'address',
    ...anySend,
    // What the provider refused costs no SMS, but whoever keeps asking for it is to be slowed down.
    counts: ['unanswered', 'answered', 'failed'],
    stopsKnown: false,
  },
  { name: 'OTP_SENDS_IN_ALL', by: 'all', ...anySend, stopsKnown: true },
  { name: 'OTP_WRONG_PER_ADDRESS', by: 'address', ...wrong },
  { name: 'OTP_WRONG_IN_ALL', by: 'all', ...wrong },
] as const satisfies readonly GroupRule[]

/** Events older than this count nowhere. */
export function longestWindowMs(limits: CodeLimits): number {
  return longestMs(
    [
      ...groupRules.map(({ name }) => limits[name]),
      limits.OTP_SENDS_PER_PHONE,
      limits.OTP_WRONG_PER_PHONE,
    ].flat(),
  )
}

export interface PhoneEvent {
  readonly kind: EventKind
  readonly lane: Lane
  readonly at: number
  readonly outcome: Outcome
}

/** A limit of a phone that is met: the code to answer, the variable, and when it frees a place (never: undefined). */
export interface MetLimit {
  readonly code:
    | 'CODE_REQUESTED_TOO_SOON'
    | 'TOO_MANY_CODES'
    | 'TOO_MANY_WRONG_CODES'
    | 'PHONE_LOCKED'
    | 'SIGN_IN_BUSY'
  readonly limit: string
  readonly freeAt: number | undefined
}

interface PhonePast {
  /** All events of the phone within the longest window, oldest first. */
  readonly events: readonly PhoneEvent[]
  readonly wrongInARow: number
  readonly lane: Lane
}

const latest = (limits: readonly Limit[], times: readonly number[], now: number) =>
  Math.max(...limits.map((limit) => freeAt(limit, times, now)))

/** What keeps a phone from another check in a lane; undefined when nothing does. */
export function checkLimitMet(limits: CodeLimits, past: PhonePast, now: number): MetLimit | undefined {
  if (past.wrongInARow >= limits.OTP_WRONG_IN_A_ROW)
    return { code: 'PHONE_LOCKED', limit: 'OTP_WRONG_IN_A_ROW', freeAt: undefined }
  const wrongs = timesOf(past, ({ outcome }) => outcome === 'wrong')
  const free = latest(limits.OTP_WRONG_PER_PHONE, wrongs, now)
  return free > now ? { code: 'TOO_MANY_WRONG_CODES', limit: 'OTP_WRONG_PER_PHONE', freeAt: free } : undefined
}

/** What keeps a phone from another code in a lane. A code that could not be entered is not sent, either. */
export function sendLimitMet(limits: CodeLimits, past: PhonePast, now: number): MetLimit | undefined {
  const met = checkLimitMet(limits, past, now)
  if (met) return met
  const sends = sendTimes(past)
  const free = latest(limits.OTP_SENDS_PER_PHONE, sends, now)
  if (free <= now) return undefined
  // One per window is the pause between two codes; anything above that is a count.
  const isPause = limits.OTP_SENDS_PER_PHONE.every(
    (limit) => limit.count === 1 || freeAt(limit, sends, now) <= now,
  )
  const code = isPause ? 'CODE_REQUESTED_TOO_SOON' : 'TOO_MANY_CODES'
  return { code, limit: 'OTP_SENDS_PER_PHONE', freeAt: free }
}

/** When the phone may be sent its next code, once one has been sent at `now`. */
export function nextSendAt(limits: CodeLimits, past: PhonePast, now: number): number {
  return latest(limits.OTP_SENDS_PER_PHONE, [...sendTimes(past), now], now)
}

const sendTimes = (past: PhonePast) =>
  timesOf(past, ({ kind, outcome }) => kind === 'send' && outcome !== 'failed')

function timesOf({ events, lane }: PhonePast, isCounted: (event: PhoneEvent) => boolean): number[] {
  return events.filter((event) => event.lane === lane && isCounted(event)).map(({ at }) => at)
}

/** Whole seconds until `at`, never negative, rounded up so that a waiting person is never told too little. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000))
}

export function canonicalCode(typed: string): string {
  return foldDigits(typed)
}
