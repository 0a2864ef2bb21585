/** All code reads the time from a clock, in epoch milliseconds. */
export interface Clock {
  now(): number
  /** Milliseconds for measuring a duration, which do not jump when the machine's clock is set. */
  elapsed?(): number
}

export const monotonicClock: Clock = { now: () => performance.now() }

export const systemClock: Clock = { now: () => Date.now(), elapsed: monotonicClock.now }

export const clocksDifferMs = 30_000

export const elapsedBy = (clock: Clock): number => clock.elapsed?.() ?? clock.now()

/**
 * A clock of the real time plus the time that testers have added, for MODE=demo only.
 * @param onMove called after each change
 */
export function createMovableClock(realClock: Clock = systemClock, onMove?: (aheadMs: number) => void) {
  let aheadMs = 0
  return {
    now: () => realClock.now() + aheadMs,
    elapsed: () => elapsedBy(realClock) + aheadMs,
    aheadMs: () => aheadMs,
    setAhead(ms: number): void {
      aheadMs = ms
      onMove?.(ms)
    },
  }
}
export type MovableClock = ReturnType<typeof createMovableClock>
