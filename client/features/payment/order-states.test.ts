import { expect, it } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { orderOf } from '#test/builders/answer.builder.ts'
import { isVoid, type OrderState, stateOf } from './order-states.ts'

const refund = (state: 'pending' | 'done' | 'needs-help') => ({
  state,
  amount: 50,
  reason: 'operator' as const,
})
const base = orderOf({ status: 'PENDING_PAYMENT', payable: false, bookings: [] })

it.each<[Partial<Order>, OrderState, boolean]>([
  [{ payable: true }, 'unpaid', false],
  [{ status: 'EXPIRED' }, 'EXPIRED', true],
  [{ status: 'CANCELLED' }, 'CANCELLED', true],
  [{ status: 'REFUNDED' }, 'REFUNDED', true],
  [{ refund: refund('pending') }, 'refunding', true],
  [{ payable: true, refund: refund('done') }, 'payableAgain', false],
  [{ status: 'EXPIRED', refund: refund('needs-help') }, 'EXPIRED', true],
  [{ status: 'LOST' as Order['status'] }, 'other', false],
])('%j: %s, void %s', (change, name, voided) => {
  const order = { ...base, ...change }
  expect(stateOf(order, {})).toBe(name)
  expect(isVoid(name, order)).toBe(voided)
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
