import type { Engine } from '#server/platform/database/database.ts'
import { table } from '../ops/format.ts'

export const say = (line: string) => console.error(line)

export interface Options {
  readonly engines: readonly Engine[]
  readonly orders: number
  readonly rounds: number
  readonly seconds: number
  readonly journeys: number
  readonly most: number
  readonly kills: number
}

type Line = Readonly<Record<string, string | number>>

export interface Result {
  /** All with the same names. */
  readonly lines: readonly Line[]
  readonly faults: readonly string[]
  /** Written into the file of the numbers, and not printed. */
  readonly details?: unknown
}

/** By nearest rank; NaN for an empty list. */
export function summaryOf(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
  return { median: at(0.5), p95: at(0.95), p99: at(0.99), slowest: at(1) }
}

export const median = (values: readonly number[]) => summaryOf(values).median

export function countsOf(failures: readonly (string | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const failure of failures) if (failure !== undefined) counts[failure] = (counts[failure] ?? 0) + 1
  return counts
}

export function tableOf(lines: readonly Line[]): string {
  const heads = Object.keys(lines[0] ?? {})
  const cell = (value: string | number = '') => (typeof value === 'number' ? figure(value) : value)
  return table([heads, ...lines.map((line) => heads.map((head) => cell(line[head])))])
}

/** Three significant figures: `0.173`, `12.3`, `4560`; a dash for NaN. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return value.toFixed(digits)
}
