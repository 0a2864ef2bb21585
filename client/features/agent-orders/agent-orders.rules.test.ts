import { describe, expect, it } from 'vitest'
import type { AgentOrder } from '#client/entities/handover/kept-bags.rules.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf, refunded } from '#test/builders/answer.builder.ts'
import {
  ageOf,
  countCities,
  dayOf,
  type Filters,
  isNarrowed,
  linesOf,
  listedState,
  readFilters,
  requestOf,
  rowFactsOf,
  searchedWords,
  splitAwb,
  tabsOf,
  totalOf,
} from './agent-orders.rules.ts'

const none: Filters = { state: null, city: null, order: null }
const counts = { waiting: 5, received: 1, refused: 3 }

describe('filters', () => {
  it('are read from the address; unknown values are ignored', () => {
    expect(readFilters(new URLSearchParams('state=received&city=Riyadh&order=newest'))).toEqual({
      state: 'received',
      city: 'Riyadh',
      order: 'newest',
    })
    expect(readFilters(new URLSearchParams(`state=PAID&city=&order=oldest`))).toEqual(none)
    expect(readFilters(new URLSearchParams(`state=&city=${'x'.repeat(101)}&order=`))).toEqual(none)
  })

  it.each([
    [{}, '', false],
    [{ state: 'waiting' }, '', false],
    [{ order: 'newest' }, '', false],
    [{ state: 'received' }, '', true],
    [{ city: 'Riyadh' }, '', true],
    [{}, 'Ahmad', true],
  ] as const)('%j with %j leave out what waits: %s', (change, q, expected) => {
    expect(isNarrowed({ ...none, ...change }, q)).toBe(expected)
  })

  it('list what waits, and in a search everything', () => {
    expect(listedState(none, '')).toBe('waiting')
    expect(listedState(none, 'Ahmad')).toBeNull()
    expect(listedState({ ...none, state: 'refused' }, 'Ahmad')).toBe('refused')
  })

  it('become a request, oldest first', () => {
    expect(requestOf('', none)).toEqual({ state: 'waiting', order: 'oldest' })
    expect(requestOf('Ahmad', none)).toEqual({ q: 'Ahmad', order: 'oldest' })
    expect(requestOf('', { state: 'refused', city: 'Riyadh', order: 'newest' })).toEqual({
      state: 'refused',
      city: 'Riyadh',
      order: 'newest',
    })
  })

  it('have a tab for each state that has orders, for the listed one, and for what waits', () => {
    expect(tabsOf(undefined, 'waiting')).toEqual(['waiting'])
    expect(tabsOf(undefined, 'refused')).toEqual(['waiting', 'refused'])
    expect(tabsOf({ waiting: 0, received: 0, refused: 0 }, null)).toEqual(['waiting'])
    expect(tabsOf(counts, null)).toEqual(['waiting', 'received', 'refused'])
  })
})

it.each([
  ['', ''],
  ['  ', ''],
  ['+', ''],
  ['(', ''],
  [' Fatimah ', 'Fatimah'],
  ['+966', '+966'],
  ['٤', '٤'],
])('%j requests %j', (typed, words) => {
  expect(searchedWords(typed)).toBe(words)
})

it.each([
  [{}, '', 5],
  [{ state: 'waiting' }, '', 5],
  [{ state: 'refused' }, '', 3],
  [{ order: 'newest' }, '', 5],
  [{ city: 'Riyadh' }, '', undefined],
  [{}, 'Ahmad', undefined],
  [{ state: 'waiting' }, 'Ahmad', undefined],
] as const)('the counts know how many orders %j with %j leave: %s', (change, q, total) => {
  expect(totalOf(counts, { ...none, ...change }, q)).toBe(total)
})

describe('the offered cities', () => {
  const to = (city: string) =>
    orderOf({ bookings: [bookingOf({ destination: { city, coordinates: null } })] })

  it('are those of the orders, the one with most of them first', () => {
    expect(countCities([to('Jeddah'), to('Riyadh'), to('Riyadh')], null)).toEqual([
      { city: 'Riyadh', count: 2 },
      { city: 'Jeddah', count: 1 },
    ])
  })

  it('include the chosen one, also when no order goes there', () => {
    expect(countCities([to('Riyadh')], 'Abha')).toEqual([
      { city: 'Riyadh', count: 1 },
      { city: 'Abha', count: undefined },
    ])
    expect(countCities([to('Riyadh')], 'Riyadh')).toHaveLength(1)
  })
})

describe('the lines of a list', () => {
  const noon = Date.parse('2027-05-18T12:00:00Z')
  const ordered = (orderId: number, hours: number, changes: Partial<Order> = {}): Order =>
    orderOf({
      orderId,
      user: { name: 'Aisha Bello', phone: '+966501112233' },
      creationDate: new Date(noon + hours * 3_600_000).toISOString(),
      ...changes,
    })
  const idsOf = (orders: readonly Order[]) =>
    linesOf(orders).map((line) => line.map(({ orderId }) => orderId))
  const elsewhere = bookingOf({ destination: { addressEN: 'Olaya', city: 'Riyadh', coordinates: null } })

  const kept = (order: Order): AgentOrder => ({
    ...order,
    user: { name: 'Aisha Bello', phone: null },
    journey: 1,
  })

  it.each<[string, readonly Order[], readonly (readonly number[])[]]>([
    ['of one customer to one branch are one', [ordered(1, 0), ordered(2, 1), ordered(3, 24)], [[1, 2, 3]]],
    ['of one moment are one, in the order of their numbers', [ordered(1, 0), ordered(2, 0)], [[1, 2]]],
    ['more than a day apart are two', [ordered(1, 0), ordered(2, 25)], [[1], [2]]],
    ['to another branch are two', [ordered(1, 0), ordered(2, 1, { bookings: [elsewhere] })], [[1], [2]]],
    [
      'of namesakes are two',
      [ordered(1, 0), ordered(2, 1, { user: { name: 'Aisha Bello', phone: '+966509999999' } })],
      [[1], [2]],
    ],
    [
      'of one journey in a kept list, which has no phones, are one',
      [1, 2].map((id) => kept(ordered(id, 0))),
      [[1, 2]],
    ],
    [
      'of one journey in a kept list, but days apart, are two',
      [0, 25].map((at) => kept(ordered(at + 1, at))),
      [[1], [26]],
    ],
    [
      'of namesakes in a kept list are two',
      [1, 2].map((id) => ordered(id, 0, { user: { name: 'Aisha Bello', phone: null } })),
      [[1], [2]],
    ],
    ['of which one must not be taken are two', [refunded(ordered(1, 0)), ordered(2, 1)], [[1], [2]]],
  ])('orders %s', (_, orders, expected) => {
    expect(idsOf(orders)).toEqual(expected)
  })
})

it.each([
  ['2027-05-17T21:00:00Z', 'today'],
  ['2027-05-17T20:59:59Z', 'yesterday'],
  ['2027-05-16T21:00:00Z', 'yesterday'],
  ['2027-05-16T20:59:59Z', 'older'],
  ['2027-05-19T09:00:00Z', 'today'],
])('the day of %s in Riyadh is %s', (iso, day) => {
  expect(dayOf(iso, Date.parse('2027-05-18T12:00:00Z'))).toBe(day)
})

describe('a row', () => {
  const booking = (awb: string | null, from: string, to: string): Booking => ({
    awb,
    origin: { city: from, coordinates: null },
    destination: { city: to, coordinates: null },
    state: 'READY',
    lastEventAt: null,
    events: [],
  })
  const there = booking('111111111111', 'Riyadh', 'Mina')
  const back = booking('222222222222', 'Mina', 'Jeddah')

  it('shows the bag that is handed over to the agent, and the city of its branch', () => {
    expect(rowFactsOf({ type: 'FROM_MINA', bookings: [back] })).toEqual({
      city: 'Jeddah',
      awb: '222222222222',
    })
    expect(rowFactsOf({ type: 'TO_AND_FROM_MINA', bookings: [there, back] })).toEqual({
      city: 'Jeddah',
      awb: '222222222222',
    })
    expect(rowFactsOf({ type: 'TO_MINA', bookings: [there] })).toEqual({
      city: 'Riyadh',
      awb: '111111111111',
    })
    expect(rowFactsOf({ type: 'FROM_MINA', bookings: [] })).toEqual({ city: undefined, awb: null })
  })

  it.each([
    [-60, { unit: 'now' }],
    [0, { unit: 'now' }],
    [1, { unit: 'minutes', minutes: 1 }],
    [59, { unit: 'minutes', minutes: 59 }],
    [72, { unit: 'hours', hours: 1, minutes: 12 }],
    [24 * 60 - 1, { unit: 'hours', hours: 23, minutes: 59 }],
  ])('of %i minutes ago says %j', (minutes, expected) => {
    const iso = '2027-05-18T12:30:00.000Z'
    expect(ageOf(iso, Date.parse(iso) + minutes * 60_000)).toEqual(expected)
  })

  it('separates the last four digits', () => {
    expect(splitAwb('290012345678')).toEqual({ start: '29001234', last: '5678' })
    expect(splitAwb('123')).toEqual({ start: '', last: '123' })
  })
})
