import type { Core } from '#server/core.ts'
import { type Failure, failure } from '#server/platform/errors.ts'
import { takeCall } from '#server/platform/limits.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { Attempt } from './attempts.ts'
import {
  budgetOf,
  hardStop,
  longestOf,
  type PastEvent,
  type Reached,
  reachedOf,
  sharedRules,
} from './limits.rules.ts'
import { countEvents, findFreeAt } from './otp.queries.ts'
import { day, isEmailRole, minute, secondsUntil, waitRefusal } from './otp.rules.ts'

export const isAlarmDue = (core: Core, alarm: string): boolean =>
  takeCall(core, { name: 'sign-in alarms', limits: [{ count: 1, windowMs: day }] }, alarm) === undefined

function reachedBySend({ rules, origin, now }: Attempt, events: readonly PastEvent[], isAtOnce = false) {
  const ofChannel = events.filter(({ channel }) => channel === origin.channel)
  const others = reachedOf([...rules.sends, ...(isAtOnce ? [] : [rules.switching])], events, now)
  return { others, all: [...others, ...reachedOf([rules.pause], ofChannel, now)] }
}

export function nextSendAt(attempt: Attempt, events: readonly PastEvent[]) {
  const { others, all } = reachedBySend(attempt, events)
  return {
    nextAt: longestOf(all)?.freeAt ?? attempt.now,
    nextChannelAt: longestOf(others)?.freeAt ?? attempt.now,
  }
}

async function findSharedLimit(core: Core, { origin, log, now }: Attempt): Promise<Reached | undefined> {
  const rules = sharedRules(core.config, origin)
  const counts = await countEvents(core, rules, origin, now)
  const reached: Reached[] = []
  for (const [index, rule] of rules.entries()) {
    const used = counts[index] ?? 0
    for (const [alarm, part] of Object.entries(rule.alarms ?? {}))
      if (used >= rule.count * part && isAlarmDue(core, alarm)) log('error', alarm, { limit: rule.name })
    if (used < rule.count) continue
    // The next entered code allows another send, so the exact time is unknown.
    const freeAt = rule.answered < 0 ? now + minute : await findFreeAt(core, rule, origin, now, used)
    reached.push({ rule, freeAt })
  }
  return longestOf(reached)
}

/** Strangers know the phone numbers of agents and could lock them all, so agents have daily limits but no lock. */
export const findCheckLimit = (
  { rules, origin, now }: Attempt,
  failures: number,
  events: readonly PastEvent[],
): Reached | undefined =>
  origin.role !== 'agent' && failures >= hardStop.count
    ? { rule: hardStop, freeAt: hardStop.windowMs }
    : longestOf(reachedOf(rules.wrongs, events, now))

/** @param isAtOnce true when a code by another channel needs no pause */
export async function findSendLimit(
  core: Core,
  attempt: Attempt,
  failures: number,
  events: readonly PastEvent[],
  isAtOnce: boolean,
): Promise<Reached | undefined> {
  const { all } = reachedBySend(attempt, events, isAtOnce)
  const wrong = findCheckLimit(attempt, failures, events)
  return longestOf(wrong ? [wrong, ...all] : all) ?? findSharedLimit(core, attempt)
}

export function limitRefusal(
  core: Core,
  { log, origin, now }: Attempt,
  { rule: { name: limit, code, per }, freeAt }: Reached,
): Failure {
  core.counters.signInLimits.inc({ limit })
  const isEmail = isEmailRole(origin.role)
  if (code === 'PHONE_LOCKED') {
    log('warn', 'phone-locked', { limit })
    return failure(sessionsErrors, isEmail ? 'EMAIL_LOCKED' : code)
  }
  const retryAfterSeconds = Math.max(1, secondsUntil(freeAt, now))
  // A prefix is most of a phone number, so it must not be logged.
  const group = per === 'country' ? `country ${origin.country}` : per
  log(code === 'CODE_REQUESTED_TOO_SOON' ? 'info' : 'warn', 'limit-met', { limit, group, retryAfterSeconds })
  return waitRefusal(isEmail && code !== 'SIGN_IN_BUSY' ? 'TOO_MANY_EMAIL_CODES' : code, retryAfterSeconds)
}

export async function readBudgetUsed(core: Core): Promise<number> {
  const [used = 0] = await countEvents(core, [budgetOf(core.config)], { trust: 'open' }, core.clock.now())
  return used / Math.max(1, core.config.OTP_DAILY_BUDGET)
}
