import { claimNumber } from '#shared/claims/claims.operations.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { claimPath, orderPath, workPath } from '../pages.ts'

/** The page of a row: its claim, the approval requests, or otherwise its order. */
export function placeOf({ kind, id, orderId }: Pick<WorkRow, 'kind' | 'id' | 'orderId'>): string {
  if (kind === 'claims') return claimPath(id)
  return orderId === null || kind === 'approvals' ? workPath(kind) : orderPath(orderId)
}

export function nameOf({ kind, id, orderId }: Pick<WorkRow, 'kind' | 'id' | 'orderId'>): string | undefined {
  if (kind === 'claims') return claimNumber(Number(id))
  return orderId === null ? undefined : orderNumber(orderId)
}
