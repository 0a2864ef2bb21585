const dayMs = 86_400_000

/** From the airway bill, and again from the hand-over. A bag without a scan in this time is left to operators. */
export const trackedForMs = 30 * dayMs

/**
 * Spreads polls, so that bags that were handed over together are not due together.
 * @param random 0 ≤ random < 1
 */
export const spread = (ms: number, random: number): number => Math.round(ms * (0.9 + 0.2 * random))

/** Bags that are due this soon join a call that is made anyway. */
export const slackOf = (intervalMs: number): number => Math.floor(intervalMs / 4)
