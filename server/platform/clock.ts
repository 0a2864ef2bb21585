/** The only source of the time; epoch milliseconds. */
export interface Clock {
  now(): number
  /** Milliseconds since some moment, for durations: unlike `now` it does not jump when the machine's clock is set. Default: `now`. */
  elapsed?(): number
}

/** For durations within this process: milliseconds since its start, independent of changes to the wall clock. */
export const monotonicClock: Clock = { now: () => performance.now() }

export const systemClock: Clock = { now: () => Date.now(), elapsed: monotonicClock.now }

/** The most that the clocks of two gateways may differ. */
export const clocksDifferMs = 30_000

export const elapsedBy = (clock: Clock): number => clock.elapsed?.() ?? clock.now()

/** Real time plus what testers have added: for MODE=demo only. @param onMove is told of it, too. */
export function createMovableClock(realClock: Clock = systemClock, onMove?: (aheadMs: number) => void) {
  let aheadMs = 0
  return {
    now: () => realClock.now() + aheadMs,
    elapsed: () => elapsedBy(realClock) + aheadMs,
    /** How far ahead of real time. */
    aheadMs: () => aheadMs,
    setAhead(ms: number): void {
      aheadMs = ms
      onMove?.(ms)
    },
  }
}
export type MovableClock = ReturnType<typeof createMovableClock>
