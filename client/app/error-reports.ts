import { isCallProblem } from '#client/platform/call.ts'
import { isOnline } from '#client/platform/connection.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { sendReport } from '#shared/reports/reports.operations.ts'
import { appError } from '#shared/reports/reports.rules.ts'
import { isChunkGone } from './release.ts'

/** An error that repeats with every frame must not fill the line. */
const maxReports = 5

const reported = new Set<string>()

/** Reports errors that no boundary caught: errors of events and timers, and rejections. */
export function reportErrors(): void {
  // Scripts of extensions and of the card widget fail in this window, too.
  const isOurs = (problem: unknown) =>
    problem instanceof Error && problem.stack?.includes(window.location.origin) === true
  window.addEventListener('error', ({ error }) => isOurs(error) && reportError(error))
  window.addEventListener('unhandledrejection', ({ reason }) => isOurs(reason) && reportError(reason))
}

/** Reports each error of the app once to the operators. Answers of the server, lost networks and releases are not reported. */
export function reportError(problem: unknown): void {
  if (isCallProblem(problem) || isChunkGone(problem) || !isOnline()) return
  const { message, stack = '' } = problem instanceof Error ? problem : new Error(String(problem))
  const path = window.location.pathname
  const release = document.querySelector('meta[name="release"]')?.getAttribute('content') ?? ''
  const body = JSON.stringify({ type: 'error', ...appError({ message, stack, path, release }) })
  if (reported.has(body) || reported.size >= maxReports) return
  reported.add(body)
  // Without cookies: the report belongs to no session. `keepalive`: a page that fails is often left at once.
  void fetch(operationHref(sendReport), {
    method: sendReport.method,
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
    keepalive: true,
    body,
  }).catch(() => undefined)
}
