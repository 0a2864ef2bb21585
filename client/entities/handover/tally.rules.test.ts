import { expect, it } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { emptyKeptBags, type KeptBags } from './kept-bags.rules.ts'
import { tallyOf } from './tally.rules.ts'

const now = Date.parse('2027-05-18T12:00:00Z')
const midnight = Date.parse('2027-05-17T21:00:00Z')
const none = new Set<string>()

const order = (orderId: number, receivedAt?: number): Order =>
  orderOf({
    orderId,
    bookings: [
      receivedAt === undefined
        ? bookingOf({ awb: `29000000000${orderId}` })
        : bookingOf({ state: 'HANDED_OVER', lastEventAt: new Date(receivedAt).toISOString() }),
    ],
  })

const kept = (...orders: Order[]): KeptBags => ({
  ...emptyKeptBags(3, midnight),
  listedAt: now,
  bags: orders.map((each) => ({ order: each, knownAt: now })),
})

const shift = (since: number, received: number) => ({ since, received, notAccepted: 0 })

it('counts what was received since midnight in Riyadh, and what waits', () => {
  const known = kept(order(1, midnight), order(2, midnight - 1), order(3), order(4))
  expect(tallyOf(known, undefined, none, now)).toEqual({ today: 1, waiting: 2, unsent: 0 })
})

it('counts a bag that is not sent yet as received, and not as waiting', () => {
  const unsent = new Set(['290000000003'])
  expect(tallyOf(kept(order(3), order(4)), undefined, unsent, now)).toEqual({
    today: 1,
    waiting: 1,
    unsent: 1,
  })
})

it('takes the count of the shift of today where fewer bags are kept', () => {
  expect(tallyOf(kept(order(1, now)), shift(midnight, 250), none, now).today).toBe(250)
  expect(tallyOf(kept(order(1, now)), shift(midnight - 1, 250), none, now).today).toBe(1)
})

it('says nothing of waiting bags before the list was kept once', () => {
  expect(tallyOf(undefined, undefined, none, now)).toEqual({ today: 0, waiting: undefined, unsent: 0 })
})
