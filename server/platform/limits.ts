import { platformErrors } from '#shared/platform/platform.errors.ts'
import type { Clock } from './clock.ts'
import { type Failure, failure } from './errors.ts'
import { waitInWords } from './waiting.ts'

/** Allows `count` calls in any span of `windowMs` (a sliding window). */
export interface Limit {
  readonly count: number
  readonly windowMs: number
}

export const opensPerPerson: readonly Limit[] = [{ count: 200, windowMs: 3_600_000 }]

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads `3/10m,10/1d`: three calls in ten minutes and ten in a day. An error does not contain the value. */
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

/** `times` are sorted, oldest first. Another gateway's clock can have made some that are later than `now`. */
export function freeAt({ count, windowMs }: Limit, times: readonly number[], now: number): number {
  const counted = times.filter((at) => at > now - windowMs)
  if (counted.length < count) return now
  // A limit of 0 allows no call; the waiting time is then a whole window.
  return (counted[counted.length - Math.max(1, count)] ?? now) + windowMs
}

/** Counts calls in memory: the limit protects this process, and each gateway counts for itself. */
export function createCallLimit<K>(limits: readonly Limit[], clock: Clock) {
  const keptMs = longestMs(limits)
  const calls = new Map<K, readonly number[]>()
  return {
    /**
     * Counts an allowed call and returns undefined; otherwise returns the milliseconds until the next call is allowed.
     */
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

export function limitCalls(core: CountingCore, limit: CallLimit, key: string | number): void {
  const waitMs = takeCall(core, limit, key)
  if (waitMs !== undefined) throw tooManyCalls(waitMs)
}

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
