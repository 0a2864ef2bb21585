// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf, refunded } from '#test/builders/answer.builder.ts'
import { beginShift } from '#test/kit/client/agent-shift.ts'
import { stubGateway } from '#test/kit/client/render-page.tsx'
import { keepAllBags } from './all-bags.queries.ts'
import { emptyKeptBags, listKept, withBags } from './kept-bags.rules.ts'
import { findKeptBag, keepBags, readKeptBags } from './kept-bags.ts'
import { countInShift, readShift } from './shift.ts'

const agentId = 3
const hour = 60 * 60_000
const begun = Date.parse('2027-05-18T07:00:00.000Z')

const booked = (orderId: number, changes: Partial<Order> = {}) =>
  orderOf({
    orderId,
    user: { name: `Owner ${orderId}`, phone: '+966501112233' },
    receiver: { name: 'Sara Omar', phone: '+962790000000' },
    bookings: [bookingOf({ awb: `29001234${1000 + orderId}`, receiver: 'Sara Omar' })],
    ...changes,
  })
const counts = { waiting: 2, received: 0, refused: 0 }
const shown = () => readKeptBags(agentId)?.bags.map(({ order }) => order.orderId)

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: begun })
  beginShift(agentId)
})
afterEach(() => void vi.useRealTimers())

describe('what is kept of an agent’s bags', () => {
  it('is number, state, city, owner’s name and hand-over, and nothing else of a person', () => {
    const at = '2027-05-18T06:30:00.000Z'
    const taken = { kind: 'handed-over', at, place: 'Agent A1', source: 'agent' } as const
    const refused = { kind: 'not-accepted', at, source: 'agent', text: 'Oil' } as const
    const bookings = [bookingOf({ state: 'HANDED_OVER', lastEventAt: at, events: [refused, taken] })]
    keepBags(agentId, [booked(42, { bookings })], begun)
    expect(findKeptBag(agentId, '290012345678')).toEqual({
      knownAt: begun,
      order: {
        orderId: 42,
        status: 'PAID',
        type: 'FROM_MINA',
        creationDate: '2027-05-18T12:30:00.000Z',
        payable: false,
        user: { name: 'Owner 42', phone: null },
        bookings: [
          {
            awb: '290012345678',
            state: 'HANDED_OVER',
            lastEventAt: at,
            origin: { city: 'Mina', coordinates: null },
            destination: { city: 'Riyadh', coordinates: null },
            events: [{ kind: 'handed-over', at, source: 'agent' }],
          },
        ],
      },
    })
  })

  it('says which orders are of one customer to one branch, also when a page names only some of them', () => {
    const elsewhere = bookingOf({ destination: { city: 'Jeddah', coordinates: null } })
    const others = [
      booked(44, { user: { name: 'Owner 42', phone: '+966509999999' } }),
      booked(45, { bookings: [elsewhere] }),
    ]
    const family = [42, 43, 46].map((orderId) =>
      booked(orderId, { user: { name: 'Owner 42', phone: '+966501112233' } }),
    )
    const journeys = () =>
      readKeptBags(agentId)?.bags.map(({ order }) => [order.orderId, order.journey] as const)
    keepBags(agentId, [...family.slice(0, 2), ...others], begun, counts)
    expect(journeys()).toEqual([
      [42, 42],
      [43, 42],
      [44, undefined],
      [45, undefined],
    ])
    keepBags(agentId, family.slice(1), begun + 1)
    expect(journeys()).toContainEqual([46, 42])
    // The confirmation of a bag keeps what the device knows, which is without a phone.
    const known = findKeptBag(agentId, '290012341043')?.order
    keepBags(agentId, known === undefined ? [] : [known], begun + 2)
    expect(journeys()).toContainEqual([43, 42])
  })

  it('belongs to one agent and one sign-in, for twelve hours', () => {
    keepBags(agentId, [booked(42)], begun)
    expect(readKeptBags(4)).toBeUndefined()
    vi.setSystemTime(begun + 12 * hour - 1)
    expect(shown()).toEqual([42])
    vi.setSystemTime(begun + 12 * hour)
    expect(shown()).toBeUndefined()
    // A clock that was set back before the sign-in says nothing.
    vi.setSystemTime(begun - 1)
    expect(shown()).toBeUndefined()
    vi.setSystemTime(begun + 1)
    beginShift(agentId)
    expect(shown()).toBeUndefined()
  })

  it('is not what was asked for before the sign-in', () => {
    keepBags(agentId, [booked(42)], begun - 1)
    expect(shown()).toBeUndefined()
  })

  it('is renewed by a whole list, with the counts of its tabs', () => {
    vi.setSystemTime(begun + 5)
    keepBags(agentId, [booked(41), booked(42)], begun + 2)
    keepBags(agentId, [booked(41)], begun + 3, counts)
    expect(readKeptBags(agentId)).toMatchObject({ listedAt: begun + 3, counts })
    expect(shown()).toEqual([41])
  })

  it('by a clock that was ahead, and has been set back, is as of now', () => {
    vi.setSystemTime(begun + hour)
    keepBags(agentId, [booked(42)], begun + hour, counts)
    vi.setSystemTime(begun + 1)
    expect(readKeptBags(agentId)?.listedAt).toBe(begun + 1)
    expect(findKeptBag(agentId, '290012341042')?.knownAt).toBe(begun + 1)
  })

  it('is all that waits, page by page, and the newest of the others', async () => {
    const calls = stubGateway({
      [`GET /api/orders/agent/${agentId}`]: ({ query: { state, cursor } }) => ({
        body: {
          success: true,
          counts,
          orders: [booked(state === 'waiting' ? (cursor ? 51 : 50) : state === 'received' ? 40 : 30)],
          nextCursor: state === 'waiting' && !cursor ? '50' : null,
        },
      }),
    })
    await keepAllBags(agentId, new AbortController().signal)
    expect(shown()).toEqual([30, 40, 50, 51])
    expect(calls.map(({ query }) => [query.state, query.order, query.cursor])).toEqual([
      ['waiting', 'oldest', undefined],
      ['waiting', 'oldest', '50'],
      ['received', 'newest', undefined],
      ['refused', 'newest', undefined],
    ])
  })

  it('is listed as the server would: by state, city, order and words', () => {
    const gone = bookingOf({ awb: '290087650974', state: 'IN_TRANSIT' })
    const toJeddah = bookingOf({ awb: '290011112222', destination: { city: 'Jeddah', coordinates: null } })
    const kept = withBags(emptyKeptBags(agentId, begun), {
      orders: [
        booked(41, { bookings: [gone] }),
        booked(42, { bookings: [toJeddah] }),
        booked(43),
        refunded(booked(44)),
        // Its money went back while it travelled.
        { ...refunded(booked(46)), bookings: [gone] },
        { ...booked(45), status: 'ON_HOLD' } as unknown as Order,
      ],
      askedAt: begun,
      now: begun,
    })
    const list = (request: Parameters<typeof listKept>[1]) =>
      listKept(kept, request).map(({ orderId }) => orderId)
    expect(list({ state: 'waiting', order: 'oldest' })).toEqual([42, 43])
    expect(list({ state: 'received' })).toEqual([46, 41])
    expect(list({ state: 'refused' })).toEqual([45, 44])
    expect(list({ q: '0974' })).toEqual([46, 41])
    expect(list({ q: 'OD-43' })).toEqual([43])
    expect(list({ q: 'owner جدة' })).toEqual([42])
    expect(list({ city: 'Jeddah' })).toEqual([42])
    expect(list({ q: '966501112233' })).toEqual([])
  })
})

it('a shift counts what was recorded in it, and never less than nothing', () => {
  countInShift(agentId, 'received', 1)
  countInShift(agentId, 'notAccepted', 1)
  countInShift(4, 'received', 1)
  expect(readShift(agentId)).toEqual({ since: begun, received: 1, notAccepted: 1 })
  for (const _ of [1, 2]) countInShift(agentId, 'received', -1)
  expect(readShift(agentId)?.received).toBe(0)
})
