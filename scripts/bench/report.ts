import { table } from '../ops/format.ts'

export const say = (line: string) => console.error(line)

export interface Result {
  readonly table: string
  readonly faults: readonly string[]
  readonly numbers: unknown
}

export interface Summary {
  readonly count: number
  readonly median: number
  readonly p95: number
  readonly p99: number
  readonly slowest: number
}

/** By nearest rank; NaN for an empty list. */
export function summaryOf(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
  return { count: sorted.length, median: at(0.5), p95: at(0.95), p99: at(0.99), slowest: at(1) }
}

export const median = (values: readonly number[]) => summaryOf(values).median

export function countsOf(failures: readonly (string | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const failure of failures) if (failure !== undefined) counts[failure] = (counts[failure] ?? 0) + 1
  return counts
}

export const tableOf = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  table([heads, ...rows])

/** Three significant figures: `0.173`, `12.3`, `4560`; a dash for NaN. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return value.toFixed(digits)
}

export interface Row {
  readonly what: string
  readonly unit: string
  readonly gateway: number
  readonly baseline: number
  readonly baselineIs: string
  /** Compared with floor and goal: a ratio, or the number itself. */
  readonly measure: number
  readonly floor: number
  /** Above the floor when more is better. */
  readonly goal: number
  readonly note: string
}

const reaches = ({ measure, floor, goal }: Row, mark: number) =>
  goal > floor ? measure >= mark : measure <= mark

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
