import type { Core } from '#server/core.ts'
import { addressGroup, truncatedAddress } from '#server/platform/address.ts'
import { readAppError, readViolations } from './reports.rules.ts'

/** One IP address must not use up all log lines of reports. */
const linesPerMinute = 20
const linesPerAddress = 5
const windowMs = 60_000

export function receiveReport(core: Core, body: unknown, address: string): void {
  const { appErrors, cspReports } = core.counters
  const error = readAppError(body)
  if (error !== undefined) {
    appErrors.inc({ page: error.path })
    writeLine(core, { event: 'reports.app-error', ...error }, address)
    return
  }
  const violations = readViolations(body)
  if (violations.length === 0) cspReports.inc({ directive: 'unreadable' })
  for (const violation of violations) {
    cspReports.inc({ directive: violation.directive })
    writeLine(core, { event: 'reports.violation', ...violation }, address)
  }
}

function writeLine({ clock, log, reportLines }: Core, line: Record<string, unknown>, address: string) {
  if (clock.now() - reportLines.startedAt >= windowMs) {
    reportLines.startedAt = clock.now()
    reportLines.count = 0
    reportLines.byAddress.clear()
  }
  const group = addressGroup(address)
  const own = (reportLines.byAddress.get(group) ?? 0) + 1
  if (reportLines.count >= linesPerMinute || own > linesPerAddress) return
  reportLines.count += 1
  reportLines.byAddress.set(group, own)
  const muted = {
    event: 'reports.muted',
    forMs: windowMs,
  }
  if (reportLines.count === linesPerMinute) log.warn(muted)
  else if (own === linesPerAddress) log.warn({ ...muted, address: truncatedAddress(address) })
  else log.warn(line)
}
