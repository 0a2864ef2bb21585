import { expect, it } from 'vitest'
import { orderStatuses } from '#shared/orders/orders.operations.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { hasPass, isChanging, knownStatus, missingAwb } from './order-card.rules.ts'

it('knows today’s statuses only', () => {
  for (const status of orderStatuses) expect(knownStatus(status)).toBe(status)
  expect(knownStatus('ON_HOLD')).toBeUndefined()
})

it('describes a missing airway bill by status', () => {
  const of = (isVoid: boolean) =>
    ['PAID', 'PENDING_PAYMENT', 'EXPIRED'].map((status) => missingAwb(status, isVoid))
  expect(of(false)).toEqual(['PAID', 'PENDING_PAYMENT', 'other'])
  expect(of(true)).toEqual(['other', 'other', 'other'])
})

it.each<[Order['status'], Booking['state'][], boolean]>([
  ['PAID', ['READY'], true],
  ['PAID', ['CANCELLED'], false],
  ['PAID', ['CANCELLED', 'IN_TRANSIT'], true],
  ['REFUNDED', ['CANCELLED', 'IN_TRANSIT'], true],
  ['REFUNDED', ['CANCELLED', 'CANCELLED'], false],
  ['EXPIRED', [null], false],
])('an order that is %s with bags that are %j has a pass: %s', (status, states, expected) => {
  const bookings = states.map((state) => bookingOf({ state }))
  expect(hasPass(orderOf({ status, bookings }))).toBe(expected)
})

it.each<[string, Partial<Booking>, boolean]>([
  ['with its file', {}, false],
  ['without its file', { labelPending: true }, true],
  ['not issued', { awb: null }, true],
  ['none, as the bag is not carried any more', { awb: null, state: 'CANCELLED' }, false],
])(
  'is read again by itself while the airway bill of a paid order is awaited: %s',
  (_, changes, isAwaited) => {
    expect(isChanging(orderOf({ bookings: [bookingOf(changes)] }))).toBe(isAwaited)
  },
)
