import { describe, expect, it } from 'vitest'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf, refunded } from '#test/builders/answer.builder.ts'
import { checkOf } from './bag-check.rules.ts'

const awb = '290012345678'

function orderWith(booking: Partial<Booking> = {}, changes: Partial<Order> = {}): Order {
  const user = { name: 'Aisha Bello', phone: '+966501112233' }
  return orderOf({ user, bookings: [bookingOf(booking)], ...changes })
}

describe('a scanned bag', () => {
  it('is received while it waits: by the name on its airway bill', () => {
    expect(checkOf(awb, [orderWith({ receiver: 'AISHA BELLO' })])).toEqual({
      kind: 'receive',
      bag: { orderId: 42, name: 'AISHA BELLO', last: '5678', destination: bookingOf().destination },
    })
    expect(checkOf(awb, [orderWith()])).toMatchObject({ kind: 'receive', bag: { name: 'Aisha Bello' } })
    expect(checkOf(awb, [orderWith({ state: 'AWAITING_LABEL' })])).toMatchObject({ kind: 'receive' })
  })

  it('names who hands it over and who collects it, where these are two', () => {
    const order = orderWith({ receiver: 'Sara' }, { receiver: { name: 'Sara' } })
    expect(checkOf(awb, [order])).toMatchObject({ bag: { name: 'Aisha Bello', receiver: 'Sara' } })
  })

  it.each(['HANDED_OVER', 'IN_TRANSIT', 'AT_BRANCH', 'COLLECTED', 'EXCEPTION'] as const)(
    'is not received twice: %s',
    (state) => {
      const at = '2027-05-19T08:00:00.000Z'
      const events = [{ kind: 'handed-over', at, source: 'agent' } as const]
      expect(checkOf(awb, [orderWith({ state, events })])).toMatchObject({ kind: 'received', at })
      expect(checkOf(awb, [orderWith({ state })])).toMatchObject({ kind: 'received', at: undefined })
    },
  )

  it('is not received once its order is cancelled or refunded', () => {
    expect(checkOf(awb, [orderWith({ state: 'CANCELLED' }, { status: 'CANCELLED' })])).toMatchObject({
      kind: 'void',
      isRefunded: false,
    })
    expect(checkOf(awb, [refunded(orderWith())])).toMatchObject({ kind: 'void', isRefunded: true })
    // The bag was refunded while it travelled.
    expect(checkOf(awb, [orderWith({ state: 'IN_TRANSIT' }, { status: 'REFUNDED' })])).toMatchObject({
      kind: 'received',
    })
  })

  it('is not received with a status of a newer gateway', () => {
    const order = { ...orderWith(), status: 'ON_HOLD' } as unknown as Order
    expect(checkOf(awb, [order])).toMatchObject({ kind: 'void' })
  })

  it('is of another agent when the search finds it by something else, or not at all', () => {
    expect(checkOf(awb, [orderWith({ awb: '290087654321' })])).toEqual({ kind: 'not-yours' })
    expect(checkOf(awb, [])).toEqual({ kind: 'not-yours' })
  })
})
