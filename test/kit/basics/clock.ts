import type { Clock } from '#server/platform/clock.ts'

export interface ManualClock extends Required<Clock> {
  /** Time passes. */
  advance(ms: number): void
  /** The clock of the machine is set forward by `ms`, or back. */
  set(ms: number): void
}

/** A noon in January 2027. */
export const noon = Date.UTC(2027, 0, 15, 9)

/** The time in databases that are opened without a clock of their own. */
export const contractNoon = 1_800_000_000_000

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** A clock that stands still until `advance` or `set` is called. */
export function manualClock(startAt: number = noon): ManualClock {
  let at = startAt
  let aheadMs = 0
  return {
    now: () => at + aheadMs,
    elapsed: () => at,
    advance(ms) {
      at += ms
    },
    set(ms) {
      aheadMs += ms
    },
  }
}
