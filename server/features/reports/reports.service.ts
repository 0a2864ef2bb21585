import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { readViolations } from './reports.rules.ts'

export interface ReportsService {
  /** Counts what a browser says it has refused, and logs it while there is room. Never fails. */
  receive(body: unknown): void
}

/** Whoever wants may send reports: they may fill a counter, not the disk. */
const linesPerMinute = 20
const windowMs = 60_000

export function createReports(deps: { clock: Clock; log: Log; metrics: Metrics }): ReportsService {
  const { clock, log, metrics } = deps
  const reports = metrics.counter(
    'csp_reports_total',
    'Violations of the content policy, as browsers report them.',
    ['directive'],
  )
  let windowStartedAt = Number.NEGATIVE_INFINITY
  let lines = 0

  function write(line: Record<string, unknown>): void {
    if (clock.now() - windowStartedAt >= windowMs) {
      windowStartedAt = clock.now()
      lines = 0
    }
    lines += 1
    if (lines < linesPerMinute) log.warn(line)
    else if (lines === linesPerMinute) log.warn({ event: 'reports.muted', forMs: windowMs })
  }

  return {
    receive(body) {
      const violations = readViolations(body)
      if (violations.length === 0) reports.inc({ directive: 'unreadable' })
      for (const violation of violations) {
        reports.inc({ directive: violation.directive })
        write({ event: 'reports.violation', ...violation })
      }
    },
  }
}
