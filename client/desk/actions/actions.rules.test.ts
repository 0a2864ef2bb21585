import { describe, expect, it } from 'vitest'
import type { TimelineLine } from '#shared/desk/orders/desk-orders.schemas.ts'
import { whyNot } from '#shared/operators/why-not.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { type Act, firstAct, needsTwo, offeredActs, resendable, restOf, textOf } from './actions.rules.ts'

type Order = Parameters<typeof offeredActs>[0]

const now = Date.parse('2027-05-19T11:22:00.000Z')

const line = (kind: string, at = '2027-05-15T13:20:00.000Z') =>
  ({ kind, at, by: { kind: 'agent' }, text: kind, data: {} }) as unknown as TimelineLine
const bag = (state: string, stoppedAt: string | null = null) =>
  ({ state, stoppedAt, newsBy: null }) as Order['bookings'][number]
const refund = (state: string) => ({ state: 'succeeded', refunds: [{ state }] }) as Order['payments'][number]
const damaged = { leg: 1, kind: 'damaged', at: '2027-05-15T13:20:00.000Z' }

const paid: Order = {
  status: 'PAID',
  transactionId: '1',
  timeline: [],
  alerts: [],
  mayCancel: true,
  bookings: [bag('READY')],
  payments: [{ state: 'succeeded', refunds: [] } as unknown as Order['payments'][number]],
}

const hindranceOf = (act: Act, order: Partial<Order>, role: StaffRole = 'lead') =>
  offeredActs({ ...paid, ...order }, [role], now).find((offered) => offered.act === act)?.hindrance

describe('what can be done about an order', () => {
  it('is offered by role, and roles add up', () => {
    const of = (...roles: StaffRole[]) =>
      offeredActs(paid, roles, now)
        .filter(({ hindrance }) => hindrance === undefined || !('roles' in hindrance))
        .map(({ act }) => act)
    expect(of('support')).toEqual(['inquire', 'resend', 'checked', 'receiver', 'claim', 'cancel'])
    expect(of('money')).toEqual(['inquire', 'checked', 'claim', 'refund', 'write-off'])
    expect(of('support', 'money')).toEqual(of('lead').filter((act) => act !== 'reissue'))
    expect(hindranceOf('reissue', {}, 'money')).toEqual({ roles: ['lead'] })
  })

  it('not cancelled once the agent has the bag, unless that was undone', () => {
    expect(hindranceOf('cancel', {})).toBeUndefined()
    expect(hindranceOf('cancel', { timeline: [line('received')] })).toEqual({
      handedOverAt: '2027-05-15T13:20:00.000Z',
    })
    const undone = [line('undone', '2027-05-15T13:25:00.000Z'), line('received')]
    expect(hindranceOf('cancel', { timeline: undone })).toBeUndefined()
    expect(hindranceOf('cancel', { status: 'CANCELLED' })).toEqual({ why: whyNot.ended })
  })

  it('not cancelled where the terms would not let its owner', () => {
    expect(hindranceOf('cancel', { mayCancel: false })).toEqual({ why: whyNot.notOffered })
    // The time of the hand-over is the more useful reason, so it is the one shown.
    expect(hindranceOf('cancel', { mayCancel: false, timeline: [line('received')] })).toEqual({
      handedOverAt: '2027-05-15T13:20:00.000Z',
    })
  })

  it('no second refund, and a write-off only of one that is open', () => {
    expect(hindranceOf('refund', {})).toBeUndefined()
    expect(hindranceOf('refund', { payments: [refund('asked')] })).toEqual({ why: whyNot.refundOpen })
    expect(hindranceOf('refund', { status: 'REFUNDED' })).toEqual({ why: whyNot.refundDone })
    expect(hindranceOf('write-off', { payments: [refund('done')] })).toEqual({ why: whyNot.noRefund })
    expect(hindranceOf('write-off', { payments: [refund('due')] })).toBeUndefined()
  })

  it('a message is sent again where one was given up, or was sent over ten minutes ago; the newest of those', () => {
    const of = (message: number, end: string, minutesAgo: number, event = 'paid 0') => ({
      ...line(`message-${end}`, new Date(now - minutesAgo * 60_000).toISOString()),
      data: { message, event },
    })
    const again = (...timeline: TimelineLine[]) =>
      resendable({ timeline }, now).map(({ data, kind }) => `${data.message} ${kind}`)
    expect(hindranceOf('resend', {})).toEqual({ why: whyNot.noMessage })
    expect(hindranceOf('resend', { timeline: [of(1, 'dropped', 0)] })).toBeUndefined()
    expect(again(of(1, 'delivered', 1), of(1, 'sent', 9))).toEqual([])
    expect(again(of(1, 'delivered', 1), of(1, 'sent', 10))).toEqual(['1 message-delivered'])
    expect(again(of(1, 'sent', 10))).toEqual(['1 message-sent'])
    // An older copy of a message is not offered, even when the newer copy is too recent to be offered.
    expect(again(of(2, 'sent', 1), of(1, 'failed', 20))).toEqual([])
    expect(again(of(2, 'sent', 1, 'at-branch 4'), of(1, 'failed', 20))).toEqual(['1 message-failed'])
  })

  it('a bag is checked while it has an open alert or is silent, wherever it is by now', () => {
    for (const state of ['IN_TRANSIT', 'COLLECTED'])
      expect(hindranceOf('checked', { alerts: [damaged], bookings: [bag(state)] }), state).toBeUndefined()
    const none = { why: whyNot.noAlert }
    expect(hindranceOf('checked', { bookings: [bag('EXCEPTION')] })).toEqual(none)
    const newsBy = (ms: number) => [{ ...bag('IN_TRANSIT'), newsBy: new Date(ms).toISOString() }]
    expect(hindranceOf('checked', { bookings: newsBy(now) })).toBeUndefined()
    expect(hindranceOf('checked', { bookings: newsBy(now + 1) })).toEqual(none)
  })

  it('the airway bill is made again once it has stopped', () => {
    expect(hindranceOf('reissue', {})).toEqual({ why: whyNot.notStopped })
    expect(hindranceOf('reissue', { bookings: [bag('READY', '2027-05-15T13:20:00.000Z')] })).toBeUndefined()
  })
})

describe('a second person', () => {
  const alone = { halalas: 5_000, returnHalalas: 5_000, receiver: true, reissue: true }
  const order = (more: Partial<typeof alone> = {}, amountHalalas = 5_000, refunds: object[] = []) =>
    ({
      status: 'PAID',
      amountHalalas,
      transactionId: '1',
      alone: { ...alone, ...more },
      payments: [{ refunds }],
    }) as Parameters<typeof needsTwo>[1]

  it('approves what the person may not do alone, and the dialog says so', () => {
    expect(needsTwo('refund', order())).toBe(false)
    expect(needsTwo('refund', order({}, 5_001))).toBe(true)
    expect([needsTwo('receiver', order()), needsTwo('receiver', order({ receiver: false }))]).toEqual([
      false,
      true,
    ])
    expect([needsTwo('reissue', order()), needsTwo('reissue', order({ reissue: false }))]).toEqual([
      false,
      true,
    ])
    expect(needsTwo('refund', order({ returnHalalas: 4_999 }))).toBe(true)
    expect(needsTwo('cancel', order())).toBe(false)
    expect(needsTwo('cancel', order({ returnHalalas: 0 }))).toBe(true)
    expect(needsTwo('cancel', { ...order({ returnHalalas: 0 }), status: 'PENDING_PAYMENT' })).toBe(false)
    expect([textOf('refund', 'what', false), textOf('refund', 'what', true)]).toEqual([
      ...['act.refund.alone.what', 'act.refund.what'],
    ])
    expect(textOf('inquire', 'what', false)).toBe('act.inquire.what')
  })

  it('is asked by what goes back: the rest, without refunds of the same payment that were not written off', () => {
    const part = { transactionId: '1', state: 'done', amountHalalas: 2_000, currency: 'SAR' }
    const writtenOff = { ...part, writtenOffAt: '2027-05-15T13:20:00.000Z' }
    const rest = (...refunds: object[]) => restOf(order({}, 5_000, refunds))
    expect([rest(), rest(part), rest(part, writtenOff), rest({ ...part, transactionId: '2' })]).toEqual([
      ...[5_000, 3_000, 3_000, 5_000],
    ])
    expect(needsTwo('refund', order({ returnHalalas: 3_000 }, 5_000, [part]))).toBe(false)
    expect(needsTwo('cancel', order({ returnHalalas: 2_999 }, 5_000, [part]))).toBe(true)
  })

  it('approves the write-off of the refund that was chosen, by its own sum', () => {
    const refunds = [
      { transactionId: '1', state: 'asked', amountHalalas: 5_000, currency: 'SAR' },
      { transactionId: '2', state: 'asked', amountHalalas: 5_001, currency: 'SAR' },
      { transactionId: '3', state: 'asked', amountHalalas: 1, currency: 'USD' },
    ]
    expect(
      ['1', '2', '3'].map((transaction) => needsTwo('write-off', order({}, 0, refunds), transaction)),
    ).toEqual([...[false, true, true]])
  })
})

it('the one filled button is what takes the order off its first list, if it is possible', () => {
  const stuck = { ...paid, bookings: [bag('AWAITING_LABEL', '2027-05-15T13:20:00.000Z')], alerts: [damaged] }
  const first = (kinds: ('labels' | 'bags' | 'approvals')[], order: Order, role: StaffRole = 'lead') =>
    firstAct(
      kinds.map((kind) => ({ kind })),
      offeredActs(order, [role], now),
    )
  expect(first(['labels', 'bags'], stuck)).toBe('reissue')
  expect(first(['labels', 'bags'], stuck, 'support')).toBe('checked')
  expect(first(['labels'], paid)).toBeUndefined()
  expect(first(['approvals'], stuck)).toBeUndefined()
})
