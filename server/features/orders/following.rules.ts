const dayMs = 86_400_000

/** A bag is tracked this long from the airway bill, and again from the hand-over. Afterwards operators look after it. */
export const trackedForMs = 30 * dayMs

/** Bags that were handed over together are not due together. @param random 0 ≤ random < 1 */
export const spread = (ms: number, random: number): number => Math.round(ms * (0.9 + 0.2 * random))

/** Bags that are due this soon join a call that is made anyway. */
export const slackOf = (intervalMs: number): number => Math.floor(intervalMs / 4)
