import { describe, expect, it } from 'vitest'
import { type DeskOrder, type TimelineLine, timelineKinds } from '#shared/desk-orders/desk-orders.schemas.ts'
import {
  countsOf,
  daysOf,
  deadlinesOf,
  hoursSilent,
  lookOf,
  newLineOf,
  nextStepsOf,
  worstAlarm,
} from './timeline.rules.ts'

const line = (kind: string, at: string, more: Partial<TimelineLine> = {}): TimelineLine => ({
  kind: kind as TimelineLine['kind'],
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
  it('stand under their day in Riyadh', () => {
    const lines = [line('note', '2027-05-18T21:00:00.000Z'), line('collected', '2027-05-18T20:59:00.000Z')]
    expect(daysOf(lines).map(({ day }) => day)).toEqual(['2027-05-19', '2027-05-18'])
  })

  it('of machines fold into one, those of a day; a failed one never does', () => {
    const [day] = daysOf([
      line('callback', '2027-05-14T17:11:00.000Z', { data: { failed: false } }),
      line('inquiry', '2027-05-14T17:10:30.000Z'),
      line('callback', '2027-05-14T17:10:20.000Z'),
      line('callback', '2027-05-14T17:10:10.000Z', { data: { failed: true } }),
      line('callback', '2027-05-14T17:10:00.000Z'),
    ])
    expect(day?.entries.map((entry) => ('folded' in entry ? entry.folded.length : 'line'))).toEqual([
      3,
      'line',
      1,
    ])
    const [first] = day?.entries ?? []
    expect(first && 'folded' in first && countsOf(first.folded)).toEqual([
      { kind: 'callback', count: 2 },
      { kind: 'inquiry', count: 1 },
    ])
  })

  it('that say the same in a row are one, with the newest time and how many', () => {
    const [day] = daysOf([
      line('code-sent', '2027-05-14T17:03:00.000Z'),
      line('code-sent', '2027-05-14T17:02:00.000Z'),
      line('code-sent', '2027-05-14T17:01:00.000Z', { text: 'another channel' }),
      line('code-sent', '2027-05-14T17:00:00.000Z'),
    ])
    expect(day?.entries.map((entry) => 'line' in entry && [entry.line.at, entry.times])).toEqual([
      ['2027-05-14T17:03:00.000Z', 2],
      ['2027-05-14T17:01:00.000Z', 1],
      ['2027-05-14T17:00:00.000Z', 1],
    ])
  })

  it('are each of one part', () => {
    const ofDesk = timelineKinds.filter((kind) => lookOf(kind).part === 'desk')
    const approvals = ['asked', 'approved', 'refused', 'overtaken', 'expired'].map((end) => `approval-${end}`)
    expect(ofDesk).toEqual([
      ...[...approvals, 'taken', 'released', 'handed', 'settled'],
      ...['note', 'revealed', 'deleted', 'action'],
    ])
    const ofSignIn = ['code-refused', 'code-sent', 'locked', 'unlocked']
    expect(ofSignIn.filter((kind) => lookOf(kind).part !== 'messages')).toEqual([])
    expect(lookOf('payment-hidden')).toMatchObject({ part: 'money', tone: 'bad' })
    expect(lookOf('claim-answered').part).toBe('messages')
    expect(lookOf('of-a-newer-server').part).toBe('desk')
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

describe('the worst alarm', () => {
  const silent = line('silent', '2027-05-18T07:22:00.000Z', { data: { hours: 20 } })
  const stuck = line('exception', '2027-05-18T08:00:00.000Z')
  const overdue = line('refund-overdue', '2027-05-19T08:00:00.000Z')

  type Order = Parameters<typeof worstAlarm>[0]
  const worstOf = (timeline: TimelineLine[], more: Partial<Order> = {}) =>
    worstAlarm({ timeline, bookings: bags('READY'), payments: [], alerts: [], ...more }, now)
  const alarmOf = (...order: Parameters<typeof worstOf>) => worstOf(...order)?.kind

  it.each([
    ['the worst, not the newest', [overdue, stuck], 'EXCEPTION', 'exception'],
    ['an obstacle that is behind the bag is none', [stuck], 'AT_BRANCH', undefined],
    ['an obstacle', [stuck], 'EXCEPTION', 'exception'],
    [
      'one that was checked since',
      [line('checked', '2027-05-18T09:00:00.000Z'), stuck],
      'EXCEPTION',
      undefined,
    ],
    ['one after the check', [stuck, line('checked', '2027-05-18T07:00:00.000Z')], 'EXCEPTION', 'exception'],
    [
      'a strange scan of a bag on its way',
      [line('unknown', '2027-05-18T08:00:00.000Z')],
      'IN_TRANSIT',
      'unknown',
    ],
    ['… and of one that is collected', [line('unknown', '2027-05-18T08:00:00.000Z')], 'COLLECTED', undefined],
    ['a callback', [line('callback', '2027-05-18T08:00:00.000Z')], 'READY', undefined],
  ] as const)('%s', (_, timeline, state, expected) => {
    expect(alarmOf([...timeline], { bookings: bags(state), payments: refundsOf('asked') })).toBe(expected)
  })

  it('an overdue refund is none once the money is back', () => {
    const of = (state: 'asked' | 'done') => alarmOf([overdue], { payments: refundsOf(state) })
    expect([of('asked'), of('done')]).toEqual(['refund-overdue', undefined])
  })

  it('an airway bill that stopped is none once it waits for no person, and hides no other', () => {
    const stopped = line('label-stopped', '2027-05-14T17:20:00.000Z')
    const of = (stoppedAt: string | null) =>
      alarmOf([stuck, stopped], { bookings: [{ ...bags('EXCEPTION')[0], stoppedAt } as Bag] })
    expect([of(stopped.at), of(null)]).toEqual(['label-stopped', 'exception'])
  })

  it('silence is none once there was news', () => {
    const of = (newsBy: string | null) =>
      alarmOf([silent], { bookings: [{ ...bags('IN_TRANSIT')[0], newsBy } as Bag] })
    expect([of(silent.at), of('2027-05-20T07:22:00.000Z'), of(null)]).toEqual([
      'silent',
      undefined,
      undefined,
    ])
  })

  it('a report that needs a person is none once one has seen it', () => {
    const of = (seen: boolean) => alarmOf([line('callback', silent.at, { data: { failed: true, seen } })])
    expect([of(false), of(true)]).toEqual(['callback', undefined])
    const report = (failed: boolean, at: string) =>
      line('callback', at, { data: { transaction: 'T1', failed } })
    const wrong = report(true, '2027-05-18T08:00:00.000Z')
    expect(alarmOf([report(false, '2027-05-18T09:00:00.000Z'), wrong])).toBeUndefined()
  })

  it('an open alert stands wherever the bag is by now; another bag’s line is not meant', () => {
    const [at, leg] = [stuck.at, 2]
    const damaged = line('exception', at, { data: { leg } })
    const strange = line('contradiction', at, { data: { leg } })
    const of = (told: TimelineLine, kind: string, state: Bag['state']) =>
      worstOf([{ ...told, data: { leg: 1 } }, told], { alerts: [{ leg, kind, at }], bookings: bags(state) })
    expect(of(damaged, 'damaged', 'IN_TRANSIT')).toBe(damaged)
    expect(of(strange, 'contradiction', 'COLLECTED')).toBe(strange)
    expect(alarmOf([strange], { bookings: bags('IN_TRANSIT') })).toBeUndefined()
  })

  it('counts the silence from the last news', () => {
    expect(hoursSilent(silent, Date.parse('2027-05-19T11:22:00.000Z'))).toBe(48)
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
