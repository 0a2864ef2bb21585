import type { Core } from '#server/core.ts'
import { type Failure, failure } from '#server/platform/errors.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { Attempt } from './attempts.service.ts'
import {
  countedBy,
  freeAtOf,
  isOfPhone,
  longestCreditWaitMs,
  type OtpLimits,
  type PastEvent,
  type Rule,
  rulesFor,
  scopes,
} from './limits.rules.ts'
import type { OtpProvider } from './otp.provider.ts'
import {
  countedTogether,
  day,
  guessRules,
  isEmailRole,
  type Origin,
  secondsUntil,
  waitRefusal,
} from './otp.rules.ts'
import type { OtpStore } from './otp.store.ts'

/** How long counts of shared limits serve further attempts on this gateway. */
const readingMs = 2_000
/** Readings beyond which all are forgotten. */
const mostReadings = 10_000

/** Counts of shared limits at a time, and how many more attempts they serve. */
interface Reading {
  readonly counts: readonly number[]
  readonly at: number
  uses: number
}

/** How many attempts may go by until what a rule says may change; 0 while it refuses, because it then tells for how long. */
function usesLeft(rule: Rule, used: number): number {
  if (used >= rule.count && (rule.code !== undefined || !rule.alarm)) return 0
  return Math.abs(rule.count - used)
}

/** A limit that is reached, and when it allows the next event: never, where only support unlocks the phone. */
export interface ReachedLimit {
  readonly code: 'PHONE_LOCKED' | 'SIGN_IN_BUSY' | NonNullable<Rule['code']>
  readonly limit: string
  readonly group?: string
  readonly freeAt: number
}

export interface LimitsDeps extends Pick<Core, 'clock' | 'metrics'> {
  readonly store: OtpStore
  readonly limits: OtpLimits
  /** Whether the phone (E.164) has a user account. */
  readonly isUser: (phone: string) => Promise<boolean>
}

/** What sends and checks need. */
export interface CodesDeps extends LimitsDeps {
  readonly provider: OtpProvider
}

export type Limits = ReturnType<typeof createLimits>

/** Decides whether a code may be sent or compared. Except for `triesPerCode`, the phone of the attempt must be locked. */
export function createLimits({ store, limits, clock, metrics, isUser }: LimitsDeps) {
  const refusals = metrics.counter(
    'amtiati_sign_in_limits_total',
    'Codes and checks that were refused, by the limit that refused them.',
    ['limit'],
  )
  metrics.gauge(
    'amtiati_sign_in_budget_used_ratio',
    'Part of OTP_DAILY_BUDGET that the codes of the last 24 hours have used up.',
    async () => {
      const [used = 0] = await store.countEvents(rulesFor(limits, '').known, {}, clock.now())
      return used / Math.max(1, limits.OTP_DAILY_BUDGET)
    },
  )

  /** Time of the last alarm, by alarm and group. */
  const alarmedAt = new Map<string, number>()
  /** For the log. Prefixes and addresses are not named: a prefix is most of a phone, and the address is logged anyway. */
  const groupOf = ({ per }: Rule, { country }: Origin) => (per === 'country' ? `country ${country}` : per)

  /** Once a day. */
  function isAlarmDue(key: string, now: number): boolean {
    if (now - (alarmedAt.get(key) ?? Number.NEGATIVE_INFINITY) < day) return false
    alarmedAt.set(key, now)
    return true
  }

  function raiseAlarm(rule: Rule, { origin, log }: Attempt, now: number): void {
    const group = groupOf(rule, origin)
    if (rule.alarm && isAlarmDue(`${rule.alarm} ${group}`, now))
      log('error', rule.alarm, { limit: rule.name, group })
  }

  /** By scope and then by rules: open and known devices have rules of their own. */
  const readings = new Map<string, Map<string, Reading>>()

  function readingsOf(per: Rule['per'], origin: Origin): Map<string, Reading> {
    const scope = JSON.stringify([
      countedTogether(origin.role),
      per,
      scopes[per].map((column) => origin[column]),
    ])
    const known = readings.get(scope)
    if (known) return known
    if (readings.size >= mostReadings) readings.clear()
    const made = new Map<string, Reading>()
    readings.set(scope, made)
    return made
  }

  /**
   * Counts events of shared rules, or returns what was counted within two seconds: a day has up to 50,000 events, and each code
   * asks for them. A reading, of all rules of a scope, serves half as many attempts as are free, and each attempt of the scope
   * uses up all of its readings, so that two gateways do not exceed a limit together.
   */
  async function countShared(
    rules: readonly Rule[],
    origin: Origin,
    now: number,
  ): Promise<Map<Rule, number>> {
    const used = new Map<Rule, number>()
    const scopesToCount: {
      readonly key: string
      readonly own: readonly Rule[]
      readonly kept: Reading | undefined
      readonly ofScope: Map<string, Reading>
    }[] = []
    for (const [per, own] of Map.groupBy(rules, (rule) => rule.per)) {
      const key = JSON.stringify(
        own.map(({ counts, credits, count, windowMs }) => [counts, credits, count, windowMs]),
      )
      const ofScope = readingsOf(per, origin)
      const kept = ofScope.get(key)
      if (kept && kept.uses > 0 && kept.at <= now && now < kept.at + readingMs) {
        for (const [index, rule] of own.entries()) used.set(rule, kept.counts[index] ?? 0)
      } else scopesToCount.push({ key, own, kept, ofScope })
      for (const reading of ofScope.values()) reading.uses -= 1
    }
    const counted = scopesToCount.flatMap(({ own }) => own)
    const counts = await store.countEvents(counted, origin, now)
    for (const [index, rule] of counted.entries()) used.set(rule, counts[index] ?? 0)
    for (const { key, own, kept, ofScope } of scopesToCount) {
      // Counted at the same time by another attempt: that one's reading stays, whose uses are on their way already.
      if (ofScope.get(key) !== kept) continue
      const ownCounts = own.map((rule) => used.get(rule) ?? 0)
      const left = Math.min(...own.map((rule, place) => usesLeft(rule, ownCounts[place] ?? 0)))
      // Beside the attempt that counted.
      ofScope.set(key, { counts: ownCounts, at: now, uses: Math.floor((left - 1) / 2) })
    }
    return used
  }

  /** How many events each rule counts; `events`: of the phone. */
  async function countAll(
    rules: readonly Rule[],
    { origin }: Attempt,
    events: readonly PastEvent[],
    now: number,
  ): Promise<ReadonlyMap<Rule, number>> {
    const [ofPhone, shared] = [rules.filter(isOfPhone), rules.filter((rule) => !isOfPhone(rule))]
    const used = await countShared(shared, origin, now)
    for (const rule of ofPhone) used.set(rule, countedBy(rule, events, origin.channel, now).length)
    return used
  }

  /** Those of the rules that are reached. Logs the alarm of each, at most once a day. */
  function reachedOf(
    rules: readonly Rule[],
    used: ReadonlyMap<Rule, number>,
    attempt: Attempt,
    now: number,
  ): Rule[] {
    const reached = rules.filter((rule) => (used.get(rule) ?? 0) >= rule.count)
    for (const rule of reached) raiseAlarm(rule, attempt, now)
    return reached
  }

  /** The rule with the longest wait; undefined when no rule is reached. */
  async function findLongestWait(
    rules: readonly Rule[],
    attempt: Attempt,
    events: readonly PastEvent[],
    now: number,
    known?: ReadonlyMap<Rule, number>,
  ) {
    const used = known ?? (await countAll(rules, attempt, events, now))
    const { origin } = attempt
    let longest: ReachedLimit | undefined
    for (const rule of reachedOf(rules, used, attempt, now)) {
      const last = isOfPhone(rule)
        ? freeAtOf(rule, countedBy(rule, events, origin.channel, now), now)
        : await store.findFreeAt(rule, origin, now, used.get(rule) ?? 0)
      const freeAt = rule.credits ? Math.min(last, now + longestCreditWaitMs) : last
      if (longest && longest.freeAt >= freeAt) continue
      const group = groupOf(rule, origin)
      longest = { code: rule.code ?? 'SIGN_IN_BUSY', limit: rule.name, group, freeAt }
    }
    return longest
  }

  /** The longest wait of the rules that the phone shares with other phones. All that may apply are counted in one statement. */
  async function findSharedWait(attempt: Attempt, now: number) {
    const { rules, origin } = attempt
    const isOpen = origin.trust === 'open'
    const watched = [...rules.alarms, ...(isOpen ? rules.restriction : [])]
    const calls = origin.channel === 'call' ? rules.calls : []
    const mayApply = isOpen
      ? [...rules.open, ...rules.newPhone, ...rules.address, ...rules.restrictedAddress]
      : rules.known
    const used = await countAll([...watched, ...mayApply, ...calls], attempt, [], now)
    const reached = reachedOf(watched, used, attempt, now)
    const applied = isOpen
      ? await openRules(
          attempt,
          reached.some(({ alarm }) => alarm === 'restricted'),
        )
      : rules.known
    return findLongestWait([...applied, ...calls], attempt, [], now, used)
  }

  async function openRules({ rules, origin }: Attempt, isRestricted: boolean): Promise<readonly Rule[]> {
    // Agents' sign-in treats all phones alike: a difference would reveal which phone is an agent's.
    const isNew = origin.role !== 'user' || !(await isUser(origin.phone))
    const address = isRestricted ? rules.restrictedAddress : rules.address
    return [...rules.open, ...(isNew ? rules.newPhone : []), ...address]
  }

  /** Agents' numbers are public, so strangers could stop them all: for agents the counts of a day are the only stop. */
  const hardStop = ({ origin }: Attempt, consecutiveFailures: number): ReachedLimit | undefined =>
    origin.role === 'agent' || consecutiveFailures < guessRules.consecutiveFailures
      ? undefined
      : { code: 'PHONE_LOCKED', limit: 'wrong-in-a-row', freeAt: Number.POSITIVE_INFINITY }

  return {
    isAlarmDue,

    /**
     * The limit that keeps a code from being sent. `isUndelivered`: the last one did not arrive. Here and below, `events` are
     * those of the phone.
     */
    findSendLimit: async (
      attempt: Attempt,
      consecutiveFailures: number,
      isUndelivered: boolean,
      events: readonly PastEvent[],
      now: number,
    ) =>
      hardStop(attempt, consecutiveFailures) ??
      (await findLongestWait(
        [
          ...attempt.rules.wrongs,
          ...attempt.rules.sends,
          ...attempt.rules.pauses,
          ...(isUndelivered ? [] : attempt.rules.switches),
        ],
        attempt,
        events,
        now,
      )) ??
      (await findSharedWait(attempt, now)),

    /** The limit that keeps a code from being compared. */
    findCheckLimit: async (
      attempt: Attempt,
      consecutiveFailures: number,
      events: readonly PastEvent[],
      now: number,
    ) =>
      hardStop(attempt, consecutiveFailures) ??
      (await findLongestWait(attempt.rules.wrongs, attempt, events, now)),

    /** When the phone may be sent its next code: by this channel, and by another one. */
    async nextSendAt(attempt: Attempt, events: readonly PastEvent[], now: number) {
      const { sends, pauses, switches } = attempt.rules
      const other = (await findLongestWait([...sends, ...switches], attempt, events, now))?.freeAt ?? now
      const same = (await findLongestWait(pauses, attempt, events, now))?.freeAt ?? now
      return { nextAt: Math.max(same, other), nextChannelAt: other }
    },

    /** How often a code may be tried: less during an attack that tries one guess at each of many phones. */
    async triesPerCode(attempt: Attempt, now: number): Promise<number> {
      if (attempt.origin.trust === 'known') return guessRules.triesPerCode
      const { guessing } = attempt.rules
      const used = await countAll(guessing, attempt, [], now)
      return reachedOf(guessing, used, attempt, now).length > 0
        ? guessRules.triesUnderAttack
        : guessRules.triesPerCode
    },

    /** Counts and logs a refusal. */
    refusal({ log, origin }: Attempt, { code, limit, group, freeAt }: ReachedLimit, now: number): Failure {
      refusals.inc({ limit })
      const isEmail = isEmailRole(origin.role)
      if (code === 'PHONE_LOCKED') {
        log('warn', 'phone-locked', { limit })
        return failure(sessionsErrors, isEmail ? 'EMAIL_LOCKED' : code)
      }
      const seconds = Math.max(1, secondsUntil(freeAt, now))
      const level = code === 'CODE_REQUESTED_TOO_SOON' ? 'info' : 'warn'
      log(level, 'limit-met', { limit, group, retryAfterSeconds: seconds })
      return waitRefusal(isEmail && code !== 'SIGN_IN_BUSY' ? 'TOO_MANY_EMAIL_CODES' : code, seconds)
    },
  }
}
