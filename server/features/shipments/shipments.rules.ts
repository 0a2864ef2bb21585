/** A lease outlives the slowest step of a try (30 s to create), so that two workers never ask for one booking. */
export const leaseMs = 90_000

const firstDelayMs = 2_000
const maxDelayMs = 5 * 60_000

/**
 * Wait before the next try: doubling from 2 s to 5 min, plus up to a quarter by chance so that bookings that failed
 * together do not come back together. `chance` is in [0, 1).
 */
export function retryDelayMs(tries: number, chance: number): number {
  const base = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.max(0, tries - 1))
  return Math.round(base * (1 + chance / 4))
}
