import type { Config } from '#server/platform/config.ts'
import type { Limit } from '#server/platform/limits.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { channelRules, day, type EventKind, type Origin, type Outcome } from './otp.rules.ts'

const minute = 60_000
const hour = 60 * minute

/** The columns in which an event must agree with the attempt to count. */
export const scopes = {
  phone: ['role', 'phone', 'trust'],
  phoneChannel: ['role', 'phone', 'trust', 'channel'],
  channel: ['channel'],
  prefix: ['prefix'],
  /** Of an address: its key, by role and trust. */
  mailbox: ['prefix', 'role', 'trust'],
  country: ['country'],
  address: ['address'],
  addressPrefix: ['address', 'prefix'],
  all: [],
} as const satisfies Record<string, readonly (keyof Origin)[]>

/** At most `count` events in any span of `windowMs`. */
export interface Rule extends Limit {
  /** As metrics and log name it: by its variable, or a constant. */
  readonly name:
    | 'OTP_SENDS_PER_PHONE'
    | 'OTP_DAILY_BUDGET'
    | 'wrong-codes-per-phone'
    | 'codes-per-prefix'
    | 'codes-per-country'
    | 'address-share'
    | 'email-codes'
    | 'confirmations'
  readonly per: keyof typeof scopes
  readonly counts: readonly Outcome[]
  /** Each of these events allows one more, so that many users who enter their codes are not mistaken for an attack. */
  readonly credits?: readonly Outcome[]
  /** The error of the refusal; SIGN_IN_BUSY by default. */
  readonly code?:
    | 'CODE_REQUESTED_TOO_SOON'
    | 'TOO_MANY_CODES'
    | 'TOO_MANY_WRONG_CODES'
    | 'CHANNEL_UNAVAILABLE'
  /** Log event for an operator when the rule is reached. */
  readonly alarm?: 'budget-low' | 'calls-spent' | 'country-low' | 'restricted' | 'guessing'
}

export type OtpLimits = Pick<Config, 'OTP_SENDS_PER_PHONE' | 'OTP_DAILY_BUDGET' | 'limits'>

/** An address may send at least this many codes, so that a family or a bus behind one address can sign in. */
const minShare = 20
/** A rule with `credits` may allow the next event at any moment, so the wait in an answer is never longer than this. */
export const longestCreditWaitMs = minute
/** The Kingdom and its prefixes have ten times the number of others: groups sign up side by side. */
const home = { country: 'SA', factor: 10 } as const

const sent = ['unanswered', 'answered', 'joined'] as const
const refused = ['refused', 'blocked'] as const
const ofNewPhones = ['unanswered', 'joined'] as const

type Name = Rule['name']
type Counts = Rule['counts']

const perPhone = (name: Name, counts: Counts, code: NonNullable<Rule['code']>, limit: Limit): Rule => {
  return { name, per: 'phone', counts, code, ...limit }
}

const perDay = (name: Name, per: Rule['per'], counts: Counts, count: number): Rule => {
  return { name, per, counts, count, windowMs: day }
}

/** Reached when 30 % of a limit are codes that were not entered: sign-in is then restricted (decision 0011). */
const restriction = (rule: Rule): Rule => {
  return { ...rule, count: Math.ceil(rule.count * 0.3), counts: ['unanswered'], alarm: 'restricted' }
}

/** What one phone may do, by whatever address. */
function rulesOfPhone({ OTP_SENDS_PER_PHONE, limits: { wrongCodesPerPhone } }: OtpLimits) {
  // One code per window is the pause between two codes; a higher count is a volume.
  const isPause = ({ count }: Limit) => count === 1
  const pauses = OTP_SENDS_PER_PHONE.filter(isPause)
  const volumes = OTP_SENDS_PER_PHONE.filter((limit) => !isPause(limit))
  return {
    /** Per phone, before a code is sent by whatever channel. */
    sends: volumes.map((limit) => perPhone('OTP_SENDS_PER_PHONE', sent, 'TOO_MANY_CODES', limit)),
    /** The pause between two codes of one channel. A send the provider refused cost nothing and counts for it alone. */
    pauses: pauses.map((limit) => ({
      ...perPhone('OTP_SENDS_PER_PHONE', [...sent, ...refused], 'CODE_REQUESTED_TOO_SOON', limit),
      per: 'phoneChannel',
    })),
    /** The pause between codes of two channels. */
    switches: pauses.map(({ count, windowMs }) =>
      perPhone('OTP_SENDS_PER_PHONE', sent, 'CODE_REQUESTED_TOO_SOON', {
        count,
        windowMs: Math.min(windowMs, channelRules.switchAfterMs),
      }),
    ),
    /** Per phone, before a code is compared, and before one is sent that could not be entered. */
    wrongs: wrongCodesPerPhone.map((limit) =>
      perPhone('wrong-codes-per-phone', ['wrong'], 'TOO_MANY_WRONG_CODES', limit),
    ),
  } satisfies Record<string, readonly Rule[]>
}

/** All rules for the phones of a country, by the step that applies them. Decision 0011 has the attack that each stops. */
export function rulesFor(limits: OtpLimits, countryCode: string) {
  const factor = countryCode === home.country ? home.factor : 1
  const perPrefix = limits.limits.codesPerPrefix * factor
  const perCountry = limits.limits.codesPerCountry * factor
  const budget = perDay('OTP_DAILY_BUDGET', 'all', sent, limits.OTP_DAILY_BUDGET)
  const prefix = perDay('codes-per-prefix', 'prefix', ofNewPhones, perPrefix)
  const country = perDay('codes-per-country', 'country', ofNewPhones, perCountry)

  const inTenMinutes = (count: number) => ({ count, windowMs: 10 * minute })
  const burst = Math.max(minShare, Math.ceil(budget.count * 0.05))
  const wrongCodes = 500
  const addressShare = (of: number, counts: Counts, credits: readonly Outcome[]) => {
    const share = Math.max(minShare, Math.ceil((of * limits.limits.codesPerAddressPercent) / 100))
    return { name: 'address-share', per: 'address', counts, credits, ...inTenMinutes(share) } as const
  }
  const address = addressShare(burst, ['unanswered', ...refused], ['answered', 'joined'])
  const halfShare = Math.max(minShare, Math.ceil(address.count / 2))
  const guessing = { name: 'wrong-codes-per-phone', per: 'all', counts: ['wrong'] } as const
  return {
    ...rulesOfPhone(limits),
    /** Of calls, which cost the most, in addition: other channels stay open. */
    calls: [
      {
        ...budget,
        per: 'channel',
        code: 'CHANNEL_UNAVAILABLE',
        alarm: 'calls-spent',
        count: Math.max(minShare, Math.ceil((budget.count * channelRules.callPercent) / 100)),
      },
    ],
    /** Of known devices: the budget alone, whose last part is reserved for them. */
    known: [budget],
    /** Of all other devices. The prefix then counts every code sent, for phones with an account too. */
    open: [
      { ...budget, count: Math.floor(budget.count * 0.95) },
      { ...prefix, counts: sent, count: prefix.count * 3 },
    ],
    /** In addition, of phones without an account. */
    newPhone: [prefix, country],
    /**
     * Codes of one address that may be unanswered, beside as many as were entered from there: half of them for phones of
     * one prefix, so that codes asked for in one block leave the address open for all other phones.
     */
    address: [{ ...address, per: 'addressPrefix', count: halfShare }, address],
    /** The same while sign-in is restricted: one code, and one more for a lost SMS. */
    restrictedAddress: [{ ...address, count: 2, windowMs: hour }],
    /** When one is reached, sign-in is restricted: too many codes of a shared limit were not entered. */
    restriction: [
      { ...restriction(budget), ...inTenMinutes(burst) },
      ...[restriction(budget), restriction(prefix), restriction(country)],
    ],
    /**
     * When one is reached, a code allows fewer tries. Right codes allow more only at their own address: an attacker
     * must not gain tries by signing in.
     */
    guessing: [
      { ...guessing, ...inTenMinutes(wrongCodes), alarm: 'guessing' },
      { ...addressShare(wrongCodes, ['wrong'], ['right']), alarm: 'guessing' },
    ],
    /** Refuse nothing, but warn an operator in time. */
    alarms: [
      { ...budget, count: budget.count * 0.8, alarm: 'budget-low' },
      { ...country, count: country.count * 0.8, alarm: 'country-low' },
    ],
  } satisfies Record<string, Rule | readonly Rule[]>
}

/** Codes that confirm requests of one account in an hour. */
const confirmationsPerHour = 5

/**
 * The rules for codes that confirm a request. The budget has the number of that of sign-in and is counted apart, so that a
 * signed-in user can neither use up the codes that others sign in with nor send SMS without end. Wrong codes end the session.
 */
export function confirmationRulesFor(limits: OtpLimits, country: string): ReturnType<typeof rulesFor> {
  const { alarms, ...rules } = rulesFor(limits, country)
  const perHour = { count: confirmationsPerHour, windowMs: hour }
  return {
    ...rules,
    sends: [perPhone('confirmations', sent, 'TOO_MANY_CODES', perHour)],
    wrongs: [],
    guessing: [],
    alarms: alarms.filter(({ per }) => per === 'all'),
  }
}

/** An event of a phone. */
export interface PastEvent {
  readonly kind: EventKind
  readonly channel: SendChannel
  readonly outcome: Outcome
  readonly at: number
}

/** Rules that count what one phone did with one trust: few events, which are read once. */
export const isOfPhone = ({ per }: Rule): boolean => per === 'phone' || per === 'phoneChannel'

/** The events that such a rule counts, oldest first. @param events as `OtpStore.listEvents` lists them */
export const countedBy = (
  { per, counts, windowMs }: Rule,
  events: readonly PastEvent[],
  channel: SendChannel | undefined,
  now: number,
): readonly PastEvent[] =>
  events
    .filter(
      (event) =>
        counts.includes(event.outcome) &&
        event.at > now - windowMs &&
        (per === 'phone' || event.channel === channel),
    )
    .toSorted((one, other) => one.at - other.at)

/** When such a rule, which is reached, allows the next event. */
export const freeAtOf = ({ count, windowMs }: Rule, counted: readonly PastEvent[], now: number): number =>
  (counted[counted.length - count]?.at ?? now) + windowMs

/** How far a number has used up the counts of a day. */
export interface DayCounts {
  readonly wrongCodes: number
  readonly sends: number
  /** The time at which the last of them allows the next event. */
  readonly endsAt: number
}

/**
 * The counts of the longest window of sends and of wrong codes; undefined while neither is reached.
 * @param events as `OtpStore.listEvents` lists them
 */
export function dayCountsOf(
  { sends, wrongs }: { readonly sends: readonly Rule[]; readonly wrongs: readonly Rule[] },
  events: readonly PastEvent[],
  now: number,
): DayCounts | undefined {
  const longest = (rules: readonly Rule[]) =>
    rules.toSorted((one, other) => other.windowMs - one.windowMs).slice(0, 1)
  const counted = (rule: Rule) => countedBy(rule, events, undefined, now)
  const countOf = (rules: readonly Rule[]) => Math.max(0, ...rules.map((rule) => counted(rule).length))
  const [ofSends, ofWrongs] = [longest(sends), longest(wrongs)]
  const reached = [...ofSends, ...ofWrongs].filter((rule) => counted(rule).length >= rule.count)
  if (reached.length === 0) return undefined
  return {
    wrongCodes: countOf(ofWrongs),
    sends: countOf(ofSends),
    endsAt: Math.max(...reached.map((rule) => freeAtOf(rule, counted(rule), now))),
  }
}

/** Age beyond which an event counts nowhere. */
export function longestWindowMs(limits: OtpLimits): number {
  const rules: readonly Rule[] = Object.values(rulesFor(limits, home.country)).flat()
  return Math.max(...rules.map(({ windowMs }) => windowMs))
}

/** How long after a code no other one is sent by the same channel. */
export const pauseMsOf = (pauses: readonly Rule[]) =>
  Math.max(channelRules.switchAfterMs, ...pauses.map(({ windowMs }) => windowMs))
