/** The simulator's time: real time plus whatever testers have added to it. */
export interface Clock {
  /** Epoch milliseconds. Never goes back, except by `reset`. */
  now(): number
  /** Moves the time forward by `ms`; a negative or non-finite number throws a RangeError. */
  advance(ms: number): void
  /** Back to real time. */
  reset(): void
}

/** The clock as its owner sees it: how far ahead it is survives a restart. */
export interface OwnedClock extends Clock {
  aheadMs(): number
}

/** @param realNow the underlying time in epoch milliseconds; tests hand in a fixed one. */
export function createClock(realNow: () => number = Date.now): OwnedClock {
  let aheadMs = 0
  return {
    now: () => realNow() + aheadMs,
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) throw new RangeError('the clock moves forward only')
      aheadMs += ms
    },
    reset() {
      aheadMs = 0
    },
    aheadMs: () => aheadMs,
  }
}
