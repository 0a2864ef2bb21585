/** One thing a browser refused to a page. Nothing in it is to be believed: anybody may send it. */
export interface Violation {
  readonly directive: string
  readonly blocked: string
  readonly page: string
  readonly source: string
}

/** More than one page can violate in earnest; the rest of a flood says nothing new. */
const maxPerBody = 20
const maxLength = 200

/** A label of its own for each of these: anything else a stranger writes would grow the metrics without end. */
const directives = new Set([
  ...['default-src', 'script-src', 'script-src-elem', 'script-src-attr', 'style-src', 'style-src-elem'],
  ...['style-src-attr', 'img-src', 'font-src', 'connect-src', 'frame-src', 'manifest-src', 'object-src'],
  ...['base-uri', 'form-action', 'frame-ancestors', 'worker-src', 'media-src'],
  ...['require-trusted-types-for', 'trusted-types'],
])

/** What a body says, in either of the two shapes browsers send; an empty list where it is neither. */
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

function violation(directive: unknown, blocked: unknown, page: unknown, source: unknown): Violation {
  // The older field holds the whole directive: its name comes first.
  const [name = ''] = typeof directive === 'string' ? directive.split(' ') : []
  return {
    directive: directives.has(name) ? name : 'other',
    blocked: placeOf(blocked),
    page: placeOf(page),
    source: placeOf(source),
  }
}

/** An address without what may be secret in it: no query, no fragment, no user. Words such as `inline` stay. */
function placeOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  const address = URL.parse(value)
  if (address === null) return /^[a-z-]{1,30}$/.test(value) ? value : ''
  const { protocol, origin, pathname } = address
  // What has no host carries its content in the path: data:, blob:, javascript:.
  return (/^https?:$/.test(protocol) ? origin + pathname : protocol).slice(0, maxLength)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
