import { describe, expect, it } from 'vitest'
import {
  changedFact,
  factsOf,
  isArrived,
  isPrinted,
  isSecondReissue,
  leftAlone,
} from './desk-actions.rules.ts'

type Rows = Parameters<typeof factsOf>[0]

const booking: Rows['bookings'][number] = {
  ...{ reference: 'AM-1', state: 'issued', stopped_at: null, creations_allowed: 2 },
  travel_state: 'IN_TRANSIT',
}
const refund: Rows['refunds'][number] = {
  ...{ transaction_id: 'T1', amount_halalas: 5_000, state: 'due', written_off_at: null },
}
const rows: Rows = {
  order: { status: 'PAID', handed_over: 'all', transaction_id: 'T1' },
  bookings: [booking],
  refunds: [refund],
  events: [{ kind: 'succeeded', amount_halalas: 5_000 }],
}
const changed = (change: Partial<Rows>) => changedFact(factsOf(rows), factsOf({ ...rows, ...change }))

describe('an approval', () => {
  it.each<[string, Partial<Rows>]>([
    ['status', { order: { ...rows.order, status: 'REFUNDED' } }],
    ['refunds', { refunds: [] }],
    ['refunds', { refunds: [{ ...refund, state: 'done' }] }],
    ['refunds', { refunds: [{ ...refund, state: 'done', written_off_at: 1 }] }],
    ['refunds', { refunds: [refund, { ...refund, transaction_id: 'T2' }] }],
    ['bookings', { order: { ...rows.order, handed_over: 'some' } }],
    ['bookings', { bookings: [{ ...booking, stopped_at: 1 }] }],
    ['bookings', { bookings: [{ ...booking, creations_allowed: 3 }] }],
    ['bookings', { bookings: [{ ...booking, travel_state: 'AT_BRANCH' }] }],
    ['paid', { order: { ...rows.order, transaction_id: 'T2' } }],
    ['paid', { events: [...rows.events, { kind: 'succeeded', amount_halalas: 5_000 }] }],
  ])('is overtaken by another %s', (fact, change) => {
    expect(changed(change)).toBe(fact)
  })

  it('is not overtaken by a further try of a refund, a scan on the way or a declined card', () => {
    expect(changed({ refunds: [{ ...refund, state: 'asked' }] })).toBeUndefined()
    expect(changed({ bookings: [{ ...booking, travel_state: 'EXCEPTION' }] })).toBeUndefined()
    expect(changed({ events: [...rows.events, { kind: 'failed', amount_halalas: 9 }] })).toBeUndefined()
  })
})

describe('what a person may move alone', () => {
  it.each([
    [['money'], 0, 5_000, 5_000],
    [['lead', 'money'], 0, 5_000, 5_000],
    // Split over the day.
    [['money'], 1, 5_000, 4_999],
    // The sum was lowered since.
    [['money'], 5_001, 5_000, 0],
    [['lead'], 0, 5_000, 0],
    [['support'], 0, 5_000, 0],
  ] as const)('as %j after %i of %i is %i', (roles, ordered, alone, expected) => {
    expect(leftAlone(roles, { ordered, alone })).toBe(expected)
  })
})

it('a second person permits an airway bill only the second time, and names a receiver once it may be printed', () => {
  const stopped = { stopped_at: 1, creations_allowed: 2 }
  expect(isSecondReissue([stopped])).toBe(false)
  expect(isSecondReissue([stopped, { stopped_at: 1, creations_allowed: 3 }])).toBe(true)
  expect(isSecondReissue([stopped, { stopped_at: null, creations_allowed: 3 }])).toBe(false)
  expect([
    isPrinted([{ uncertain_until: 0 }]),
    isPrinted([{ uncertain_until: 0 }, { uncertain_until: 1 }]),
  ]).toEqual([...[false, true]])
  expect([isArrived([{ travel_state: null }]), isArrived([{ travel_state: 'COLLECTED' }])]).toEqual([
    false,
    true,
  ])
})
