/** Statistics of a list of durations, in any unit. */
export interface Summary {
  readonly count: number
  readonly median: number
  readonly p95: number
  readonly p99: number
  readonly slowest: number
}

/** The smallest value that at least this share of the values does not exceed (nearest rank); NaN for an empty list. */
export function percentile(sorted: readonly number[], share: number): number {
  if (sorted.length === 0) return Number.NaN
  const rank = Math.ceil(share * sorted.length)
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] ?? Number.NaN
}

/** The middle value, or the mean of the two middle ones; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] ?? Number.NaN
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

export function summaryOf(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b)
  return {
    count: sorted.length,
    median: median(sorted),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    slowest: sorted.at(-1) ?? Number.NaN,
  }
}
