import { table } from '../ops/format.ts'

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

/** A table in plain text: heads, then rows. */
export const tableOf = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  table([heads, ...rows])

/** Three significant figures: `0.173`, `12.3`, `4560`; a dash for NaN. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return value.toFixed(digits)
}

/** A promised number with its measurement and its baseline. */
export interface Row {
  readonly what: string
  readonly unit: string
  readonly gateway: number
  readonly baseline: number
  readonly baselineIs: string
  /** Compared with floor and goal: a ratio, or the number itself. */
  readonly measure: number
  readonly floor: number
  readonly goal: number
  readonly isMoreBetter: boolean
  readonly note: string
}

const reaches = ({ measure, isMoreBetter }: Row, mark: number) =>
  isMoreBetter ? measure >= mark : measure <= mark

export function rowsTable(rows: readonly Row[]): string {
  const all = tableOf(
    ['what', 'gateway', 'baseline', 'unit', 'measure', 'floor', 'goal', 'reached', 'against'],
    rows.map((row) => [
      row.what,
      figure(row.gateway),
      figure(row.baseline),
      row.unit,
      figure(row.measure),
      figure(row.floor),
      figure(row.goal),
      reaches(row, row.goal) ? 'goal' : reaches(row, row.floor) ? 'floor' : 'below',
      row.baselineIs,
    ]),
  )
  const notes = rows.flatMap(({ what, note }) => (note === '' ? [] : [`${what}: ${note}.`]))
  return `${all}\n\n${notes.join('\n')}`
}
