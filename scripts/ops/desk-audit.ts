import { auditRowOf } from '#server/desk/audit/audit.rules.ts'
import { listActs } from '#server/features/history/acts.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { UsageError } from '../lib/tool.ts'
import type { Verb } from './context.ts'
import { table, timeOf } from './format.ts'
import { mostShown } from './lists.ts'
import { orderIdOf } from './orders.ts'

export const audit: Verb = ([order, ...rest]) => {
  const id = order === undefined ? undefined : orderIdOf(order)
  if (rest.length > 0) throw new UsageError()
  return async ({ database }) => {
    const rows = (await listActs({ database }, { orderId: id, limit: mostShown })).map(auditRowOf)
    if (rows.length === 0) return 'no act of staff or of an operator is stored'
    const lines = rows.map((row) => [
      timeOf(Date.parse(row.at)),
      row.by,
      row.action,
      row.orderId === null ? (row.about ?? '-') : orderNumber(row.orderId),
      changesOf(row),
      row.reason ?? '-',
    ])
    const end = rows.length === mostShown ? `\nthe newest ${mostShown}; there may be more` : ''
    return table([['when', 'who', 'what', 'about', 'changed', 'reason'], ...lines]) + end
  }
}

function changesOf({ before, after }: { readonly before: string; readonly after: string }): string {
  const [old, now] = [before, after].map((text) => JSON.parse(text) as Record<string, string | number | null>)
  const changes = Object.keys({ ...old, ...now }).map(
    (name) => `${name}: ${old?.[name] ?? 'none'} → ${now?.[name] ?? 'none'}`,
  )
  return changes.length === 0 ? 'nothing' : changes.join('; ')
}
