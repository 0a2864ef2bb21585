import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Order, type OrderStatus } from '#shared/orders/orders.schemas.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'
import {
  emptyKeptOrders,
  isOutdated,
  type KeptOrders,
  keptOrdersVersion,
  maxKeptOrders,
  readKept,
  withAnswer,
} from './kept-orders.rules.ts'

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

const none = emptyKeptOrders(7)
const idsOf = (kept: KeptOrders | undefined) => kept?.orders.map(({ order }) => order.orderId)

/** An answer that came at once. */
const answered = (orders: Order[], at = now, reference?: string) => ({
  orders,
  reference,
  askedAt: at,
  now: at,
})

describe('an answer', () => {
  it('adds the paid orders, newest first, with the time they were asked for', () => {
    const orders = [orderOf(1), orderOf(3), orderOf(2, 'PENDING_PAYMENT'), orderOf(4, 'EXPIRED')]
    const kept = withAnswer(none, { orders, askedAt: now - 500, now })
    expect(idsOf(kept)).toEqual([3, 1])
    expect(kept.orders[0]).toEqual({ order: orderOf(3), knownAt: now - 500, references: [] })
  })

  it.each<OrderStatus>(['REFUNDED', 'EXPIRED', 'PENDING_PAYMENT'])(
    'drops an order that became %s',
    (status) => {
      const kept = withAnswer(none, answered([orderOf(1), orderOf(2)]))
      expect(idsOf(withAnswer(kept, answered([orderOf(2, status)])))).toEqual([1])
    },
  )

  it('renews what is known of an order, and leaves the others and the merchant references', () => {
    const before = withAnswer(none, answered([orderOf(1, 'PAID', null), orderOf(2)], now, 'amt-1-1'))
    const kept = withAnswer(before, answered([orderOf(1)], now + 1, '1'))
    expect(kept.orders).toEqual([
      { order: orderOf(2), knownAt: now, references: ['amt-1-1'] },
      { order: orderOf(1), knownAt: now + 1, references: ['amt-1-1'] },
    ])
  })

  it('keeps the newest orders only', () => {
    const orders = Array.from({ length: maxKeptOrders + 5 }, (_, index) => orderOf(index + 1))
    const ids = idsOf(withAnswer(none, answered(orders)))
    expect(ids).toHaveLength(maxKeptOrders)
    expect([ids?.[0], ids?.at(-1)]).toEqual([maxKeptOrders + 5, 6])
  })
})

describe('an answer that was asked for earlier and comes later', () => {
  const late = { orders: [orderOf(1)], askedAt: now - 1, now: now + 500 }

  it('does not bring back a cancelled order, whether or not it was kept', () => {
    const paid = withAnswer(none, answered([orderOf(1)], now - 9))
    for (const before of [paid, none]) {
      const cancelled = withAnswer(before, answered([orderOf(1, 'CANCELLED')], now, '1'))
      expect(idsOf(withAnswer(cancelled, late))).toEqual([])
      expect(idsOf(withAnswer(cancelled, answered([orderOf(1)], now + 1)))).toEqual([1])
    }
  })

  it('neither drops nor replaces what is known better', () => {
    const paid = withAnswer(none, answered([orderOf(1)]))
    const pending = { ...late, orders: [orderOf(1, 'PENDING_PAYMENT')] }
    expect(withAnswer(paid, { ...pending, reference: '1' }).orders).toEqual(paid.orders)
    const noBarcodeYet = { ...late, orders: [orderOf(1, 'PAID', null)] }
    expect(withAnswer(paid, noBarcodeYet).orders).toEqual(paid.orders)
  })
})

it('the list is asked for once in ten minutes, and again while an order has no barcode', () => {
  expect(isOutdated(none, now)).toBe(true)
  const kept = withAnswer(none, answered([orderOf(1)]))
  expect(isOutdated(kept, now + 9 * 60_000)).toBe(false)
  expect(isOutdated(kept, now + 11 * 60_000)).toBe(true)
  expect(isOutdated(withAnswer(none, answered([orderOf(1)], now, '1')), now)).toBe(true)
  expect(isOutdated(withAnswer(none, answered([orderOf(1, 'PAID', null)])), now)).toBe(true)
})

describe('what is stored', () => {
  const kept = withAnswer(none, answered([orderOf(2), orderOf(1)]))

  it('is read back as it was', () => {
    expect(readKept(JSON.parse(JSON.stringify(kept)), now + 1)).toEqual(kept)
  })

  it.each([undefined, null, 1, 'text', [], {}, { ...kept, version: keptOrdersVersion + 1 }])(
    'is dropped when it has not this version: %j',
    (value) => {
      expect(readKept(value, now)).toBeUndefined()
    },
  )

  it('is not shown for longer than a session can be', () => {
    const { absoluteMs } = sessionLife.user
    expect(idsOf(readKept(kept, now + absoluteMs - 1))).toEqual([2, 1])
    expect(idsOf(readKept(kept, now + absoluteMs))).toEqual([])
  })

  it('has a version for each shape of an order: raise `keptOrdersVersion` when this digest changes', () => {
    const digest = createHash('sha256').update(JSON.stringify(Order)).digest('hex').slice(0, 16)
    expect({ version: keptOrdersVersion, digest }).toEqual({ version: 1, digest: '834251716bd5152a' })
  })
})
