import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '#server/features/history/history.ts'
import type { ClaimOutcome } from '#shared/claims/claims.schemas.ts'
import { timelineKinds } from '#shared/desk-orders/desk-orders.schemas.ts'
import { messageKinds } from '#shared/messages/messages.schemas.ts'
import { hour, minute, noon } from '#test/kit/clock.ts'
import { type Line, newsDueAt, timelineOf } from './timeline.rules.ts'
import type { TimelineFacts } from './timeline.store.ts'
import { timelineText } from './timeline.texts.ts'

const order: TimelineFacts['order'] = {
  id: 5,
  user_id: 7,
  type: 'FROM_MINA',
  payment: 'paid',
  ended: null,
  ended_at: null,
  amount_halalas: 5_000,
  currency: 'SAR',
  agent_code: 'A01',
  center_code: '1',
  transaction_id: 'T1',
  created_at: noon,
  paid_at: null,
  handed_over: 'none',
  phone: '+966512344678',
  terms_version: null,
  terms_language: null,
  search_text: null,
}
const limits = { refundMs: 6 * hour, silenceMs: 30 * hour, wrongCodes: 20 }
const bag: TimelineFacts['bags']['bookings'][number] = {
  id: 1,
  leg: 0,
  awb: null,
  state: 'waiting',
  stopped_at: null,
  creations: 0,
  last_error: null,
  reference: 'AM-1',
  stored_at: null,
  heard_at: null,
  issued_at: null,
  checked_at: null,
  destination: JSON.stringify({
    city: 'Jeddah',
    addressAR: 'حي الصفا',
    addressEN: 'Al Safa',
    coordinates: null,
  }),
}
const empty: TimelineFacts = {
  order,
  bags: { bookings: [bag], events: [], alerts: [] },
  money: { attempts: [], events: [], refunds: [], findings: [] },
  people: {
    messages: [],
    codes: [],
    locks: [],
    notes: [],
    approvals: [],
    actions: [],
    claims: [],
    claimEvents: [],
  },
  history: { order: [], account: [] },
}

/** An event of the order and its bag. */
const happened = (
  at: number,
  kind: StoredEvent['kind'],
  by: StoredEvent['by'],
  data: object = {},
): StoredEvent => ({
  id: at,
  key: null,
  at,
  recordedAt: at,
  by,
  bookingId: bag.id,
  ...({ kind, data } as Pick<StoredEvent & { kind: 'order-expired' }, 'kind' | 'data'>),
})

/** Kind, actor and English text, without the creation of the order. */
function told(
  change: { readonly [K in keyof TimelineFacts]?: Partial<TimelineFacts[K]> },
  now = noon + 100 * hour,
) {
  const facts: TimelineFacts = {
    order: { ...empty.order, ...change.order },
    bags: { ...empty.bags, ...change.bags },
    money: { ...empty.money, ...change.money },
    people: { ...empty.people, ...change.people },
    history: { ...empty.history, ...change.history },
  }
  return timelineOf(facts, [], now, limits)
    .filter(({ kind }) => kind !== 'order-created')
    .map((line) => [line.kind, line.by.kind, timelineText(line, 'en')])
}

const event = (change: Partial<TimelineFacts['bags']['events'][number]>) => ({
  id: 1,
  bookingId: 1,
  key: 'k',
  kind: 'in-transit' as const,
  source: 'courier' as const,
  at: noon,
  recordedAt: noon,
  place: 'Jeddah',
  code: 'HOP',
  text: 'At hub',
  ...change,
})
const report = (change: Partial<TimelineFacts['money']['events'][number]>) => ({
  id: 1,
  transaction_id: 'T1',
  kind: 'succeeded' as const,
  attempt_id: 1,
  source: 'callback' as const,
  outcome: 'applied' as const,
  amount_halalas: 5_000,
  currency: 'SAR',
  body: '{}',
  received_at: noon,
  seen_at: null,
  ...change,
})
const refund = (change: Partial<TimelineFacts['money']['refunds'][number]>) => ({
  id: 1,
  transaction_id: 'T1',
  attempt_id: 1,
  amount_halalas: 5_000,
  currency: 'SAR',
  tries: 0,
  reason: 'cancelled' as const,
  state: 'due' as const,
  created_at: noon,
  asked_at: null,
  done_at: null,
  refused_at: null,
  due_at: null,
  lease: null,
  leased_until: 0,
  last_error: null,
  written_off_at: null,
  ...change,
})
const message = (change: Partial<TimelineFacts['people']['messages'][number]>) => ({
  refund_id: 0,
  claim_id: 0,
  event_id: 0,
  id: 1,
  booking_id: 0,
  kind: 'paid' as const,
  phone: '+966512344678',
  state: 'accepted' as const,
  push: null,
  asked_at: noon,
  created_at: noon,
  ended_at: null,
  last_error: null,
  first_try: null,
  ...change,
})

describe('the timeline', () => {
  it('says what a payment is, and names a report that is no step of its own a callback or an inquiry', () => {
    const reports = [
      report({}),
      report({ outcome: 'second-payment' }),
      report({ outcome: 'amount-mismatch', amount_halalas: 4_000 }),
      report({ kind: 'failed', outcome: 'noted', body: '{"data":{"message":"Do not honour"}}' }),
      report({ kind: 'failed', outcome: 'noted' }),
      report({ kind: 'pending', outcome: 'noted' }),
      report({ outcome: 'reference-mismatch' }),
      report({ kind: 'refunded', outcome: 'noted', source: 'inquiry' }),
    ].map((each, index) => ({ ...each, received_at: noon + index }))
    expect(told({ money: { events: reports } }).reverse()).toEqual([
      ['payment-succeeded', 'provider', 'Paid SAR 50.00'],
      ['payment-second', 'provider', 'Paid a second time SAR 50.00'],
      ['payment-wrong-amount', 'provider', 'SAR 40.00 paid instead of SAR 50.00'],
      ['payment-declined', 'provider', 'Card declined: Do not honour'],
      ['payment-declined', 'provider', 'Card declined'],
      ['payment-pending', 'provider', 'Pending at the bank'],
      ['callback', 'provider', 'Callback about T1: succeeded'],
      ['inquiry', 'system', 'Inquiry about T1: returned'],
    ])
    const strange = report({ outcome: 'reference-mismatch' })
    const events = [strange, { ...strange, seen_at: noon }]
    const callbacks = timelineOf({ ...empty, money: { ...empty.money, events } }, [], noon, limits)
    const facts = { failed: true, outcome: 'reference-mismatch', transaction: 'T1' }
    expect(callbacks.slice(0, 2).map(({ data }) => data)).toMatchObject([
      { ...facts, seen: true },
      { ...facts, seen: false },
    ])
  })

  it('has a line of its own for a scan whose time cannot be, with the time as it was written', () => {
    const alert = {
      booking_id: 1,
      event_key: 'a',
      code: 'DL',
      place: 'Jeddah',
      at: noon,
      noticed_at: noon + 1,
      closed_at: null,
    }
    const alerts = [
      { ...alert, id: 1, kind: 'not-of-this-bag' as const, text: '2024-06-20T10:00:00 +03:00' },
      { ...alert, id: 2, kind: 'future-time' as const, text: '2031-06-20T10:00:00 +03:00' },
    ]
    expect(told({ bags: { alerts } }).reverse()).toEqual([
      [
        'not-of-this-bag',
        'system',
        'Scan of another bag: DL, dated 2024-06-20T10:00:00 +03:00. Nothing changed',
      ],
      ['future-time', 'system', 'Scan dated in the future: DL, dated 2031-06-20T10:00:00 +03:00'],
    ])
  })

  it('says where a bag was, with the alarm of a scan beside it, and a contradiction of its own', () => {
    const alert = {
      id: 1,
      booking_id: 1,
      code: 'DMG',
      text: null,
      place: null,
      at: noon,
      noticed_at: noon + 9,
      closed_at: null,
    }
    const events = [
      event({ key: 'a', kind: 'handed-over', source: 'agent', place: 'وكيل منى · Mina Agent' }),
      event({ key: 'b', kind: 'not-accepted', source: 'agent', code: 'too-heavy', text: '17 kg' }),
      event({ key: 'c', kind: 'exception', code: 'DMG', text: null }),
      event({ key: 'd', kind: 'at-branch' }),
      event({ key: 'e', kind: 'cancelled', source: 'system' }),
      event({ key: 'f', kind: 'unknown', code: 'ZZ', text: null }),
    ].map((each, index) => ({ ...each, id: index, at: noon + index }))
    const alerts = [
      { ...alert, event_key: 'c', kind: 'damaged' as const },
      { ...alert, id: 2, event_key: 'd', kind: 'contradiction' as const, text: 'At branch' },
    ]
    expect(told({ bags: { events, alerts } }).reverse()).toEqual([
      ['handed-over', 'agent', 'Handed over: Mina Agent'],
      ['not-accepted', 'agent', 'Not accepted by the agent: too heavy, 17 kg'],
      ['exception', 'partner', 'Held up, Jeddah'],
      ['at-branch', 'partner', 'At branch Al Safa'],
      ['unknown', 'partner', 'Unknown scan: ZZ'],
      ['contradiction', 'system', 'Contradiction: At branch'],
    ])
    const lines = timelineOf({ ...empty, bags: { ...empty.bags, events, alerts } }, [], noon, limits)
    expect(lines.find(({ kind }) => kind === 'exception')?.data).toMatchObject({ alarm: 'damaged', leg: 1 })
  })

  it('says what lasts only once it lasts: a refund, and silence', () => {
    const open = {
      bags: { bookings: [{ ...bag, heard_at: noon }], events: [event({ at: noon })] },
      money: { refunds: [refund({})] },
      history: { order: [happened(noon + 1, 'refund-requested', { kind: 'system' }, { refundId: 1 })] },
    }
    const due = (heard_at: number | null, checked_at: number | null) =>
      newsDueAt({ heard_at, checked_at }, limits)
    expect([due(noon, null), due(noon, noon + hour), due(noon, noon - hour), due(null, noon)]).toEqual([
      ...[noon + 30 * hour, noon + 31 * hour, noon + 30 * hour, null],
    ])
    expect(told(open, noon + 6 * hour - 1).map(([kind]) => kind)).toEqual([
      'refund-requested',
      'refund-ordered',
      'in-transit',
    ])
    expect(told(open, noon + 30 * hour)).toEqual([
      ['silent', 'system', 'No news for 30 hours'],
      ['refund-overdue', 'system', 'SAR 50.00 not back for 6 hours'],
      ['refund-requested', 'system', 'SAR 50.00 asked back from the provider'],
      ['refund-ordered', 'owner', 'SAR 50.00 to go back: the order was cancelled'],
      ['in-transit', 'partner', 'At hub, Jeddah'],
    ])
    const done = {
      money: { refunds: [refund({ state: 'done', done_at: noon + 7 * hour, reason: 'operator' })] },
    }
    expect(told(done)).toEqual([
      ['refund-done', 'provider', 'SAR 50.00 is back'],
      ['refund-overdue', 'system', 'SAR 50.00 not back for 6 hours'],
      ['refund-ordered', 'staff', 'SAR 50.00 to go back: decided by the desk'],
    ])
  })

  it('goes on telling that an airway bill stopped and was issued when both are over', () => {
    const bookings = [{ ...bag, awb: '231200021879', creations: 3, issued_at: noon + 9 }]
    const order = [2, 3].map((creations) =>
      happened(noon + creations, 'label-escalated', { kind: 'system' }, { creations }),
    )
    expect(told({ bags: { bookings }, history: { order } })).toEqual([
      ['label-issued', 'partner', 'Airway bill 231200021879 issued'],
      ['label-stopped', 'system', 'Airway bill stopped after 3 tries, needs a person'],
      ['label-stopped', 'system', 'Airway bill stopped after 2 tries, needs a person'],
    ])
  })

  it('tells why an airway bill failed when it is issued, and what its owner changed since the order', () => {
    const [owner, courier] = [{ kind: 'owner' }, { kind: 'courier' }] as const
    const refused = (at: number, reason: string) =>
      happened(at, 'label-refused', courier, { personal: { reason } })
    const bookings = [{ ...bag, awb: '231200021879', issued_at: noon + 9 }]
    const order = [
      refused(noon, 'the shipping partner answered 500'),
      happened(noon + 1, 'receiver-changed', owner),
      // The act of staff is the line.
      happened(noon + 2, 'receiver-changed', { kind: 'operator', name: 'Sara' }),
      refused(noon + 6, 'GET /awb: no time left'),
      happened(noon + 7, 'receiver-changed', owner),
    ]
    const account = [
      happened(noon - 1, 'account-changed', owner, { change: 'name' }),
      happened(noon + 8, 'account-changed', owner, { change: 'name' }),
      happened(noon + 8, 'account-changed', owner, { change: 'phone' }),
    ]
    expect(told({ bags: { bookings }, history: { order, account } })).toEqual([
      ['label-issued', 'partner', 'Airway bill 231200021879 issued'],
      ['renamed', 'owner', 'Renamed'],
      ['receiver', 'owner', 'Receiver changed'],
      ['label-failed', 'partner', 'The airway bill failed: the service does not answer'],
      ['receiver', 'owner', 'Receiver changed'],
      [
        'label-failed',
        'partner',
        'The airway bill failed: the shipping partner did not do it (\u2068500\u2069)',
      ],
    ])
  })

  it('has a line for each end of a message, and neither a text nor a whole phone', () => {
    const sent = message({ state: 'delivered', ended_at: noon + minute })
    expect(told({ people: { messages: [sent] } })).toEqual([
      ['message-delivered', 'message-service', 'Message “paid” delivered'],
      ['message-sent', 'system', 'Message “paid” sent (SMS)'],
    ])
    const pushed = message({ push: 'accepted', asked_at: null, ended_at: noon })
    expect(told({ people: { messages: [pushed] } })).toEqual([
      ['message-sent', 'system', 'Message “paid” sent (push)'],
    ])
    const dropped = message({ state: 'dropped', asked_at: null, ended_at: noon, last_error: 'too late' })
    expect(told({ people: { messages: [dropped] } })).toEqual([
      ['message-dropped', 'system', 'Message “paid” not sent: too late'],
    ])
    const of = (change: Parameters<typeof message>[0]) => {
      const messages = [message({ ...sent, ...change })]
      const [line] = timelineOf({ ...empty, people: { ...empty.people, messages } }, [], noon, limits)
      return [line?.kind, line?.data.to, line?.data.channel]
    }
    expect(of({})).toEqual(['message-delivered', '+966 ••••• 4678', 'sms'])
    // After the phone and the text are gone.
    expect(of({ phone: '' })).toEqual(['message-delivered', null, 'sms'])
    expect(of({ phone: '', kind: 'documents' })).toEqual(['message-delivered', null, 'email'])
  })

  it('tells what was asked for and decided, by whom, and notes; what has a line has no second one', () => {
    const lulwa = { kind: 'staff', issuer: 'i', subject: 's', name: 'Lulwa', roles: ['lead'] } as const
    const action = (name: string, actor: string) => ({
      id: 1,
      at: noon,
      actor,
      actor_roles: 'money lead',
      action: name,
      order_id: 5,
      reason: 'lost bag',
      after: '{}',
    })
    const wish = (
      state: 'waiting' | 'approved' | 'refused' | 'overtaken' | 'expired',
      act: 'refund' | 'reissue',
    ) => ({
      id: 1,
      act,
      about: 'T1',
      halalas: act === 'refund' ? 5_000 : 0,
      state,
      reason: 'lost bag',
      asked_roles: 'money',
      decided_roles: 'lead',
      asked_at: noon,
      asked_by: 'Majed',
      expires_at: noon + 72 * hour,
      decided_by: 'Lulwa',
      decided_at: state === 'waiting' || state === 'expired' ? null : noon + 1,
      decision: state === 'refused' ? 'not lost' : state === 'overtaken' ? 'status' : null,
    })
    const asked = ['refund-asked', 'staff', 'SAR 50.00 back was asked for: lost bag']
    const approvals = (
      state: Parameters<typeof wish>[0],
      act: 'refund' | 'reissue' = 'refund',
      now = noon + hour,
    ) => told({ people: { approvals: [wish(state, act)] } }, now)
    expect(approvals('waiting')).toEqual([asked])
    expect(approvals('waiting', 'refund', noon + 72 * hour)).toEqual([
      ['refund-expired', 'system', 'The approval of the refund expired'],
      asked,
    ])
    expect(approvals('approved')).toEqual([
      ['refund-approved', 'staff', 'SAR 50.00 back was approved'],
      asked,
    ])
    expect(approvals('refused')).toEqual([
      ['refund-refused', 'staff', 'The refund was refused: not lost'],
      asked,
    ])
    expect(approvals('overtaken')[0]?.[2]).toBe(
      'The refund was overtaken: the status of the order has changed.',
    )
    expect(approvals('expired', 'reissue', noon + 80 * hour)).toEqual([
      ['approval-expired', 'system', 'Approval expired, another airway bill'],
      ['approval-asked', 'staff', 'Approval asked for, another airway bill: lost bag'],
    ])
    expect(
      told(
        {
          history: {
            order: [happened(noon + 2, 'order-cancelled', lulwa, { personal: { reason: 'lost bag' } })],
          },
          money: {
            refunds: [
              refund({ reason: 'operator' }),
              refund({ id: 2, state: 'done', done_at: noon + 1, written_off_at: noon + 1 }),
            ],
          },
          people: {
            notes: [{ id: 1, at: noon + 3, name: 'Sara', roles: 'support', text: 'She called.' }],
            actions: ['cancel', 'refund-approved', 'note', 'refund-asked', 'resend', 'receiver'].map((name) =>
              action(name, 'Lulwa'),
            ),
          },
        },
        noon + hour,
      ).map(([kind, , text]) => [kind, text]),
    ).toEqual([
      ['note', 'Note: She called.'],
      ['order-cancelled', 'Cancelled: lost bag'],
      ['refund-written-off', 'SAR 50.00 written off at the provider'],
      ['receiver', 'Receiver changed: lost bag'],
      ['action', 'Action: Messages sent again. Reason: lost bag'],
      ['refund-ordered', 'SAR 50.00 to go back: the order was cancelled'],
      ['refund-ordered', 'SAR 50.00 to go back: decided by the desk'],
    ])
    expect(
      told(
        {
          money: { refunds: [refund({ reason: 'operator' })] },
          people: { actions: [action('refund', 'Majed')] },
        },
        noon,
      ),
    ).toEqual([['refund-ordered', 'staff', 'SAR 50.00 to go back: decided by the desk. Reason: lost bag']])
    const [ordered] = timelineOf(
      {
        ...empty,
        money: { ...empty.money, refunds: [refund({ reason: 'operator' })] },
        people: { ...empty.people, actions: [action('refund-approved', 'Lulwa')] },
      },
      [],
      noon,
      limits,
    )
    expect(ordered?.by).toEqual({ kind: 'staff', name: 'Lulwa', roles: ['money', 'lead'] })
  })

  it('has no line of a refund by hand beside the report of the provider', () => {
    const byHand = refund({ reason: 'operator', state: 'done', done_at: noon })
    expect(told({ money: { refunds: [byHand] } })).toEqual([])
  })

  it('names who of the desk ordered or closed each refund, with the roles of that time', () => {
    const action = (id: number, name: string, actor: string, roles: string | null) => ({
      id,
      at: noon + id,
      actor,
      actor_roles: roles,
      action: name,
      order_id: 5,
      reason: 'lost',
      after: '{}',
    })
    const facts = {
      ...empty,
      order: { ...order, ended: 'cancelled' as const, ended_at: noon + 3 },
      money: {
        ...empty.money,
        refunds: [
          refund({ id: 1, reason: 'operator', created_at: noon + 1, done_at: noon + 2, state: 'done' }),
          refund({ id: 2, created_at: noon + 4, state: 'done', done_at: noon + 9, written_off_at: noon + 9 }),
          refund({ id: 3, reason: 'operator', created_at: noon + 12 }),
        ],
      },
      people: {
        ...empty.people,
        // As they are read: the newest first.
        actions: [
          action(12, 'refund-approved', 'Nouf', 'money'),
          action(9, 'write-off-approved', 'Lulwa', 'lead money'),
          action(3, 'cancel', 'Sara', 'support'),
          action(1, 'refund', 'Majed', 'money'),
        ],
      },
    }
    const by = timelineOf(facts, [], noon + 13, limits)
      .filter(({ kind }) => kind.startsWith('refund-') && kind !== 'refund-done')
      .map((line) => [line.kind, line.by.name, line.by.roles, line.data.words])
    expect(by).toEqual([
      ['refund-ordered', 'Nouf', ['money'], 'lost'],
      ['refund-written-off', 'Lulwa', ['lead', 'money'], undefined],
      ['refund-ordered', 'Sara', ['support'], null],
      ['refund-ordered', 'Majed', ['money'], 'lost'],
    ])
  })

  it('tells for ever that the provider counted a payment that was not reported, and whether that is over', () => {
    const found = { id: 1, attempt_id: 1, amount_halalas: 3_000, noticed_at: noon, agreed_at: null }
    const attempt = { id: 1, reference: 'OD5', state: 'open' as const, amount_halalas: 5_000 }
    const of = (closed_at: number | null) =>
      timelineOf(
        {
          ...empty,
          money: {
            ...empty.money,
            findings: [{ ...found, closed_at }],
            attempts: [{ ...attempt, currency: 'SAR', created_at: noon - 1 }],
          },
        },
        [],
        noon,
        limits,
      )[0]
    const line = of(null)
    expect(line && [line.kind, line.by.kind, timelineText(line, 'en')]).toEqual([
      ...['payment-hidden', 'provider', 'The provider counts a payment we do not have, SAR 30.00'],
    ])
    expect(line?.data).toMatchObject({ seen: false, reference: 'OD5' })
    expect(of(noon + 5)?.data.seen).toBe(true)
  })

  it('tells of sign-in: codes, and a lock', () => {
    const code = { kind: 'send' as const, channel: null }
    const codes = [
      { kind: 'check' as const, at: noon + 3, outcome: 'wrong' as const, channel: null },
      { ...code, at: noon + 2, outcome: 'blocked' as const },
      { ...code, at: noon + 1, outcome: 'answered' as const },
    ]
    const locks = [{ touched_at: noon + 9, consecutive_failures: 20, known_consecutive_failures: 0 }]
    expect(told({ people: { codes, locks } })).toEqual([
      ['locked', 'system', 'Locked after 20 wrong codes'],
      ['code-refused', 'system', 'Sign-in code not sent: the service refuses the number'],
      ['code-sent', 'system', 'Sign-in code sent (SMS)'],
    ])
    const unlock = {
      id: 1,
      at: noon + 5,
      actor: 'Sara',
      actor_roles: 'support',
      action: 'unlock',
      reason: null,
      order_id: null,
      after: '{}',
    }
    const kindsOf = told({ people: { codes, actions: [unlock] } }).map(([kind]) => kind)
    expect(kindsOf.slice(0, 2)).toEqual(['unlocked', 'locked'])
    const few = [{ touched_at: noon, consecutive_failures: 19, known_consecutive_failures: 0 }]
    expect(told({ people: { locks: few } })).toEqual([])
  })

  it('tells each step of a claim by who took it, with its own ending and number of the courier', () => {
    type Step = TimelineFacts['people']['claimEvents'][number]
    const stored = (id: number) => ({ id, claimId: 7, at: noon + id, recordedAt: noon + id, key: null })
    const passedOn = (id: number, number: string): Step => ({
      ...stored(id),
      kind: 'claim-passed-on',
      data: { personal: { case: number, text: '' } },
      by: sara,
    })
    const closed = (id: number, outcome: ClaimOutcome): Step => ({
      ...stored(id),
      kind: 'claim-closed',
      data: { outcome, halalas: null, personal: null },
      by: sara,
    })
    const sara = { kind: 'staff', issuer: 'i', subject: 's', name: 'Sara', roles: ['support'] } as const
    const owner = { kind: 'owner' } as const
    const claimEvents: readonly Step[] = [
      { ...stored(1), kind: 'claim-opened', data: { claim: 'damaged', personal: null }, by: owner },
      passedOn(2, 'C-1'),
      closed(3, 'refused'),
      { ...stored(4), kind: 'claim-message', data: { personal: null }, by: owner },
      { ...stored(5), kind: 'claim-late', data: {}, by: { kind: 'system' } },
      passedOn(6, 'C-2'),
      closed(7, 'found'),
    ]
    const people = { claims: [{ id: 7, kind: 'damaged' as const }], claimEvents: [...claimEvents] }
    expect(told({ people }).toReversed()).toEqual([
      ['claim-opened', 'owner', 'Claim CL-7: damaged'],
      ['claim-passed-on', 'staff', 'Claim CL-7 passed to the partner, case C-1'],
      ['claim-closed', 'staff', 'Claim CL-7 closed: without compensation'],
      ['claim-message', 'owner', 'Claim CL-7: message from the owner'],
      ['claim-late', 'system', 'Claim CL-7: answer overdue'],
      ['claim-passed-on', 'staff', 'Claim CL-7 passed to the partner, case C-2'],
      ['claim-closed', 'staff', 'Claim CL-7 closed: found'],
    ])
    const [line] = timelineOf({ ...empty, people: { ...empty.people, ...people } }, [], noon, limits)
    expect(line?.by).toEqual({ kind: 'staff', name: 'Sara', roles: ['support'] })
  })

  it('tells who has it; what is a line of its own, or no look at all, has none here', () => {
    const action = (id: number, name: string, change: { reason?: string; after?: string } = {}) => ({
      id,
      at: noon + id,
      actor: 'Sara',
      actor_roles: 'support',
      action: name,
      order_id: 5,
      reason: null,
      after: '{}',
      ...change,
    })
    const actions = [
      action(1, 'work-taken', { after: '{"has":"Sara"}' }),
      action(2, 'work-handed', { after: '{"has":"Huda"}', reason: 'Call her' }),
      action(3, 'work-released', { reason: 'the session ended' }),
      action(4, 'work-seen', { reason: 'told by phone' }),
      action(5, 'claim-answered'),
      action(6, 'reveal-refused'),
    ]
    expect(told({ people: { actions } }).toReversed()).toEqual([
      ['taken', 'staff', 'Taken by Sara'],
      ['handed', 'staff', 'Handed to Huda: Call her'],
      ['released', 'staff', 'Released, the session ended'],
      ['settled', 'staff', 'Nothing left to do: told by phone'],
    ])
  })

  it('has a text for every kind and message in both languages, also without any fact', () => {
    for (const language of ['ar', 'en'] as const) {
      const line = (kind: Line['kind'], data: Line['data'] = {}): Line => ({
        at: noon,
        kind,
        by: { kind: 'system' },
        data,
      })
      const texts = timelineKinds.map((kind) =>
        timelineText(line(kind, { amount: 5_000, currency: 'SAR' }), language),
      )
      expect(texts.filter((text) => text === '' || /undefined|null|NaN|\{/.test(text))).toEqual([])
      for (const text of texts) expect(/\p{Script=Arabic}/u.test(text), text).toBe(language === 'ar')
      const about = messageKinds.map((kind) =>
        timelineText(line('message-sent', { about: kind, channel: 'sms' }), language),
      )
      expect(new Set(about).size).toBe(messageKinds.length)
      const dropped = (reason: string) =>
        timelineText(line('message-dropped', { about: 'paid', reason }), language)
      expect([dropped('too late'), dropped('30008')]).toEqual(
        language === 'ar'
          ? ['لم تُرسل رسالة «تم الدفع»: فات وقتها', 'لم تُرسل رسالة «تم الدفع»: 30008']
          : ['Message “paid” not sent: too late', 'Message “paid” not sent: 30008'],
      )
    }
  })
})
