export interface Clock {
  now(): number
  /** `elapsed` does not jump when the machine's clock is set, so durations are measured with it. */
  elapsed?(): number
}

export const monotonicClock: Clock = { now: () => performance.now() }

export const systemClock: Clock = { now: () => Date.now(), elapsed: monotonicClock.now }

export const clocksDifferMs = 30_000

export const elapsedBy = (clock: Clock): number => clock.elapsed?.() ?? clock.now()

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
