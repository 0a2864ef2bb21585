import { describe, expect, it } from 'vitest'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { bagsOf, bagsToShow, journeysOf } from './journeys.rules.ts'

const noon = Date.parse('2027-05-18T12:00:00Z')
const hour = 60 * 60 * 1000

/** A paid order over one way; `hours` after noon is when it was paid. */
const paid = (orderId: number, hours: number, changes: Partial<Order> = {}): Order =>
  orderOf({
    orderId,
    paidAt: new Date(noon + hours * hour).toISOString(),
    agentCode: 'A1',
    centerCode: 'RUH1',
    ...changes,
  })

const idsOf = (orders: readonly Order[]) =>
  journeysOf(orders).map((journey) => journey.map(({ orderId }) => orderId))

describe('orders of a list', () => {
  it.each<[string, readonly Order[], readonly (readonly number[])[]]>([
    ['paid within a day over one way are one journey', [paid(3, 2), paid(2, 1), paid(1, 0)], [[1, 2, 3]]],
    ['paid a whole day apart are one journey', [paid(2, 24), paid(1, 0)], [[1, 2]]],
    ['paid longer apart are two journeys', [paid(2, 24.01), paid(1, 0)], [[2], [1]]],
    ['are joined only within a day of the newest one', [paid(3, 30), paid(2, 20), paid(1, 0)], [[2, 3], [1]]],
    [
      'with other receivers are one journey',
      [paid(2, 1, { receiver: { name: 'Sara' } }), paid(1, 0)],
      [[1, 2]],
    ],
    ['from another agent are another journey', [paid(2, 1, { agentCode: 'A2' }), paid(1, 0)], [[2], [1]]],
    ['to another branch are another journey', [paid(2, 1, { centerCode: 'JED1' }), paid(1, 0)], [[2], [1]]],
    ['the other way are another journey', [paid(2, 1, { type: 'TO_MINA' }), paid(1, 0)], [[2], [1]]],
    [
      'that are not paid stand alone',
      [paid(3, 2, { status: 'PENDING_PAYMENT' }), paid(2, 1, { status: 'EXPIRED' }), paid(1, 0)],
      [[3], [2], [1]],
    ],
    [
      'that were refunded or cancelled stand alone',
      [paid(4, 3), paid(3, 2, { status: 'REFUNDED' }), paid(2, 1, { status: 'CANCELLED' }), paid(1, 0)],
      [[1, 4], [3], [2]],
    ],
    [
      'of which money goes back stand alone',
      [paid(2, 1, { refund: { state: 'pending', amount: 50, reason: 'operator' } }), paid(1, 0)],
      [[2], [1]],
    ],
    [
      'one of whose bags is void stand alone',
      [paid(2, 1, { bookings: [bookingOf({ state: 'CANCELLED' })] }), paid(1, 0)],
      [[2], [1]],
    ],
    [
      'of a gateway that names no agent stand alone',
      [paid(2, 1, { agentCode: undefined } as never), paid(1, 0, { agentCode: undefined } as never)],
      [[2], [1]],
    ],
    [
      'keep the place of the newest one of their journey',
      [paid(4, 3), paid(3, 2, { agentCode: 'A2' }), paid(2, 1), paid(1, 0, { agentCode: 'A2' })],
      [
        [2, 4],
        [1, 3],
      ],
    ],
    [
      'that were paid in another order than they were made are one journey',
      [paid(2, 0), paid(1, 1)],
      [[2, 1]],
    ],
  ])('%s', (_, orders, journeys) => {
    expect(idsOf(orders)).toEqual(journeys)
  })

  it('of a further page join the journey of the page before, and leave its orders together', () => {
    const first = [paid(4, 3), paid(3, 2)]
    const further = [paid(2, 1), paid(1, -22)]
    expect(idsOf(first)).toEqual([[3, 4]])
    expect(idsOf([...first, ...further])).toEqual([[2, 3, 4], [1]])
  })
})

describe('the bags of a journey', () => {
  const withBag = (orderId: number, ...bookings: Partial<Booking>[]) =>
    paid(orderId, 0, { bookings: bookings.map(bookingOf) })
  const shown = (journey: readonly Order[]) =>
    bagsOf(journey).map(({ order, booking, isHandedIn }) => [order.orderId, booking.awb, isHandedIn])
  const needed = (journey: readonly Order[]) => bagsToShow(bagsOf(journey)).map(({ booking }) => booking.awb)

  it('are one of each order, and say which are handed in', () => {
    const journey = [withBag(1, { awb: '1', state: 'HANDED_OVER' }), withBag(2, { awb: '2' })]
    expect(shown(journey)).toEqual([
      [1, '1', true],
      [2, '2', false],
    ])
    expect(needed(journey)).toEqual(['2'])
  })

  it('whose airway bill is being issued have no barcode to show yet', () => {
    expect(needed([withBag(1, { awb: null }), withBag(2, { awb: '2' })])).toEqual(['2'])
  })

  it('show the barcodes of those that wait at the branch once all are handed in', () => {
    const journey = [
      withBag(1, { awb: '1', state: 'AT_BRANCH' }),
      withBag(2, { awb: '2', state: 'IN_TRANSIT' }),
    ]
    expect(needed(journey)).toEqual(['1'])
    expect(needed([withBag(1, { awb: '1', state: 'COLLECTED' })])).toEqual([])
  })

  it('there and back are those on the way there until all are handed in, then those on the way back', () => {
    const there = { awb: '1', state: 'COLLECTED' } as const
    const first = withBag(1, there, { awb: '2' })
    expect(shown([first, withBag(2, { awb: '3' }, { awb: '4' })])).toEqual([
      [1, '1', true],
      [2, '3', false],
    ])
    expect(needed([first, withBag(2, { awb: '3', state: 'IN_TRANSIT' }, { awb: '4' })])).toEqual(['2', '4'])
  })
})
