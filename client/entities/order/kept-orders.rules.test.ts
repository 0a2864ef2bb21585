import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Order, type OrderStatus } from '#shared/orders/orders.schemas.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { isOutdated, maxKeptOrders, withOrders } from './kept-orders.rules.ts'
import { emptyKeptOrders, type KeptOrders, keptOrdersVersion, withoutOldOrders } from './kept-orders.ts'

const now = Date.parse('2027-05-20T12:00:00.000Z')

const orderWith = (orderId: number, changes: Partial<Order> = {}) =>
  orderOf({ orderId, transactionId: `99${orderId}`, ...changes })
const withoutBarcode = { bookings: [bookingOf({ awb: null })] }

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
    const orders = [
      orderWith(1),
      orderWith(3),
      orderWith(2, { status: 'PENDING_PAYMENT' }),
      orderWith(4, { status: 'EXPIRED' }),
    ]
    const kept = withOrders(none, { orders, askedAt: now - 500, now })
    expect(idsOf(kept)).toEqual([3, 1])
    expect(kept.orders[0]).toEqual({ order: orderWith(3), knownAt: now - 500, references: [] })
  })

  it.each<OrderStatus>(['REFUNDED', 'EXPIRED', 'PENDING_PAYMENT'])(
    'drops an order that became %s',
    (status) => {
      const kept = withOrders(none, answered([orderWith(1), orderWith(2)]))
      expect(idsOf(withOrders(kept, answered([orderWith(2, { status })])))).toEqual([1])
    },
  )

  it('drops a paid order none of whose bags is carried any more', () => {
    const paid = withOrders(none, answered([orderWith(1), orderWith(2)]))
    const voided = orderWith(1, { bookings: [bookingOf({ state: 'CANCELLED' })] })
    expect(idsOf(withOrders(paid, answered([voided])))).toEqual([2])
  })

  it('renews what is known of an order, and leaves the others and the merchant references', () => {
    const before = withOrders(none, answered([orderWith(1, withoutBarcode), orderWith(2)], now, 'amt-1-1'))
    const kept = withOrders(before, answered([orderWith(1)], now + 1, '1'))
    expect(kept.orders).toEqual([
      { order: orderWith(2), knownAt: now, references: ['amt-1-1'] },
      { order: orderWith(1), knownAt: now + 1, references: ['amt-1-1'] },
    ])
  })

  it('keeps the name of who collects the bag, and no number of another person', () => {
    const receiver = { name: 'Sara', phone: '+966512345678' }
    const kept = withOrders(none, answered([orderWith(1, { receiver, secondPhone: '+966500000000' })]))
    expect(kept.orders[0]?.order).toEqual(orderWith(1, { receiver: { name: 'Sara' } }))
  })

  it('keeps the newest orders only', () => {
    const orders = Array.from({ length: maxKeptOrders + 5 }, (_, index) => orderWith(index + 1))
    const ids = idsOf(withOrders(none, answered(orders)))
    expect(ids).toHaveLength(maxKeptOrders)
    expect([ids?.[0], ids?.at(-1)]).toEqual([maxKeptOrders + 5, 6])
  })
})

describe('an answer that was asked for earlier and comes later', () => {
  const late = { orders: [orderWith(1)], askedAt: now - 1, now: now + 500 }

  it('does not bring back a cancelled order, whether or not it was kept', () => {
    const paid = withOrders(none, answered([orderWith(1)], now - 9))
    for (const before of [paid, none]) {
      const cancelled = withOrders(before, answered([orderWith(1, { status: 'CANCELLED' })], now, '1'))
      expect(idsOf(withOrders(cancelled, late))).toEqual([])
      expect(idsOf(withOrders(cancelled, answered([orderWith(1)], now + 1)))).toEqual([1])
    }
  })
})

it('a list of a clock that was ahead, and has been set back, is asked for again', () => {
  const ahead = now + 6 * 60 * 60_000
  expect(isOutdated(withOrders(none, answered([orderWith(1)], ahead)), now)).toBe(true)
})

it('the list is asked for once in ten minutes, and again while an order has no barcode', () => {
  expect(isOutdated(none, now)).toBe(true)
  const kept = withOrders(none, answered([orderWith(1)]))
  expect(isOutdated(kept, now + 9 * 60_000)).toBe(false)
  expect(isOutdated(kept, now + 11 * 60_000)).toBe(true)
  expect(isOutdated(withOrders(none, answered([orderWith(1)], now, '1')), now)).toBe(true)
  expect(isOutdated(withOrders(none, answered([orderWith(1, withoutBarcode)])), now)).toBe(true)
})

describe('what is stored', () => {
  const kept = withOrders(none, answered([orderWith(2), orderWith(1)]))

  it('is not shown for longer than a session can be', () => {
    const { absoluteMs } = sessionLife.user
    expect(idsOf(withoutOldOrders(kept, now + absoluteMs - 1))).toEqual([2, 1])
    expect(idsOf(withoutOldOrders(kept, now + absoluteMs))).toEqual([])
  })

  it('has a version for each shape of an order: raise `keptOrdersVersion` when this digest changes', () => {
    // Descriptions are for readers of the contract, and change no shape.
    const shape = JSON.stringify(Order, (key, value) => (key === 'description' ? undefined : value))
    const digest = createHash('sha256').update(shape).digest('hex').slice(0, 16)
    expect({ version: keptOrdersVersion, digest }).toEqual({ version: 7, digest: 'd00ca4c777f2d4d8' })
  })
})
