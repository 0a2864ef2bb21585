import { expect, it } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { orderOf } from '#test/builders/answer.builder.ts'
import { type OrderState, stateOf } from './order-states.ts'

const refund = (state: 'pending' | 'done' | 'needs-help') => ({
  state,
  amount: 50,
  reason: 'operator' as const,
})
const base = orderOf({ status: 'PENDING_PAYMENT', payable: false, bookings: [] })

it.each<[Partial<Order>, OrderState]>([
  [{ payable: true }, 'unpaid'],
  [{ status: 'EXPIRED' }, 'EXPIRED'],
  [{ status: 'CANCELLED' }, 'CANCELLED'],
  [{ status: 'REFUNDED' }, 'REFUNDED'],
  [{ refund: refund('pending') }, 'refunding'],
  [{ payable: true, refund: refund('done') }, 'payableAgain'],
  [{ status: 'EXPIRED', refund: refund('needs-help') }, 'EXPIRED'],
  [{ status: 'PAID', refund: refund('pending') }, 'notCarried'],
  [{ status: 'LOST' as Order['status'] }, 'other'],
])('%j: %s', (change, name) => {
  expect(stateOf({ ...base, ...change }, {})).toBe(name)
})

it.each<[Partial<Order>, OrderState, OrderState, OrderState]>([
  [{ payable: true }, 'checked', 'unconfirmed', 'declined'],
  [{}, 'checked', 'checked', 'declined'],
  [{ status: 'EXPIRED' }, 'EXPIRED', 'EXPIRED', 'declined'],
  [{ status: 'REFUNDED' }, 'REFUNDED', 'REFUNDED', 'REFUNDED'],
  [{ refund: refund('pending') }, 'refunding', 'refunding', 'refunding'],
])('%j after a payment: %s, late %s, and after a failed one %s', (change, early, late, failed) => {
  const order = { ...base, ...change }
  expect(stateOf(order, { payment: 'succeeded' })).toBe(early)
  expect(stateOf(order, { payment: 'succeeded', isLate: true })).toBe(late)
  expect(stateOf(order, { payment: 'failed' })).toBe(failed)
})
