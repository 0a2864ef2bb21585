/** The partner creates a shipment slowly, but only the worker waits for it. */
export const timeouts = { createMs: 30_000, readMs: 10_000 } as const

/** Look-ups come this many seconds after the beginning of a quiet window of 60 s. Other windows are scaled. */
const lookUpSeconds = [2, 5, 10, 20, 40] as const
const windowSeconds = 60

/**
 * The partner can work on a creation until the time-out, and a look-up can miss the shipment for `quietMs` after that.
 */
export const unansweredMs = (quietMs: number): number => timeouts.createMs + quietMs

/**
 * Look-ups get rarer while the partner is possibly still creating the shipment, and again in the quiet window. The last
 * look-up is at the end of the window.
 */
export function lookUpDelayMs(uncertainUntil: number, now: number, quietMs: number): number {
  const beginsAt = uncertainUntil - quietMs
  const after = (start: number) =>
    lookUpSeconds.map((seconds) => start + (seconds * quietMs) / windowSeconds).filter((at) => at > now)
  const early = now < beginsAt ? after(beginsAt - timeouts.createMs) : []
  return Math.ceil(Math.min(...early, ...after(beginsAt), Math.max(now, uncertainUntil)) - now)
}

export const stoppedLookUpMs = 10 * 60_000

/** A longer try does no harm: the stored `uncertain_until` keeps other workers from creating a second shipment. */
export const leaseMs = 45_000

const firstDelayMs = 2_000
const maxDelayMs = 5 * 60_000

/**
 * The delay doubles, plus up to a quarter at random, so that bookings that failed together are not retried together.
 */
export function retryDelayMs(tries: number, chance: number): number {
  const base = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.max(0, tries - 1))
  return Math.round(base * (1 + chance / 4))
}
