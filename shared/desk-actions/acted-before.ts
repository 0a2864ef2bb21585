import { auditActionNames } from '#shared/audit/audit.names.ts'
import { riyadhTimeOf } from '#shared/platform/instant.ts'

/** A person who comes so long after a colleague is told who was first. */
export const atOnceMs = 10 * 60_000

/** What became of a request for approval. */
const decided = {
  asked: { ar: 'طلب الموافقة', en: 'approval asked for' },
  approved: { ar: 'الموافقة', en: 'approved' },
  refused: { ar: 'رفض الطلب', en: 'refused' },
} as const

const names = { ...auditActionNames, ...decided }

/** What `ACTED_BEFORE` says of the one who was first: what, as the audit names it, who, and 14:21 in Riyadh. */
export function actedBefore(done: keyof typeof names, who: string, at: number) {
  const { ar, en } = names[done]
  const what = { ar, en: `${en.charAt(0).toLowerCase()}${en.slice(1)}` }
  return { values: { what, who, at: riyadhTimeOf(at).slice(11, 16) } }
}
