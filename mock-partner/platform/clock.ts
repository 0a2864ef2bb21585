/**
 * The simulator's time: real time plus what testers have added.
 * @param realNow the underlying time in epoch milliseconds; tests pass a fixed one.
 */
export function createClock(realNow: () => number = Date.now) {
  let aheadMs = 0
  return {
    /** Epoch milliseconds. Never goes back, except by `reset`. */
    now: () => realNow() + aheadMs,
    /** @throws RangeError for a negative or non-finite number. */
    advance(ms: number): void {
      if (!Number.isFinite(ms) || ms < 0) throw new RangeError('the clock moves forward only')
      aheadMs += ms
    },
    /** Back to real time. */
    reset(): void {
      aheadMs = 0
    },
    /** How far ahead of real time; stored over a restart. */
    aheadMs: () => aheadMs,
  }
}
export type Clock = ReturnType<typeof createClock>
