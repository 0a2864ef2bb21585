import { describe, expect, it } from 'vitest'
import { faultRules, faultText } from '#server/features/messages/messages.rules.ts'
import { ProviderRefusal } from '#server/features/payments/payments.provider.ts'
import { ShipmentRefusal } from '#server/features/shipments/shipments.provider.ts'
import { reasonOf } from '#server/platform/database/leases.ts'
import { OutcomeUnknownError, UnreachableError } from '#server/platform/unreachable.ts'
import { hour, minute, noon } from '#test/kit/basics/clock.ts'
import {
  afterDeskHours,
  agentItems,
  approvalItems,
  bagItems,
  claimItems,
  isStale,
  labelItems,
  messageItems,
  paymentItems,
  refundItems,
  type WorkReason,
  waitsFor,
} from './work.rules.ts'
import { workText } from './work.texts.ts'

const shown = (items: ReturnType<typeof bagItems>) =>
  items.map(({ reference, reason, since, dueAt }) => [reference, reason, since - noon, dueAt - noon])

const label = (id: number, change: { stopped_at?: number; paid_at?: number }) => ({
  id,
  order_id: id,
  creations: 3,
  last_error: 'busy',
  stopped_at: null,
  paid_at: noon,
  ...change,
})
const alarm = (booking_id: number, kind: 'missing' | 'damaged' | 'returning', noticed_at: number) => ({
  booking_id,
  order_id: 1,
  kind,
  code: 'X',
  place: 'Riyadh',
  noticed_at,
})
const message = (id: number, change: object) => ({
  id,
  order_id: 1,
  booking_id: 0,
  kind: 'paid' as const,
  state: 'failed' as const,
  last_error: null,
  ended_at: noon,
  ...change,
})
const majed = { issuer: 'https://id.example', subject: 'u-2' }
const approval = (id: number, change: object) => ({
  id,
  order_id: 1,
  act: 'refund' as const,
  halalas: 5_000,
  asked_at: noon,
  asked_by: 'Majed',
  asked_issuer: majed.issuer,
  asked_subject: majed.subject,
  ...change,
})
const claim = (id: number, change: object) => ({
  id,
  order_id: 1,
  booking_id: 1,
  kind: 'lost' as const,
  opened_at: noon,
  answer_by: noon + hour,
  late_since: null,
  ...change,
})

describe('the order of a list', () => {
  it('has stopped labels first, then those that were paid long ago', () => {
    const stopped = [label(1, { stopped_at: noon + 5 }), label(2, { stopped_at: noon + 2 })]
    const late = [label(3, { paid_at: noon + 1 }), label(4, { paid_at: noon })]
    expect(shown(labelItems(stopped, late))).toEqual([
      ['2', 'label-stopped', 2, 2 + 15 * minute],
      ['1', 'label-stopped', 5, 5 + 15 * minute],
      ['4', 'label-late', 0, 15 * minute],
      ['3', 'label-late', 1, 1 + 15 * minute],
    ])
  })

  it('has the largest sum first, then the oldest, of what was reported and what was found', () => {
    const event = (id: number, amount_halalas: number, received_at: number) => ({
      id,
      order_id: null,
      transaction_id: 'T',
      outcome: 'unknown-order' as const,
      currency: 'SAR',
      amount_halalas,
      received_at,
    })
    const found = [{ id: 1, order_id: 3, amount_halalas: 9_000, noticed_at: noon + 3 }]
    expect(shown(paymentItems([event(1, 5_000, noon + 1), event(2, 5_000, noon)], found))).toEqual([
      ['f1', 'hidden', 3, 3 + hour],
      ['e2', 'unknown-order', 0, hour],
      ['e1', 'unknown-order', 1, 1 + hour],
    ])
  })

  it('has one row for a bag: its worst alarm since its first, and those that are worst before older ones', () => {
    const alarms = [alarm(1, 'returning', noon), alarm(2, 'damaged', noon + 1), alarm(1, 'missing', noon + 2)]
    const silent = [
      { booking_id: 2, order_id: 1, heard_at: noon - 3 },
      { booking_id: 3, order_id: 1, heard_at: noon - 2 },
    ]
    expect(shown(bagItems(alarms, silent, 20 * hour))).toEqual([
      ['1', 'missing', 0, 24 * hour],
      ['2', 'damaged', -3, 20 * hour - 3],
      ['3', 'silent', -2, 20 * hour - 2],
    ])
  })

  it('has a bag that waits at its branch before other news, and no order where a message is of none', () => {
    const rows = [
      message(1, { order_id: 0 }),
      message(2, { kind: 'at-branch', booking_id: 8, state: 'dropped', ended_at: noon + 1 }),
    ]
    expect(shown(messageItems(rows))).toEqual([
      ['2', 'message-late', 1, 1 + 4 * hour],
      ['1', 'message-failed', 0, 4 * hour],
    ])
    expect(messageItems(rows).map(({ orderId, bookingId }) => [orderId, bookingId])).toEqual([
      [1, 8],
      [null, undefined],
    ])
  })

  it('has the agent who is free first first, and none of them is late', () => {
    const row = { phone: '+966500000101', partner_agent_id: 'A01', name: 'علي', noticed_at: noon }
    const items = agentItems([
      { ...row, id: 1, wrong_codes: 10, sends: 4, ends_at: noon + 24 * hour },
      { ...row, id: 2, wrong_codes: 3, sends: 10, ends_at: noon + 20 * hour },
    ])
    expect(shown(items)).toEqual([
      ['1', 'agent', 0, 24 * hour],
      ['2', 'agent', 0, 20 * hour],
    ])
    expect(items[0]).toMatchObject({ orderId: null, data: { agent: 'A01', phone: '+966 ••••• 0101' } })
    expect(items[0] && workText(items[0], 'en')).toBe(
      'علي: the number is at the limit of the day, 4 codes sent, 10 wrong codes. A new device has to be let in',
    )
  })

  it('has the claim that is due first, by the day that was promised first; and refunds by age', () => {
    const rows = [claim(1, {}), claim(2, { answer_by: noon + 9 * hour, late_since: noon })]
    expect(shown(claimItems(rows))).toEqual([
      ['2', 'claim', 0, 0],
      ['1', 'claim', 0, hour],
    ])
    const refund = {
      order_id: 1,
      amount_halalas: 5_000,
      currency: 'SAR',
      state: 'due' as const,
      last_error: null,
    }
    expect(
      shown(
        refundItems([
          { ...refund, id: 1, created_at: noon + 1 },
          { ...refund, id: 2, created_at: noon },
        ]),
      ),
    ).toEqual([
      ['2', 'refund-late', 0, 6 * hour],
      ['1', 'refund-late', 1, 1 + 6 * hour],
    ])
  })
})

describe('what needs a second person', () => {
  const items = approvalItems([approval(2, { asked_at: noon + 1 }), approval(1, {})])

  it('is the oldest first', () => {
    expect(shown(items)).toEqual([
      ['1', 'approval', 0, 4 * hour],
      ['2', 'approval', 1, 1 + 4 * hour],
    ])
  })

  it.each([
    [{ ...majed, roles: ['money'] }, 0],
    [{ ...majed, roles: ['lead'] }, 0],
    [{ ...majed, issuer: 'https://other.example', roles: ['money'] }, 2],
    [{ ...majed, subject: 'u-3', roles: ['lead'] }, 2],
    [{ ...majed, subject: 'u-3', roles: ['support', 'money'] }, 2],
    [{ ...majed, subject: 'u-3', roles: ['support'] }, 0],
  ] as const)('waits for those who may decide it, and not for the requester: %j', (person, count) => {
    expect(items.filter(waitsFor(person))).toHaveLength(count)
  })

  it.each([
    ['08:00', '12:00', 0],
    ['21:00', '11:00', 1],
    ['23:30', '12:00', 1],
    ['03:00', '12:00', 0],
    ['18:00', '22:00', 0],
  ])('is late after four hours between 8 and 22 in Riyadh: asked at %s, at %s', (asked, due, days) => {
    const at = (time: string, date: number) => Date.parse(`2027-05-${date}T${time}:00+03:00`)
    expect(afterDeskHours(at(asked, 18))).toBe(at(due, 18 + days))
  })
})

it('an hour without a move is an hour', () => {
  expect([isStale({ moved_at: noon }, noon + hour - 1), isStale({ moved_at: noon }, noon + hour)]).toEqual([
    false,
    true,
  ])
})

it('says what went wrong in the words of the reader, whatever the services and we said', () => {
  const told = [
    new ShipmentRefusal(400, []),
    new OutcomeUnknownError('the shipping partner answered 500 to create', { status: 500 }),
    'the answer holds no PDF',
    new ProviderRefusal('refund', 401, {}),
    new OutcomeUnknownError('refund: unreadable answer'),
    new UnreachableError('POST /shipments', { cause: new Error('fetch failed') }),
    new UnreachableError('shipping: circuit open', { cause: new Error('Breaker is open') }),
    new TypeError('not a function'),
  ].map(reasonOf)
  const faults = Object.keys(faultRules).map((reason) =>
    faultText({ reason: reason as keyof typeof faultRules, code: 30_005 }),
  )
  const texts = [...told, ...faults].flatMap((reason) =>
    (['label-stopped', 'label-late', 'refund-late', 'message-failed'] as const).map((about) =>
      workText(
        { reason: about, data: { tries: 2, amount: 5_000, currency: 'SAR', about: 'paid', reason } },
        'ar',
      ),
    ),
  )
  expect(texts.filter((text) => /\p{Script=Latin}/u.test(text))).toEqual([])
  expect(workText({ reason: 'label-stopped', data: { tries: 2, reason: told[1] ?? '' } }, 'ar')).toBe(
    'توقف إصدار البوليصة بعد محاولتين، ويحتاج إلى قرار: لم ينجح ما طُلب من شريك الشحن (\u2068500\u2069)',
  )
  const refused = reasonOf(new ShipmentRefusal(400, ['Weight']))
  expect(workText({ reason: 'label-late', data: { reason: refused } }, 'en')).toBe(
    'Paid, and no airway bill yet: refused by the shipping partner (\u2068400: Weight\u2069)',
  )
})

it.each([
  [1, 'محاولة واحدة', '1 try'],
  [2, 'محاولتين', '2 tries'],
  [3, '3 محاولات', '3 tries'],
  [11, '11 محاولة', '11 tries'],
])('counts %i tries', (tries, ar, en) => {
  const item = { reason: 'label-stopped', data: { tries } } as const
  expect(workText(item, 'ar')).toBe(`توقف إصدار البوليصة بعد ${ar}، ويحتاج إلى قرار`)
  expect(workText(item, 'en')).toBe(`Airway bill stopped after ${en}, needs a person`)
})

it('names the transaction of a payment that has no order', () => {
  const event = { id: 1, order_id: null, transaction_id: '192036465', outcome: 'unknown-order' as const }
  const [item] = paymentItems([{ ...event, currency: 'SAR', amount_halalas: 5_000, received_at: noon }], [])
  expect(item && workText(item, 'en')).toBe(
    'A payment of SAR 50.00 for no order of ours, transaction 192036465',
  )
  expect(item && workText(item, 'ar')).toBe('دفعة 50.00 ر.س لا تخص طلبًا معروفًا، العملية 192036465')
})

it('says why in both languages, also without any fact', () => {
  const reasons = Object.keys({
    'label-stopped': 1,
    'label-late': 1,
    'refund-late': 1,
    'reference-mismatch': 1,
    'unknown-order': 1,
    'partial-refund': 1,
    hidden: 1,
    damaged: 1,
    destroyed: 1,
    missing: 1,
    cancelled: 1,
    returning: 1,
    contradiction: 1,
    'not-of-this-bag': 1,
    'future-time': 1,
    silent: 1,
    'message-failed': 1,
    'message-late': 1,
    claim: 1,
    agent: 1,
    approval: 1,
  } satisfies Record<WorkReason, number>) as WorkReason[]
  for (const language of ['ar', 'en'] as const) {
    const texts = reasons.map((reason) =>
      workText({ reason, data: { amount: 5_000, currency: 'SAR' } }, language),
    )
    expect(texts.filter((text) => text === '' || /undefined|null|NaN|\{/.test(text))).toEqual([])
    for (const text of texts) expect(/\p{Script=Arabic}/u.test(text), text).toBe(language === 'ar')
    expect(new Set(texts).size).toBe(reasons.length)
  }
  const unsent = { reason: 'message-late', data: { about: 'paid', reason: 'too late' } } as const
  expect(workText(unsent, 'ar')).toBe('لم تُرسل رسالة «تم الدفع» في وقتها')
  const lost = claimItems([claim(118, {})])[0]
  expect(lost && workText(lost, 'en')).toBe('Claim CL-118: lost')
  const [refund, receiver] = approvalItems([approval(1, {}), approval(2, { act: 'receiver', halalas: 0 })])
  expect(refund && workText(refund, 'en')).toBe('Majed asks for refund: SAR 50.00')
  expect(receiver && workText(receiver, 'en')).toBe('Majed asks for receiver')
})
