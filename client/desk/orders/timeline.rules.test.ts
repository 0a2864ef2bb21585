import { describe, expect, it } from 'vitest'
import { type DeskOrder, type TimelineLine, timelineKinds } from '#shared/desk-orders/desk-orders.schemas.ts'
import { countsOf, daysOf, deadlinesOf, hoursSilent, lookOf, worstAlarm } from './timeline.rules.ts'

const line = (kind: string, at: string, more: Partial<TimelineLine> = {}): TimelineLine => ({
  kind: kind as TimelineLine['kind'],
  at,
  by: { kind: 'system' },
  text: kind,
  data: {},
  ...more,
})

type Bag = DeskOrder['bookings'][number]
const bags = (...states: Bag['state'][]) => states.map((state) => ({ state })) as DeskOrder['bookings']

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
    expect(lookOf('payment-hidden')).toMatchObject({ part: 'money', tone: 'bad' })
    expect(lookOf('claim-answered').part).toBe('messages')
    expect(lookOf('of-a-newer-server').part).toBe('desk')
  })
})

const refundsOf = (...states: readonly ('asked' | 'done')[]) => {
  const refunds = states.map((state) => ({
    ...{ transactionId: '1', state, reason: 'operator', amountHalalas: 5000 },
    ...{ orderedAt: '2027-05-17T08:00:00.000Z', doneAt: null },
  }))
  return [{ refunds }] as unknown as DeskOrder['payments']
}

describe('the worst alarm', () => {
  const silent = line('silent', '2027-05-18T07:22:00.000Z', { data: { hours: 20 } })
  const stuck = line('exception', '2027-05-18T08:00:00.000Z')
  const overdue = line('refund-overdue', '2027-05-19T08:00:00.000Z')

  it.each([
    ['the worst, not the newest', [overdue, silent], 'IN_TRANSIT', 'silent'],
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
    const payments = refundsOf('asked')
    expect(worstAlarm({ timeline: [...timeline], bookings: bags(state), payments })?.kind).toBe(expected)
  })

  it('an overdue refund is none once the money is back', () => {
    const of = (state: 'asked' | 'done') =>
      worstAlarm({ timeline: [overdue], bookings: bags('READY'), payments: refundsOf(state) })?.kind
    expect([of('asked'), of('done')]).toEqual(['refund-overdue', undefined])
  })

  it('counts the silence from the last news', () => {
    expect(hoursSilent(silent, Date.parse('2027-05-19T11:22:00.000Z'))).toBe(48)
  })
})

it('waits for news of a bag on its way, and for money on its way back', () => {
  const bookings = [{ newsBy: '2027-05-18T07:22:00.000Z' }, { newsBy: null }] as DeskOrder['bookings']
  const payments = refundsOf('asked', 'done')
  expect(deadlinesOf({ bookings, payments })).toEqual([
    { kind: 'refund', at: Date.parse('2027-05-17T14:00:00.000Z') },
    { kind: 'news', at: Date.parse('2027-05-18T07:22:00.000Z') },
  ])
})
