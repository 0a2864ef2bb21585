import type { Job } from './jobs.ts'
import type { Options } from './options.ts'
import type { Child } from './processes.ts'
import { figure, tableOf } from './table.ts'

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

/** What every measurement uses. */
export interface Bench {
  readonly options: Options
  readonly generator: Child
  readonly faults: string[]
  say(line: string): void
}

/** Runs a job in the process that generates load. */
export const ask = <T>({ generator }: Bench, job: Job) => generator.ask<T>(job)

/** Connections of a flood of requests. */
export const connections = 32

const reaches = ({ measure, isMoreBetter }: Row, mark: number) =>
  isMoreBetter ? measure >= mark : measure <= mark

export function rowsTable(rows: readonly Row[]): string {
  const table = tableOf(
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
  return `${table}\n\n${notes.join('\n')}`
}
