import { describe, expect, it } from 'vitest'
import { isSentLately, isStillTrue, toSendAgain } from '#server/features/operators/operators.rules.ts'
import type { Carriage } from '#shared/orders/travel.rules.ts'
import {
  checksOf,
  factsOf,
  isArrived,
  isPrinted,
  isSecondReissue,
  overtakingOf,
  remainingSoloLimit,
} from './actions.rules.ts'

type Rows = Parameters<typeof factsOf>[0]

const booking: Rows['bookings'][number] = {
  reference: 'AM-1',
  state: 'issued',
  stopped_at: null,
  creations_allowed: 2,
  carriage: 'moving',
  uncertain_until: 1,
}
const refund: Rows['refunds'][number] = {
  transaction_id: 'T1',
  amount_halalas: 5_000,
  currency: 'SAR',
  state: 'due',
  written_off_at: null,
}
const event = (
  kind: Rows['events'][number]['kind'],
  change: Partial<Rows['events'][number]> = {},
): Rows['events'][number] => ({
  transaction_id: 'T1',
  kind,
  outcome: 'applied',
  amount_halalas: 5_000,
  ...change,
})
const claim = (change: Partial<Rows['claims'][number]> = {}): Rows['claims'][number] => ({
  id: 7,
  state: 'OPEN',
  step: 1,
  compensated: 0,
  ...change,
})
const rows: Rows = {
  order: { payment: 'paid', ended: null, handed_over: 'all', transaction_id: 'T1' },
  bookings: [booking],
  refunds: [refund],
  events: [event('succeeded')],
  claims: [claim()],
}
const money = { act: 'refund', about: 'T1' } as const
const compensation = { act: 'compensation', about: 'CL-7' } as const
const changed = (change: Partial<Rows>, wish: Parameters<typeof factsOf>[1] = money) =>
  overtakingOf(factsOf(rows, wish), factsOf({ ...rows, ...change }, wish))

describe('an approval', () => {
  it.each<[string, Partial<Rows>]>([
    ['order-refunded', { order: { ...rows.order, payment: 'returned' } }],
    ['order-cancelled', { order: { ...rows.order, ended: 'cancelled' } }],
    ['order-expired', { order: { ...rows.order, payment: 'unpaid', ended: 'expired' } }],
    ['status', { order: { ...rows.order, payment: 'unpaid' } }],
    ['refunds', { refunds: [] }],
    ['refund-done', { refunds: [{ ...refund, state: 'done' }] }],
    ['refund-written-off', { refunds: [{ ...refund, state: 'done', written_off_at: 1 }] }],
    ['refund-ordered', { refunds: [refund, { ...refund, transaction_id: 'T2' }] }],
    ['bookings', { order: { ...rows.order, handed_over: 'some' } }],
    ['bookings', { bookings: [{ ...booking, stopped_at: 1 }] }],
    ['bookings', { bookings: [{ ...booking, creations_allowed: 3 }] }],
    ['bag-arrived', { bookings: [{ ...booking, carriage: 'at-branch' }] }],
    ['paid', { order: { ...rows.order, transaction_id: 'T2' } }],
    ['paid', { events: [...rows.events, event('succeeded')] }],
    ['money-back', { events: [...rows.events, event('refunded', { outcome: 'partial-refund' })] }],
    ['money-back', { events: [...rows.events, event('voided', { outcome: 'noted' })] }],
    ['compensated', { claims: [claim({ compensated: 1 })] }],
  ])('is overtaken, and says by what: %s', (fact, change) => {
    expect(changed(change)).toBe(fact)
  })

  it('is not overtaken by a further try of a refund, a scan on the way or a declined card', () => {
    expect(changed({ refunds: [{ ...refund, state: 'asked' }] })).toBeUndefined()
    expect(changed({ bookings: [{ ...booking, carriage: 'exception' }] })).toBeUndefined()
    expect(changed({ events: [...rows.events, event('failed')] })).toBeUndefined()
  })

  it.each<[string, Rows['claims']]>([
    ['a step', [claim({ step: 2 })]],
    ['another state', [claim({ state: 'CLOSED' })]],
    ['its end', []],
  ])('of a compensation is overtaken by %s of its claim, and nothing else is', (_what, claims) => {
    expect(changed({ claims }, compensation)).toBe('claim')
    expect(changed({ claims: [...rows.claims, claim({ id: 8 })] }, compensation)).toBeUndefined()
    expect(changed({ claims })).toBeUndefined()
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
  ] as const)('as %j after %i of %i is %i', (roles, ordered, limit, expected) => {
    expect(remainingSoloLimit(roles, { ordered, limit })).toBe(expected)
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
  expect([isArrived([{ carriage: 'none' }]), isArrived([{ carriage: 'collected' }])]).toEqual([false, true])
})

describe('a message that is sent again', () => {
  type Message = Parameters<typeof toSendAgain>[0][number]
  const message = (change: Partial<Message>) =>
    ({
      id: 1,
      kind: 'paid',
      booking_id: 0,
      claim_id: null,
      reported_event_id: 1,
      recipient: 'owner',
      channel: 'sms',
      last_error: null,
      state: 'failed',
      asked_at: 1_000,
      ended_at: null,
      ...change,
    }) as Message

  it('is what did not arrive, or the one that was chosen, in its newest send, and nothing that was overtaken', () => {
    const all = [
      message({}),
      message({ id: 2, reported_event_id: 2, kind: 'collected', state: 'delivered' }),
      message({ id: 3, reported_event_id: 3, kind: 'at-branch', state: 'waiting' }),
      message({ id: 4, state: 'dropped', last_error: 'too late' }),
      message({ id: 5, reported_event_id: 5, kind: 'exception', booking_id: 7 }),
      message({ id: 6, reported_event_id: 6, kind: 'exception', booking_id: 8, state: 'delivered' }),
      // The bag has arrived again since.
      message({ id: 7, reported_event_id: 7, kind: 'at-branch', state: 'dropped', last_error: 'overtaken' }),
    ]
    const idsOf = (id?: number) => toSendAgain(all, id).map((row) => row.id)
    expect([idsOf(), idsOf(2), idsOf(4), idsOf(1), idsOf(3)]).toEqual([[4, 5], [2], [4], [], []])
    expect(idsOf(7)).toEqual([])
    const minutes = 60_000
    for (const [state, after, isLately] of [
      ['delivered', 10 * minutes - 1, true],
      ['delivered', 10 * minutes, false],
      ['failed', 0, false],
    ] as const)
      expect(isSentLately(message({ state }), 1_000 + after)).toBe(isLately)
  })

  const order = { payment: 'paid', ended: null } as const
  const bag = { id: 7, carriage: 'at-branch', receiver_phone: '+966512345679' } as const
  const claim = { id: 3, state: 'OPEN', late_since: null } as const
  type News = Parameters<typeof isStillTrue>[1]
  const isTrue = (kind: Message['kind'], change: Partial<News> = {}) => {
    const about = { claim_id: kind.startsWith('claim') ? 3 : null, reported_event_id: 2 }
    const facts: News = { order, bookings: [bag], claims: [claim], messages: [], ...change }
    return isStillTrue({ kind, booking_id: 7, ...about }, facts)
  }
  const at = (carriage: Carriage) => ({ bookings: [{ ...bag, carriage }] })
  const returned = { order: { ...order, payment: 'returned' } } as const
  const claimed = (change: object) => ({ claims: [{ ...claim, ...change }] })

  it.each<[Message['kind'], Partial<News>, Partial<News>]>([
    ['paid', {}, returned],
    ['documents', {}, { order: { ...order, ended: 'cancelled' } }],
    ['refunded', returned, {}],
    ['cancelled', { order: { payment: 'returned', ended: 'cancelled' } }, {}],
    ['handed-over', at('received'), at('void')],
    ['at-branch', returned, at('collected')],
    ['receiver-at-branch', {}, { bookings: [{ ...bag, receiver_phone: null }] }],
    ['receiver-named', at('received'), {}],
    ['receiver-named', at('ready'), at('void')],
    ['collected', at('collected'), {}],
    ['exception', at('exception'), {}],
    ['late', at('exception'), {}],
    ['late', at('received'), { ...at('received'), ...returned }],
    ['late', at('moving'), at('ready')],
    ['claim-opened', {}, claimed({ late_since: 1 })],
    ['claim-late', claimed({ late_since: 1 }), claimed({ state: 'ANSWERED', late_since: 1 })],
    ['claim-question', claimed({ state: 'ANSWERED' }), {}],
    ['claim-answered', claimed({ state: 'ANSWERED' }), claimed({ state: 'CLOSED' })],
    [
      'claim-closed',
      claimed({ state: 'CLOSED' }),
      { ...claimed({ state: 'CLOSED' }), messages: [{ claim_id: 3, reported_event_id: 4 }] },
    ],
  ])('%s only while it is so', (kind, so, notSo) => {
    expect([isTrue(kind, so), isTrue(kind, notSo)]).toEqual([true, false])
  })
})

describe('what who decides looks at', () => {
  const all = (wish: Parameters<typeof checksOf>[0], change: Partial<Parameters<typeof checksOf>[1]> = {}) =>
    checksOf(wish, { ...rows, claims: [], ...change }).map(({ tone, kind }) => `${tone} ${kind}`)
  const untouched = { ...rows.order, handed_over: 'none' } as const

  it('of money is what was paid, what went back, who has the bag, and open claims', () => {
    expect(all(money, { order: untouched, refunds: [] })).toEqual([
      ...['good paid-once', 'good nothing-back', 'good not-handed-over'],
    ])
    const twice = [...rows.events, ...rows.events, event('failed')]
    const claims = [claim({ state: 'ANSWERED' }), claim({ id: 8, state: 'CLOSED', compensated: 3_000 })]
    const checks = checksOf(money, { ...rows, claims, events: twice })
    expect(checks.map(({ tone, kind }) => `${tone} ${kind}`)).toEqual([
      ...['note paid-often', 'note gone-back', 'note compensated', 'note handed-over', 'note claim-open'],
    ])
    const sumOf = (of: string) => checks.find(({ kind }) => kind === of)?.data
    expect(sumOf('paid-often')).toEqual({ count: 2, amount: 10_000, currency: 'SAR' })
    expect(sumOf('compensated')).toEqual({ amount: 3_000, currency: 'SAR' })
    const part = [...rows.events, event('refunded', { outcome: 'partial-refund' })]
    expect(all(money, { events: part, refunds: [] })).toEqual([
      ...['good paid-once', 'note partly-back', 'note handed-over'],
    ])
    const writtenOff = rows.refunds.map((row) => ({ ...row, written_off_at: 1 }))
    expect(all(money, { refunds: writtenOff })).toContain('good nothing-back')
  })

  it('of a compensation is whether its claim can be closed still', () => {
    expect(all(compensation, { claims: [claim()] })).toContain('good claim-open')
    expect(all(compensation, { claims: [claim({ state: 'CLOSED' })] })).toContain('bad claim-closed')
  })

  it('of a receiver is where the bag is', () => {
    const receiver = { act: 'receiver', about: '' } as const
    expect(all(receiver)).toEqual(['note by-hand'])
    expect(all(receiver, { bookings: [{ ...booking, carriage: 'at-branch' }] })).toEqual(['bad arrived'])
  })
})
