import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { Order, type OrderStatus } from '#shared/orders/orders.schemas.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'
import {
  claimOf,
  isOrder,
  isOutdated,
  maxKeptClaims,
  parseKeptClaims,
  withAnswer,
} from './kept-claims.rules.ts'

const now = Date.parse('2027-05-20T12:00:00.000Z')

function orderOf(orderId: number, status: OrderStatus = 'PAID', awb: string | null = '290012345678'): Order {
  return {
    orderId,
    status,
    transactionId: `99${orderId}`,
    type: 'FROM_MINA',
    creationDate: '2027-05-18T12:30:00.000Z',
    payable: status === 'PENDING_PAYMENT',
    bookings: [
      {
        awb,
        receiver: 'Maryam Al-Harbi',
        origin: { name: 'Agent A1', phone: '+966500000101', city: 'Mina', coordinates: null },
        destination: {
          addressAR: 'الملز',
          addressEN: 'Malaz',
          city: 'Riyadh',
          coordinates: { latitude: 24.7, longitude: 46.68 },
        },
        state: 'READY',
        lastEventAt: null,
        events: [],
      },
    ],
  }
}

const none = { userId: 7, listedAt: 0, claims: [] }
const idsOf = (kept: { claims: readonly { order: Order }[] }) => kept.claims.map(({ order }) => order.orderId)

describe('an answer', () => {
  it('adds the paid orders, newest first, with the time they were known', () => {
    const orders = [orderOf(1), orderOf(3), orderOf(2, 'PENDING_PAYMENT'), orderOf(4, 'EXPIRED')]
    const kept = withAnswer(none, { orders, now })
    expect(idsOf(kept)).toEqual([3, 1])
    expect(kept.claims[0]).toEqual({ order: orderOf(3), knownAt: now, references: [] })
  })

  it.each<OrderStatus>(['REFUNDED', 'EXPIRED', 'PENDING_PAYMENT'])(
    'drops an order that became %s',
    (status) => {
      const kept = withAnswer(none, { orders: [orderOf(1), orderOf(2)], now })
      expect(idsOf(withAnswer(kept, { orders: [orderOf(2, status)], now }))).toEqual([1])
    },
  )

  it('renews what is known of an order, and leaves the others as they were known', () => {
    const before = withAnswer(none, { orders: [orderOf(1, 'PAID', null), orderOf(2)], now })
    const kept = withAnswer(before, { orders: [orderOf(1)], reference: '1', now: now + 1 })
    expect(claimOf(kept, '1')).toEqual({ order: orderOf(1), knownAt: now + 1, references: [] })
    expect(claimOf(kept, '2')?.knownAt).toBe(now)
  })

  it('is found by the merchant references it was asked by', () => {
    const first = withAnswer(none, { orders: [orderOf(42)], reference: 'amt-42-1', now })
    const kept = withAnswer(first, { orders: [orderOf(42)], now: now + 1 })
    expect(claimOf(kept, 'amt-42-1')?.order.orderId).toBe(42)
    expect(claimOf(kept, '42')?.order.orderId).toBe(42)
    expect(claimOf(kept, '4')).toBeUndefined()
  })

  it('keeps the newest orders only', () => {
    const orders = Array.from({ length: maxKeptClaims + 5 }, (_, index) => orderOf(index + 1))
    const ids = idsOf(withAnswer(none, { orders, now }))
    expect(ids).toHaveLength(maxKeptClaims)
    expect([ids[0], ids.at(-1)]).toEqual([maxKeptClaims + 5, 6])
  })
})

describe('the list', () => {
  it('is asked for once in ten minutes', () => {
    expect(isOutdated(none, now)).toBe(true)
    const kept = withAnswer(none, { orders: [orderOf(1)], now })
    expect(isOutdated(kept, now + 9 * 60_000)).toBe(false)
    expect(isOutdated(kept, now + 11 * 60_000)).toBe(true)
    expect(isOutdated(withAnswer(none, { orders: [orderOf(1)], reference: '1', now }), now)).toBe(true)
  })

  it('is asked for again while a claim has no barcode', () => {
    expect(isOutdated(withAnswer(none, { orders: [orderOf(1, 'PAID', null)], now }), now)).toBe(true)
  })
})

describe('what is stored', () => {
  const kept = withAnswer(none, { orders: [orderOf(2), orderOf(1)], now })
  const stored = (): unknown => JSON.parse(JSON.stringify(kept))

  it('is read back as it was', () => {
    expect(parseKeptClaims(stored(), now + 1)).toEqual(kept)
  })

  it.each([undefined, null, 1, 'text', [], {}, { userId: '7', claims: [] }, { userId: 7 }, { claims: [] }])(
    'is ignored when it is something else: %j',
    (value) => {
      expect(parseKeptClaims(value, now)).toBeUndefined()
    },
  )

  it('loses a claim that is damaged, and keeps the others', () => {
    const damaged = {
      ...kept,
      claims: [...kept.claims, { order: { orderId: 3 }, knownAt: now, references: [] }],
    }
    expect(idsOf(parseKeptClaims(damaged, now) ?? none)).toEqual([2, 1])
  })

  it('is not shown for longer than a session can be', () => {
    const { absoluteMs } = sessionLife.user
    expect(idsOf(parseKeptClaims(stored(), now + absoluteMs - 1) ?? none)).toEqual([2, 1])
    expect(idsOf(parseKeptClaims(stored(), now + absoluteMs) ?? none)).toEqual([])
  })
})

describe('the check of an order, by hand', () => {
  const order = { ...orderOf(1), refund: { state: 'done', amount: 50, reason: 'second-payment' } }

  it('accepts what the schema accepts', () => {
    expect(Value.Check(Order, order)).toBe(true)
    expect(isOrder(order)).toBe(true)
  })

  const [booking] = order.bookings
  it.each<[string, object]>([
    ['a text as number', { orderId: '1' }],
    ['an unknown type', { type: 'TO_MARS' }],
    ['no date', { creationDate: 'yesterday' }],
    ['payable as text', { payable: 'yes' }],
    ['a transaction as number', { transactionId: 99 }],
    ['a refund without an amount', { refund: { state: 'done', reason: 'operator' } }],
    ['bookings as an object', { bookings: {} }],
    ['a booking without an airway bill', { bookings: [{ ...booking, awb: undefined }] }],
    ['a receiver as object', { bookings: [{ ...booking, receiver: {} }] }],
    ['a location without coordinates', { bookings: [{ ...booking, origin: { name: 'A' } }] }],
    ['a city as number', { bookings: [{ ...booking, destination: { city: 1, coordinates: null } }] }],
    ['half a point', { bookings: [{ ...booking, origin: { coordinates: { latitude: 1 } } }] }],
  ])('refuses what the schema refuses: %s', (_, change) => {
    const changed = JSON.parse(JSON.stringify({ ...order, ...change }))
    expect(Value.Check(Order, changed)).toBe(false)
    expect(isOrder(changed)).toBe(false)
  })
})
