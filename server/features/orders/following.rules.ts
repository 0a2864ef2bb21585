const dayMs = 86_400_000

/** A bag is tracked this long after its airway bill was issued, and again after its hand-over. */
export const trackedForMs = 30 * dayMs

/** Changes the interval by up to 10 %, so that bags of one hand-over are not polled together. */
export const spread = (ms: number, random: number): number => Math.round(ms * (0.9 + 0.2 * random))

/** Bags that become due within this time are polled together with bags that are due. */
export const slackOf = (intervalMs: number): number => Math.floor(intervalMs / 4)
