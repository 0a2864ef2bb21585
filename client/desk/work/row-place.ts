import { claimNumber } from '#shared/claims/claims.operations.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { claimPath, orderPath, workPath } from '../pages.ts'

/** A claim has its own page, approvals their own; anything else is on that of its order. */
export function placeOf({ kind, id, orderId }: Pick<WorkRow, 'kind' | 'id' | 'orderId'>): string {
  if (kind === 'claims') return claimPath(id)
  return orderId === null || kind === 'approvals' ? workPath(kind) : orderPath(orderId)
}

export function nameOf({ kind, id, orderId }: Pick<WorkRow, 'kind' | 'id' | 'orderId'>): string | undefined {
  if (kind === 'claims') return claimNumber(Number(id))
  return orderId === null ? undefined : orderNumber(orderId)
}
