import { platformErrors } from '#shared/platform/platform.errors.ts'
import type { Clock } from './clock.ts'
import { type Failure, failure } from './errors.ts'
import { waitInWords } from './waiting.ts'

/** A limit allows `count` calls in any span of `windowMs` (a sliding window). */
export interface Limit {
  readonly count: number
  readonly windowMs: number
}

export const opensPerPerson: readonly Limit[] = [{ count: 200, windowMs: 3_600_000 }]

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses `count/window[,count/window…]`, such as `3/10m,10/1d`. @throws an error that does not contain the value */
export function limitList(text: string): readonly Limit[] {
  return text.split(',').map((part) => {
    const [, count, amount, unit] = /^(\d{1,9})\/([1-9]\d{0,4})([smhd])$/.exec(part.trim()) ?? []
    const unitMs = unit && units[unit]
    if (!unitMs) throw new Error('is not a list of count/window, such as 3/10m,10/1d')
    return { count: Number(count), windowMs: Number(amount) * unitMs }
  })
}

export function longestMs(limits: readonly Limit[]): number {
  return Math.max(0, ...limits.map(({ windowMs }) => windowMs))
}

/**
 * The time at which the limit allows the next call; `now` when it allows one now. A call at `t` counts until just
 * before `t + windowMs`.
 * @param times times of earlier calls, oldest first; a time by another gateway's clock may be later than `now`
 */
export function freeAt({ count, windowMs }: Limit, times: readonly number[], now: number): number {
  const counted = times.filter((at) => at > now - windowMs)
  if (counted.length < count) return now
  // A count of 0 allows no call; the wait is then a whole window.
  return (counted[counted.length - Math.max(1, count)] ?? now) + windowMs
}

/**
 * Counts calls in memory, because the limit protects this process: a restart resets the counts, and each gateway counts
 * separately.
 */
export function createCallLimit<K>(limits: readonly Limit[], clock: Clock) {
  const keptMs = longestMs(limits)
  const calls = new Map<K, readonly number[]>()
  return {
    /** Counts an allowed call and returns undefined, or returns the milliseconds until the next call is allowed. */
    take(key: K): number | undefined {
      const now = clock.now()
      for (const [each, times] of calls) {
        if ((times.at(-1) ?? 0) > now - keptMs) break
        calls.delete(each)
      }
      const times = (calls.get(key) ?? []).filter((at) => at > now - keptMs)
      const free = Math.max(now, ...limits.map((limit) => freeAt(limit, times, now)))
      if (free > now) return free - now
      calls.delete(key)
      calls.set(key, [...times, now])
      return undefined
    },
    size: () => calls.size,
  }
}

export interface CallLimit {
  readonly name: string
  readonly limits: readonly Limit[]
}

export type CallCounts = Map<string, ReturnType<typeof createCallLimit<string | number>>>

interface CountingCore {
  readonly callCounts: CallCounts
  readonly clock: Clock
}

/** This gateway counts the calls in its memory. @throws Failure TOO_MANY_CALLS */
export function limitCalls(core: CountingCore, limit: CallLimit, key: string | number): void {
  const waitMs = takeCall(core, limit, key)
  if (waitMs !== undefined) throw tooManyCalls(waitMs)
}

/** @returns undefined when the call is allowed; otherwise the milliseconds until the next call is allowed */
export function takeCall(
  { callCounts, clock }: CountingCore,
  { name, limits }: CallLimit,
  key: string | number,
): number | undefined {
  const counts = callCounts.get(name) ?? createCallLimit<string | number>(limits, clock)
  callCounts.set(name, counts)
  return counts.take(key)
}

export function tooManyCalls(waitMs: number): Failure {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000)
  return failure(platformErrors, 'TOO_MANY_CALLS', {
    values: { wait: waitInWords(retryAfterSeconds) },
    retryAfterSeconds,
  })
}
