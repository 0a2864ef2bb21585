import type { Random } from '#test/kit/random.ts'

/**
 * When visits begin, in milliseconds from the start: a Poisson process of `perSecond` over `seconds`. Open arrivals:
 * a visit does not wait for responses to earlier ones.
 * @param most bounds the count; later arrivals are left out.
 */
export function poissonArrivals(perSecond: number, seconds: number, random: Random, most: number): number[] {
  const arrivals: number[] = []
  if (perSecond <= 0) return arrivals
  for (let at = 0; arrivals.length < most; ) {
    // `1 - next()` is never 0, whose logarithm is infinite.
    at += (-Math.log(1 - random.next()) * 1_000) / perSecond
    if (at >= seconds * 1_000) break
    arrivals.push(at)
  }
  return arrivals
}

/** A pause between two requests of one visit: exponential, of this mean, never more than eight times as long. */
export function thinkingMs(meanMs: number, random: Random): number {
  return Math.min(-Math.log(1 - random.next()), 8) * meanMs
}
