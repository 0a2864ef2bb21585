import { expect, it } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { isVoid, threadOf } from './order-result.rules.ts'

const refund = (state: 'pending' | 'done' | 'needs-help') => ({
  state,
  amount: 50,
  reason: 'operator' as const,
})
type Given = Pick<Order, 'status' | 'refund' | 'payable'>

it.each<[Given, boolean, string]>([
  [{ status: 'PENDING_PAYMENT', payable: true }, false, 'pending'],
  [{ status: 'EXPIRED', payable: false }, true, 'expired'],
  [{ status: 'REFUNDED', payable: false }, true, 'refunded'],
  [{ status: 'PENDING_PAYMENT', payable: false, refund: refund('pending') }, true, 'refunded'],
  [{ status: 'PENDING_PAYMENT', payable: true, refund: refund('done') }, false, 'refunded'],
  [{ status: 'EXPIRED', payable: false, refund: refund('needs-help') }, true, 'refunded'],
  // The order stays paid when a second payment is returned.
  [{ status: 'PAID', payable: false, refund: refund('done') }, false, 'refunded'],
])('%j: void %s, thread %s', (order, voided, thread) => {
  expect(isVoid(order)).toBe(voided)
  expect(threadOf(order)).toBe(thread)
})
