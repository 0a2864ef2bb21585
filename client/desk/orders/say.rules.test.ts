import { expect, it } from 'vitest'
import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'
import { sayingsOf } from './say.rules.ts'

type State = DeskOrder['bookings'][number]['state']
const bag = (state: State, lastEventAt: string | null = '2027-05-17T07:22:00.000Z') => ({
  state,
  lastEventAt,
})
const keysOf = (status: DeskOrder['status'], ...bookings: ReturnType<typeof bag>[]) =>
  sayingsOf({ status, bookings: bookings as DeskOrder['bookings'] }).map(({ key }) => key)

it('a paid order is told by its bags, each by its own state', () => {
  expect(keysOf('PAID', bag('READY', null), bag('AT_BRANCH'))).toEqual(['bag.READY', 'bag.AT_BRANCH'])
})

it('an order in another state than paid is described by that state first, then by its bags that travel', () => {
  expect(keysOf('PENDING_PAYMENT', bag(null, null))).toEqual(['PENDING_PAYMENT'])
  expect(keysOf('CANCELLED', bag('CANCELLED'))).toEqual(['CANCELLED'])
  expect(keysOf('REFUNDED', bag('IN_TRANSIT'))).toEqual(['REFUNDED', 'bag.IN_TRANSIT'])
})

it('no sentence says “since” without a time', () => {
  expect(keysOf('PAID', bag('IN_TRANSIT', null))).toEqual([])
})
