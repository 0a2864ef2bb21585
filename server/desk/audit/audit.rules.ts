import { reasonOf } from '#server/features/history/acts.ts'
import type { Changed } from '#server/features/history/history.kinds.ts'
import type { StoredEvent } from '#server/features/history/history.ts'
import { claimNumber } from '#shared/claims/claims.operations.ts'
import type { AuditPage } from '#shared/desk/audit/audit.api.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { currency, formatRiyals } from '#shared/platform/money.ts'

type AuditRow = AuditPage['rows'][number]

export function auditRowOf(event: StoredEvent): AuditRow {
  const { id, at, by, kind, orderId = null, userId = null } = event
  const changed = changedBy(event)
  return {
    number: id,
    at: isoOf(at),
    by: 'name' in by ? by.name : by.kind,
    person: by.kind === 'staff' ? by.subject : null,
    roles: by.kind === 'staff' ? [...by.roles] : [],
    action: kind,
    orderId,
    userId,
    about: aboutOf(event),
    reason: reasonOf(event),
    before: sideOf(changed, 0),
    after: sideOf(changed, 1),
  }
}

function aboutOf({ kind, data, claimId }: StoredEvent) {
  if (kind.startsWith('approval-') && 'approvalId' in data) return `approval ${data.approvalId}, ${data.act}`
  const about = 'about' in data ? data.about : null
  return about ?? (claimId === undefined ? null : claimNumber(claimId))
}

function changedBy({ kind, data }: StoredEvent): Changed {
  if (kind === 'approval-decided') return { outcome: [null, data.outcome] }
  if (kind === 'view-refused') return { view: [null, data.view] }
  if (kind === 'compensated') return { compensation: [null, `${formatRiyals(data.halalas)} ${currency}`] }
  return 'changed' in data ? (data.changed ?? {}) : {}
}

const sideOf = (changed: Changed, side: 0 | 1) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(changed)
        .map(([name, values]) => [name, values[side]] as const)
        .filter(([, value]) => value !== null),
    ),
  )
