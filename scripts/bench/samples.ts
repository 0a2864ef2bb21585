import { percentile, type Summary, summaryOf } from './report.ts'

/** One request to the gateway, as its sender measured it. */
export interface Sample {
  /** Milliseconds since the start of the level. */
  readonly atMs: number
  readonly operation: string
  /** From the moment the request was due, even if the generator sent it later. */
  readonly ms: number
  /** `503 OVERLOADED`, `no answer within …`; undefined for an expected answer. */
  readonly failure?: string | undefined
}

export interface LevelReport {
  readonly requests: number
  readonly all: Summary
  readonly byOperation: readonly {
    readonly operation: string
    readonly summary: Summary
    readonly failed: number
  }[]
  /** How often each failure occurred. */
  readonly failures: Readonly<Record<string, number>>
  readonly isHeld: boolean
  /** Description of the first failure or slow period; undefined when the level passed. */
  readonly firstBreak: string | undefined
}

/** The promised p95 at the peak (docs/performance.md). */
export const allowedP95Ms = 300
const windowMs = 5_000

/** A level passes if every response is right and 95 of 100 come within 300 ms. */
export function reportOf(samples: readonly Sample[]): LevelReport {
  const all = summaryOf(samples.map(({ ms }) => ms))
  const failures: Record<string, number> = {}
  for (const { failure } of samples)
    if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1
  const isHeld = samples.length > 0 && Object.keys(failures).length === 0 && all.p95 < allowedP95Ms
  return {
    requests: samples.length,
    all,
    byOperation: [...Map.groupBy(samples, ({ operation }) => operation)]
      .map(([operation, own]) => ({
        operation,
        summary: summaryOf(own.map(({ ms }) => ms)),
        failed: own.filter(({ failure }) => failure !== undefined).length,
      }))
      .sort((a, b) => b.summary.p95 - a.summary.p95),
    failures,
    isHeld,
    firstBreak: isHeld ? undefined : firstBreakOf(samples),
  }
}

/** The first five seconds in which something failed or took too long, and what it was. */
function firstBreakOf(samples: readonly Sample[]): string {
  if (samples.length === 0) return 'nothing was answered'
  const windows = Map.groupBy(samples, ({ atMs }) => Math.floor(atMs / windowMs))
  for (const [index, own] of [...windows].sort(([a], [b]) => a - b)) {
    const when = `in seconds ${(index * windowMs) / 1_000} to ${((index + 1) * windowMs) / 1_000}`
    const failed = own.find(({ failure }) => failure !== undefined)
    if (failed) return `${failed.operation}: ${failed.failure} ${when}`
    if (p95Of(own) < allowedP95Ms) continue
    const [slowest] = [...Map.groupBy(own, ({ operation }) => operation)]
      .map(([operation, some]) => ({ operation, p95: p95Of(some) }))
      .sort((a, b) => b.p95 - a.p95)
    return `${slowest?.operation}: p95 ${Math.round(slowest?.p95 ?? 0)} ms ${when}`
  }
  return 'slow answers, spread over the whole time'
}

const p95Of = (samples: readonly Sample[]) =>
  percentile(
    samples.map(({ ms }) => ms).sort((a, b) => a - b),
    0.95,
  )
