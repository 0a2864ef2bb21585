import { legacyCall } from '#server/legacy.ts'
import type { OpenedPayment } from '#shared/orders/orders.schemas.ts'
import type { RefundSummary } from './orders.rules.ts'

// Functions of payments. Payments import orders, so their types stand here until payments are functions. Gone then.

interface Payments {
  findOrderId(reference: string): Promise<number | undefined>
  refresh(orderId: number): Promise<void>
  renew(userId: number, orderId: number, clientSecret?: string, isSpent?: boolean): Promise<OpenedPayment>
  cancel(userId: number, orderId: number, key?: string): Promise<void>
}

interface Refunds {
  findRefunds(orderIds: readonly number[]): Promise<ReadonlyMap<number, RefundSummary>>
}

export const findRefunds = legacyCall<Refunds, 'findRefunds'>('refunds', 'findRefunds')
export const findOrderOfPayment = legacyCall<Payments, 'findOrderId'>('payments', 'findOrderId')
export const refreshPayment = legacyCall<Payments, 'refresh'>('payments', 'refresh')
export const renewPayment = legacyCall<Payments, 'renew'>('payments', 'renew')
export const cancelOrder = legacyCall<Payments, 'cancel'>('payments', 'cancel')
