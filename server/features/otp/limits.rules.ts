import type { Config } from '#server/platform/config.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { freeAt, type Limit, longestMs } from '#server/platform/limits.ts'
import { day, guessRules, isEmailRole, minute, type Origin, type Outcome, type Role } from './otp.rules.ts'

/** Decision 0075 names the attack that each rule stops. */
export interface Rule extends Limit {
  readonly name: string
  readonly code:
    | 'CODE_REQUESTED_TOO_SOON'
    | 'TOO_MANY_CODES'
    | 'TOO_MANY_WRONG_CODES'
    | 'PHONE_LOCKED'
    | 'SIGN_IN_BUSY'
  readonly counts: readonly Outcome[]
}

/** A shared rule counts the events of all phone numbers with the `trust` of the attempt. */
export interface SharedRule extends Rule {
  /** The rule counts only events with the attempt's value in this column. */
  readonly per?: 'prefix' | 'country' | 'address'
  /** With -1, each entered code allows one more: many users behind one IP address are no attack. */
  readonly answered: 1 | -1
  /** Operators are warned at these parts of the limit. Each key names the logged event. */
  readonly alarms?: Readonly<Record<string, number>>
}

export interface Reached {
  readonly rule: Rule & Pick<SharedRule, 'per'>
  readonly freeAt: number
}

export type PastEvent = Pick<Row<'otp_events'>, 'kind' | 'channel' | 'outcome' | 'at'>

export type OtpLimits = Pick<Config, 'OTP_SENDS_PER_PHONE' | 'OTP_DAILY_BUDGET' | 'limits'>

/** Pilgrims sign up in groups, so Saudi phone numbers have ten times the limits of others. */
const home = { country: 'SA', factor: 10 }
const switchAfterMs = 30_000
const ofDay = (count: number): Limit => ({ count, windowMs: day })
const confirmations: readonly Limit[] = [{ count: 5, windowMs: 60 * minute }]
/** `email` limits the e-mails a day to a user who proves an address, `recovery` those to a mailbox. */
const lettersPerDay = { email: 3, recovery: 12 }
/** Strangers must not use up a user's recoveries, so each browser can request this many a day. */
export const lettersPerBrowser = ofDay(3)

const sent = ['unanswered', 'answered'] as const
/** A refused send costs nothing, but counts for the pause and for the IP address. */
const asked = [...sent, 'refused', 'blocked'] as const

const ruleOf = (name: string, code: Rule['code'], counts: readonly Outcome[], limit: Limit): Rule => ({
  name,
  code,
  counts,
  ...limit,
})

export function ownRules({ OTP_SENDS_PER_PHONE, limits }: OtpLimits, role: Role) {
  const isConfirm = role === 'confirm'
  const [name, ofNumber] = isEmailRole(role)
    ? (['email-codes', [{ count: 1, windowMs: minute }, ofDay(lettersPerDay[role])]] as const)
    : (['OTP_SENDS_PER_PHONE', OTP_SENDS_PER_PHONE] as const)
  const isPause = ({ count }: Limit) => count === 1
  const pauseMs = longestMs(ofNumber.filter(isPause))
  const pauseOf = (counts: readonly Outcome[], windowMs: number) =>
    ruleOf(name, 'CODE_REQUESTED_TOO_SOON', counts, { count: 1, windowMs })
  const volumes = isConfirm ? confirmations : ofNumber.filter((limit) => !isPause(limit))
  return {
    sends: volumes.map((limit) => ruleOf(isConfirm ? 'confirmations' : name, 'TOO_MANY_CODES', sent, limit)),
    pause: pauseOf(asked, pauseMs),
    switching: pauseOf(sent, Math.min(pauseMs, switchAfterMs)),
    triedMs: Math.max(pauseMs, switchAfterMs),
    wrongs: (isConfirm ? [] : limits.wrongCodesPerPhone).map((limit) =>
      ruleOf('wrong-codes-per-phone', 'TOO_MANY_WRONG_CODES', ['wrong'], limit),
    ),
  }
}

const shared = (name: string, limit: Limit, more?: Partial<SharedRule>): SharedRule => ({
  ...ruleOf(name, 'SIGN_IN_BUSY', sent, limit),
  answered: 1,
  ...more,
})

export const budgetOf = ({ OTP_DAILY_BUDGET }: OtpLimits): SharedRule =>
  shared('OTP_DAILY_BUDGET', ofDay(OTP_DAILY_BUDGET), { alarms: { 'budget-half': 0.5, 'budget-low': 0.8 } })

/** Unknown devices have all shared limits, confirmations only the budget, and known devices no limit. */
export function sharedRules(
  config: OtpLimits,
  { role, trust, country }: Pick<Origin, 'role' | 'trust' | 'country'>,
): readonly SharedRule[] {
  const { codesPerPrefix, codesPerCountry, codesPerAddress } = config.limits
  const budget = budgetOf(config)
  if (trust !== 'open') return trust === 'session' ? [budget] : []
  const factor = country === home.country ? home.factor : 1
  const ofGroup = isEmailRole(role)
    ? [shared('email-codes', ofDay(lettersPerDay.recovery), { code: 'TOO_MANY_CODES', per: 'prefix' })]
    : [
        shared('codes-per-prefix', ofDay(codesPerPrefix * factor), { per: 'prefix' }),
        shared('codes-per-country', ofDay(codesPerCountry * factor), { per: 'country' }),
      ]
  const ofAddress = { per: 'address', counts: asked, answered: -1 } as const
  return [budget, ...ofGroup, shared('codes-per-address', codesPerAddress, ofAddress)]
}

/** After this many consecutive wrong codes, support must unlock the phone number. */
export const hardStop = ruleOf('wrong-in-a-row', 'PHONE_LOCKED', ['wrong'], {
  count: guessRules.consecutiveFailures,
  windowMs: Number.POSITIVE_INFINITY,
})

export const reachedOf = (rules: readonly Rule[], events: readonly PastEvent[], now: number): Reached[] =>
  rules
    .map((rule) => {
      const times = events.filter(({ outcome }) => rule.counts.includes(outcome)).map(({ at }) => at)
      return { rule, freeAt: freeAt(rule, times, now) }
    })
    .filter((reached) => reached.freeAt > now)

export const longestOf = (reached: readonly Reached[]): Reached | undefined =>
  reached.toSorted((one, other) => other.freeAt - one.freeAt)[0]

export const eventLifeMs = ({ OTP_SENDS_PER_PHONE }: OtpLimits) =>
  Math.max(day, longestMs(OTP_SENDS_PER_PHONE))
