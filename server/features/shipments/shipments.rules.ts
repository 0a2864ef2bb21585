/** The partner is known to take long over a shipment; nobody waits for it but the worker. */
export const patience = { createMs: 30_000, readMs: 10_000 } as const

/**
 * How long a look-up that finds nothing proves nothing, counted from the moment the partner was asked and did not
 * answer: it may still be at it.
 */
export const doubtMs = patience.createMs + 5_000

/** How often to look meanwhile: a slow shipment is found soon after it was made. */
export const doubtLookMs = 5_000

/**
 * Longer than a usual try. A try that outlives its lease does no harm: the doubt it wrote before it asked keeps others
 * from asking again.
 */
export const leaseMs = 45_000

const firstDelayMs = 2_000
const maxDelayMs = 5 * 60_000

/**
 * Wait before the next try: doubling from 2 s to 5 min, plus up to a quarter by chance so that bookings that failed
 * together do not come back together. `chance` is in [0, 1).
 */
export function retryDelayMs(tries: number, chance: number): number {
  const base = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.max(0, tries - 1))
  return Math.round(base * (1 + chance / 4))
}
