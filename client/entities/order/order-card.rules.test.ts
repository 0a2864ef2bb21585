import { expect, it } from 'vitest'
import { orderStatuses } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { isMoving, knownStatus, missingAwb, toneOf } from './order-card.rules.ts'

it('knows today’s statuses only', () => {
  for (const status of orderStatuses) expect(knownStatus(status)).toBe(status)
  expect(knownStatus('ON_HOLD')).toBeUndefined()
})

it('is green for PAID, and yellow for everything else', () => {
  expect(['PAID', 'PENDING_PAYMENT', 'REFUNDED', 'ON_HOLD'].map(toneOf)).toEqual([
    'good',
    'waiting',
    'waiting',
    'waiting',
  ])
})

it('describes a missing airway bill by status', () => {
  expect(['PAID', 'PENDING_PAYMENT', 'EXPIRED'].map(missingAwb)).toEqual(['PAID', 'PENDING_PAYMENT', 'other'])
})

it.each([
  ['with its file', {}, false],
  ['without its file', { labelPending: true }, true],
  ['not issued', { awb: null }, true],
])(
  'is read again by itself while the airway bill of a paid order is awaited: %s',
  (_, changes, isAwaited) => {
    expect(isMoving(orderOf({ bookings: [bookingOf(changes)] }))).toBe(isAwaited)
  },
)
