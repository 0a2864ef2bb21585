import { addressGroup, truncatedAddress } from '#server/platform/address.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { readAppError, readViolations } from './reports.rules.ts'

export type ReportsService = ReturnType<typeof createReports>

/** Reports need no session, so their log lines are bounded: in all, and per address so that one cannot use up the rest. */
const linesPerMinute = 20
const linesPerAddress = 5
const windowMs = 60_000

export function createReports(deps: { clock: Clock; log: Log; metrics: Metrics }) {
  const { clock, log, metrics } = deps
  const reports = metrics.counter(
    'amtiati_csp_reports_total',
    'Violations of the content policy, as browsers report them.',
    ['directive'],
    [{ directive: 'script-src-elem' }],
  )
  const appErrors = metrics.counter(
    'amtiati_app_errors_total',
    'Errors of the app in browsers, as it reports them.',
    ['page'],
    [{ page: '/orders/:id' }],
  )
  let windowStartedAt = Number.NEGATIVE_INFINITY
  let lines = 0
  /** Lines by address group. Only written lines are counted, so the map has at most `linesPerMinute` keys. */
  const linesOf = new Map<string, number>()

  function write(line: Record<string, unknown>, address: string): void {
    if (clock.now() - windowStartedAt >= windowMs) {
      windowStartedAt = clock.now()
      lines = 0
      linesOf.clear()
    }
    const group = addressGroup(address)
    const own = (linesOf.get(group) ?? 0) + 1
    if (lines >= linesPerMinute || own > linesPerAddress) return
    lines += 1
    linesOf.set(group, own)
    const muted = { event: 'reports.muted', forMs: windowMs }
    if (lines === linesPerMinute) log.warn(muted)
    else if (own === linesPerAddress) log.warn({ ...muted, address: truncatedAddress(address) })
    else log.warn(line)
  }

  return {
    /** Counts what a browser reports, and logs it within the limits. Never throws. */
    receive(body: unknown, address: string): void {
      const error = readAppError(body)
      if (error !== undefined) {
        appErrors.inc({ page: error.path })
        write({ event: 'reports.app-error', ...error }, address)
        return
      }
      const violations = readViolations(body)
      if (violations.length === 0) reports.inc({ directive: 'unreadable' })
      for (const violation of violations) {
        reports.inc({ directive: violation.directive })
        write({ event: 'reports.violation', ...violation }, address)
      }
    },
  }
}
