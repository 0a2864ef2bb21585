import { type AppError, appError } from '#shared/reports/reports.rules.ts'

/** Anyone can send a report, so its content must not be trusted. */
export interface Violation {
  readonly directive: string
  readonly blocked: string
  readonly page: string
  readonly source: string
}

const maxPerBody = 20
const maxLength = 200
const maxText = 4_000

/**
 * Only known directives become labels of the metric: other names from requests would let the metric grow without limit.
 */
const directives = new Set([
  ...['default-src', 'script-src', 'script-src-elem', 'script-src-attr', 'style-src', 'style-src-elem'],
  ...['style-src-attr', 'img-src', 'font-src', 'connect-src', 'frame-src', 'manifest-src', 'object-src'],
  ...['base-uri', 'form-action', 'frame-ancestors', 'worker-src', 'media-src'],
  ...['require-trusted-types-for', 'trusted-types'],
])

export function readViolations(body: unknown): Violation[] {
  if (isRecord(body)) {
    const report = body['csp-report']
    if (!isRecord(report)) return []
    return [
      violation(
        report['effective-directive'] ?? report['violated-directive'],
        report['blocked-uri'],
        report['document-uri'],
        report['source-file'],
      ),
    ]
  }
  if (!Array.isArray(body)) return []
  return body.slice(0, maxPerBody).flatMap((report: unknown) => {
    if (!isRecord(report) || report.type !== 'csp-violation' || !isRecord(report.body)) return []
    const { effectiveDirective, blockedURL, documentURL, sourceFile } = report.body
    return [violation(effectiveDirective, blockedURL, documentURL, sourceFile)]
  })
}

export function readAppError(body: unknown): AppError | undefined {
  if (!isRecord(body) || body.type !== 'error') return undefined
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, maxText) : '')
  return appError({
    message: text(body.message),
    stack: text(body.stack),
    path: text(body.path),
    release: text(body.release),
  })
}

function violation(directive: unknown, blocked: unknown, page: unknown, source: unknown): Violation {
  const [name = ''] = typeof directive === 'string' ? directive.split(' ') : []
  return {
    directive: directives.has(name) ? name : 'other',
    blocked: locationOf(blocked),
    page: locationOf(page),
    source: locationOf(source),
  }
}

/**
 * Query, fragment and user of an address can contain secrets, so they are removed. Keywords such as `inline` remain.
 */
function locationOf(value: unknown) {
  if (typeof value !== 'string') return ''
  const address = URL.parse(value)
  if (address === null) return /^[a-z-]{1,30}$/.test(value) ? value : ''
  const { protocol, origin, pathname } = address
  // The path of data:, blob: and javascript: is their content.
  return (/^https?:$/.test(protocol) ? origin + pathname : protocol).slice(0, maxLength)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
