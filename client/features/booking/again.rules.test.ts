import { describe, expect, it } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import type { Stop } from '#shared/platform/stop.ts'
import { stopOf } from '#shared/stops/stops.rules.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { againSourceOf, wayOf } from './again.rules.ts'

const centers = [
  { code: 'RUH1', city: 'Riyadh' },
  { code: 'RUH2', city: 'Riyadh' },
  { code: 'JED1', city: 'Jeddah' },
]
const agents = [{ id: 'A1' }, { id: 'A2' }]
const text = { ar: 'متوقف', en: 'Stopped' }

function again(
  changes: Partial<Order> = {},
  {
    stops = [],
    ...offer
  }: Partial<Omit<Parameters<typeof wayOf>[1], 'stopOf'>> & { stops?: readonly Stop[] } = {},
) {
  const order = orderOf({ agentCode: 'A1', centerCode: 'RUH1', ...changes })
  return wayOf(order, {
    enabledTypes: ['FROM_MINA'],
    centers,
    agents,
    stopOf: (sale) => stopOf(stops, sale, 0),
    ...offer,
  })
}

const whole = { type: 'FROM_MINA', fromCity: null, toCity: 'Riyadh', centerCode: 'RUH1', agentCode: 'A1' }

describe('the way of an order', () => {
  it.each(['PAID', 'PENDING_PAYMENT', 'EXPIRED', 'CANCELLED', 'REFUNDED'] as const)(
    'is booked again whole, whatever became of the order: %s',
    (status) => {
      expect(again({ status })).toEqual({ draft: whole, problems: [] })
    },
  )

  it.each<[string, ReturnType<typeof again>, object, readonly string[]]>([
    ['the agent is gone', again({}, { agents: [{ id: 'A2' }] }), { agentCode: null }, ['agentGone']],
    ['the branch is gone', again({}, { centers: centers.slice(1) }), { centerCode: null }, ['branchGone']],
    [
      'every branch of its city is gone',
      again({}, { centers: centers.slice(2) }),
      { centerCode: null, toCity: null },
      ['branchGone'],
    ],
    [
      'both are gone',
      again({}, { agents: [], centers: [] }),
      { agentCode: null, centerCode: null, toCity: null },
      ['agentGone', 'branchGone'],
    ],
    [
      'the agent is stopped',
      again({}, { stops: [{ what: 'agent', code: 'A1', text }] }),
      { agentCode: null },
      ['agentStopped'],
    ],
    [
      'the branch is stopped',
      again({}, { stops: [{ what: 'branch', code: 'RUH1', text }] }),
      { centerCode: null },
      ['branchStopped'],
    ],
    [
      'the city is stopped',
      again({}, { stops: [{ what: 'city', code: 'Riyadh', text }] }),
      { centerCode: null, toCity: null },
      ['cityStopped'],
    ],
    ['all sales are stopped', again({}, { stops: [{ what: 'all', text }] }), {}, ['allStopped']],
    ['another agent is stopped', again({}, { stops: [{ what: 'agent', code: 'A2', text }] }), {}, []],
    [
      'an earlier gateway names neither',
      again({ agentCode: undefined, centerCode: undefined } as never),
      { agentCode: null, centerCode: null },
      ['incomplete'],
    ],
  ])('is filled in as far as it is sold, with the reasons, when %s', (_, found, change, problems) => {
    expect(found).toEqual({ draft: { ...whole, ...change }, problems })
  })

  it('of a route that is not offered is filled in on the one that is', () => {
    const booking = bookingOf()
    const bookings = [{ ...booking, origin: booking.destination, destination: booking.origin }]
    expect(again({ type: 'TO_MINA', bookings })).toEqual({ draft: whole, problems: ['type'] })
    expect(again({ type: 'TO_MINA', bookings }, { enabledTypes: ['TO_MINA'] }).draft).toEqual({
      ...whole,
      type: 'TO_MINA',
      toCity: null,
      fromCity: 'Riyadh',
    })
  })
})

describe('what is taken over from the order', () => {
  const receiver = { name: 'Sara', phone: '+966500000009' }

  it('is its receiver with the other number, and not where the phone alone keeps the order', () => {
    const order = orderOf({ receiver, secondPhone: '+966500000008' })
    expect(againSourceOf({ order })).toEqual({
      orderId: 42,
      receiver: { receiver, secondPhone: '+966500000008' },
    })
    expect(againSourceOf({ order, knownAt: 1 })).toEqual({ orderId: 42 })
  })

  it('is the name on its airway bill where the owner collects it', () => {
    const order = orderOf({ bookings: [bookingOf({ receiver: 'Omar' })] })
    expect(againSourceOf({ order })).toEqual({ orderId: 42, printedName: 'Omar' })
  })
})
