import { describe, expect, it } from 'vitest'
import type { DeskOrder, TimelineLine } from '#shared/desk/orders/desk-orders.schemas.ts'
import { alarmOf, countsOf, daysOf, deadlinesOf, lookOf, newLineOf, nextStepsOf } from './timeline.rules.ts'

const line = (kind: string, at: string, more: Partial<TimelineLine> = {}): TimelineLine => ({
  kind,
  at,
  by: { kind: 'system' },
  text: kind,
  data: {},
  ...more,
})

type Bag = DeskOrder['bookings'][number]
const bags = (...states: Bag['state'][]) =>
  states.map((state) => ({ state, newsBy: null, stoppedAt: null })) as DeskOrder['bookings']
const now = Date.parse('2027-05-19T11:22:00.000Z')

describe('the lines', () => {
  it('stand under the day in Riyadh on which they were recorded', () => {
    const lines = [
      line('note', '2027-05-18T21:00:00.000Z'),
      line('scan', '2027-05-18T20:00:00.000Z', { data: { recordedAt: '2027-05-18T21:00:00.000Z' } }),
      line('note', '2027-05-18T20:59:00.000Z'),
    ]
    expect(daysOf(lines).map(({ day, entries }) => [day, entries.length])).toEqual([
      ['2027-05-19', 2],
      ['2027-05-18', 1],
    ])
  })

  it('of programs fold into one, those of a day, but none that says something about the payment', () => {
    const noted = (seconds: string, source: string, outcome = 'noted', reported = 'succeeded') =>
      line('payment-noted', `2027-05-14T17:10:${seconds}.000Z`, {
        text: outcome,
        data: { source, outcome, reported },
      })
    const [day] = daysOf([
      noted('50', 'callback'),
      noted('40', 'inquiry'),
      line('label-requested', '2027-05-14T17:10:30.000Z'),
      noted('20', 'callback', 'reference-mismatch'),
      noted('10', 'callback', 'noted', 'pending'),
      noted('00', 'callback'),
    ])
    expect(day?.entries.map((entry) => ('folded' in entry ? entry.folded.length : 'line'))).toEqual([
      3,
      'line',
      'line',
      1,
    ])
    const [first] = day?.entries ?? []
    expect(first && 'folded' in first && countsOf(first.folded)).toEqual([
      { kind: 'callback', count: 1 },
      { kind: 'inquiry', count: 1 },
      { kind: 'request', count: 1 },
    ])
  })

  it('that say the same in a row are one, with the newest time and how many', () => {
    const [day] = daysOf([
      line('note', '2027-05-14T17:03:00.000Z'),
      line('note', '2027-05-14T17:02:00.000Z'),
      line('note', '2027-05-14T17:01:00.000Z', { text: 'another note' }),
      line('note', '2027-05-14T17:00:00.000Z'),
    ])
    expect(day?.entries.map((entry) => 'line' in entry && [entry.line.at, entry.times])).toEqual([
      ['2027-05-14T17:03:00.000Z', 2],
      ['2027-05-14T17:01:00.000Z', 1],
      ['2027-05-14T17:00:00.000Z', 1],
    ])
  })

  it('of messages that were sent and arrived fold into one, but no single one and none that failed', () => {
    const [day] = daysOf([
      line('message-delivered', '2027-05-14T17:05:00.000Z'),
      line('message-sent', '2027-05-14T17:04:00.000Z'),
      line('label-requested', '2027-05-14T17:03:00.000Z'),
      line('message-failed', '2027-05-14T17:02:00.000Z'),
      line('message-sent', '2027-05-14T17:01:00.000Z'),
    ])
    expect(
      day?.entries.map((entry) => ('folded' in entry ? countsOf(entry.folded) : entry.line.kind)),
    ).toEqual([
      [
        { kind: 'sent', count: 1 },
        { kind: 'delivered', count: 1 },
      ],
      [{ kind: 'request', count: 1 }],
      'message-failed',
      'message-sent',
    ])
  })

  it('are each of one part, also those of a newer server', () => {
    const of = (kind: string, data: TimelineLine['data'] = {}) => {
      const { part, tone } = lookOf({ kind, data })
      return `${part} ${tone}`
    }
    expect([
      of('paid'),
      of('payment-noted', { outcome: 'noted', reported: 'pending' }),
      of('payment-noted', { outcome: 'noted', reported: 'captured' }),
      of('payment-noted', { outcome: 'second-payment', reported: 'succeeded' }),
      of('scan', { scan: 'at-branch' }),
      of('scan', { scan: 'unknown' }),
      of('claim-answered'),
      of('approval-decided', { outcome: 'refused' }),
      of('bag-weighed'),
      of('weighed'),
    ]).toEqual([
      'money good',
      'money waiting',
      'money plain',
      'money bad',
      'bag good',
      'bag waiting',
      'messages waiting',
      'desk person',
      'bag note',
      'desk person',
    ])
  })
})

const refundsOf = (...states: readonly ('asked' | 'done')[]) => {
  const refunds = states.map((state) => ({
    transactionId: '1',
    state,
    reason: 'operator',
    amountHalalas: 5000,
    orderedAt: '2027-05-17T08:00:00.000Z',
    doneAt: null,
  }))
  return [{ refunds }] as unknown as DeskOrder['payments']
}

describe('the alarm', () => {
  const held = line('scan', '2027-05-18T08:00:00.000Z', { data: { scan: 'exception' } })
  const checked = line('bag-checked', '2027-05-18T09:00:00.000Z')

  it('is the scan that holds a bag up, until staff have checked it or it goes on', () => {
    const of = (state: Bag['state'], ...timeline: TimelineLine[]) =>
      alarmOf({ timeline, bookings: bags(state) }, now)
    expect(of('EXCEPTION', line('paid', held.at), held)).toBe(held)
    expect(of('EXCEPTION', held, checked)).toBe(held)
    expect(of('EXCEPTION', checked, held)).toBeUndefined()
    expect(of('AT_BRANCH', held)).toBeUndefined()
  })

  it('is the silence of a bag since it was last heard of, once news is overdue', () => {
    const of = (newsBy: string | null) =>
      alarmOf(
        {
          timeline: [],
          bookings: [{ ...bags('IN_TRANSIT')[0], newsBy, lastEventAt: '2027-05-17T11:22:00.000Z' } as Bag],
        },
        now,
      )
    expect(of('2027-05-18T11:22:00.000Z')).toEqual({ silentMs: 48 * 3_600_000 })
    expect([of('2027-05-20T07:22:00.000Z'), of(null)]).toEqual([undefined, undefined])
  })
})

it('waits for an airway bill, for news of a bag on its way, and for money on its way back', () => {
  const bookings = [
    { newsBy: '2027-05-18T09:00:00.000Z', awb: '222735133983' },
    { newsBy: '2027-05-18T07:22:00.000Z', awb: '222735133983' },
    { newsBy: null, awb: null },
  ] as DeskOrder['bookings']
  const payments = refundsOf('asked', 'done')
  const rows = [
    { kind: 'bags', id: '9', dueAt: '2027-05-16T21:00:00.000Z' },
    { kind: 'claims', id: '118', dueAt: '2027-05-26T21:00:00.000Z' },
  ] as const
  const paidAt = '2027-05-16T17:11:00.000Z'
  const label = { kind: 'label', at: Date.parse('2027-05-16T17:26:00.000Z') }
  expect(deadlinesOf({ status: 'REFUNDED', paidAt, bookings, payments: [] }, [])).toHaveLength(1)
  const voided = bags('CANCELLED').map((bag) => ({ ...bag, awb: null }))
  expect(deadlinesOf({ status: 'PAID', paidAt, bookings: voided, payments: [] }, [])).toEqual([])
  expect(deadlinesOf({ status: 'PAID', paidAt, bookings, payments }, rows)).toEqual([
    label,
    { kind: 'refund', at: Date.parse('2027-05-17T14:00:00.000Z') },
    { kind: 'news', at: Date.parse('2027-05-18T07:22:00.000Z') },
    { kind: 'claim', number: 'CL-118', at: Date.parse('2027-05-26T21:00:00.000Z') },
  ])
})

it('goes on with the payment, then with each bag by its own way', () => {
  expect(nextStepsOf({ status: 'PENDING_PAYMENT', bookings: bags(null) })).toEqual(['PAYMENT'])
  const of = (...states: Bag['state'][]) => nextStepsOf({ status: 'PAID', bookings: bags(...states) })
  expect([of('IN_TRANSIT', 'IN_TRANSIT'), of('AT_BRANCH', 'COLLECTED'), of('READY', 'IN_TRANSIT')]).toEqual([
    ...[['IN_TRANSIT'], ['AT_BRANCH'], ['READY', 'IN_TRANSIT']],
  ])
  expect(nextStepsOf({ status: 'CANCELLED', bookings: bags('CANCELLED', null) })).toEqual([])
})

it('what has happened since is the line that was not there, wherever it stands', () => {
  const [newest, oldest] = [
    line('note', '2027-05-19T08:00:00.000Z'),
    line('collected', '2027-05-18T08:00:00.000Z'),
  ]
  const late = line('at-branch', '2027-05-18T07:00:00.000Z')
  expect(newLineOf([newest, oldest], [newest, oldest, late])).toBe(late)
  const twin = { ...newest }
  expect(newLineOf([newest, oldest], [newest, twin, oldest])).toBe(twin)
  expect(newLineOf([newest, oldest], [{ ...newest }, { ...oldest }])).toBeUndefined()
  expect(newLineOf([newest, oldest], [oldest])).toBeUndefined()
})
