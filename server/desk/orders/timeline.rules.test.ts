import { describe, expect, it } from 'vitest'
import { eventData } from '#server/features/history/history.kinds.ts'
import type { StoredEvent } from '#server/features/history/history.ts'
import { messageKinds } from '#shared/messages/messages.schemas.ts'
import { minute, noon } from '#test/kit/basics/clock.ts'
import en from './locales/en.json' with { type: 'json' }
import { timelineOf } from './timeline.rules.ts'
import { timelineText } from './timeline.texts.ts'

const happened = (id: number, recordedAt: number, kind: string, data: object = {}) =>
  ({
    id,
    key: null,
    at: recordedAt,
    recordedAt,
    by: { kind: 'system' },
    kind,
    data,
  }) as unknown as StoredEvent

type Message = Parameters<typeof timelineOf>[1][number]
const message = (change: Partial<Message>): Message => ({
  id: 1,
  reported_event_id: 1,
  recipient: 'owner',
  channel: 'sms',
  kind: 'paid',
  phone: '+966512344678',
  state: 'accepted',
  push: null,
  asked_at: noon,
  ended_at: null,
  last_error: null,
  ...change,
})
const kindsOf = (...story: Parameters<typeof timelineOf>) => timelineOf(...story).map(({ kind }) => kind)

it('a line has no phone, also where its event keeps one', () => {
  const personal = { phone: '+966512344678', reason: 'her number is gone' }
  const [line] = timelineOf([happened(1, noon, 'account-changed', { change: 'phone', personal })], [])
  expect(line?.data).toEqual({ change: 'phone', words: 'her number is gone' })
})

it('a hand-over names the agent who took the bag', () => {
  const received = {
    ...happened(1, noon, 'received'),
    by: { kind: 'agent', name: 'Mina Agent' },
  } as StoredEvent
  const [line] = timelineOf([received], [])
  expect(line && timelineText(line, 'en')).toBe('Handed over, Mina Agent')
})

describe('the lines of messages', () => {
  it('stand between the events, which a clock that is behind does not change', () => {
    const events = [
      happened(1, noon + minute, 'order-created'),
      happened(2, noon, 'paid'),
      happened(3, noon + 3 * minute, 'label-issued'),
    ]
    const sent = message({ asked_at: noon + 2 * minute, state: 'delivered', ended_at: noon + 4 * minute })
    expect(kindsOf(events, [sent])).toEqual([
      'message-delivered',
      'label-issued',
      'message-sent',
      'paid',
      'order-created',
    ])
  })

  it.each<[string, Partial<Message>, string[]]>([
    ['on its way', {}, ['message-sent']],
    ['of a push', { push: 'accepted', asked_at: null, ended_at: noon }, ['message-sent']],
    ['that was given up', { state: 'dropped', asked_at: null, ended_at: noon }, ['message-dropped']],
    ['that failed', { state: 'failed', ended_at: noon }, ['message-failed', 'message-sent']],
    ['without an answer', { state: 'uncertain' }, []],
  ])('of one %s', (_, change, kinds) => {
    expect(kindsOf([], [message(change)])).toEqual(kinds)
  })

  it('mask the phone, and have none after it was deleted', () => {
    const toOf = (change: Partial<Message>) => timelineOf([], [message(change)])[0]?.data.to
    expect([toOf({}), toOf({ phone: '' }), toOf({ kind: 'documents', channel: 'mail' })]).toEqual([
      '+966 ••••• 4678',
      null,
      null,
    ])
  })
})

describe('the text of a line', () => {
  const textOf = (kind: string, data: object, language: 'ar' | 'en' = 'en') => {
    const [line] = timelineOf([happened(1, noon, kind, data)], [])
    return line && timelineText(line, language)
  }
  /** Facts that choose one of several texts of a kind. */
  const chosen = {
    'payment-noted': ['source', eventData['payment-noted'].properties.source],
    scan: ['scan', eventData.scan.properties.scan],
    'bag-alert': ['alert', eventData['bag-alert'].properties.alert],
    'account-changed': ['change', eventData['account-changed'].properties.change],
    'receipt-issued': ['receipt', eventData['receipt-issued'].properties.receipt],
    'approval-decided': ['outcome', eventData['approval-decided'].properties.outcome],
  } as const
  const lines = Object.entries(en.kinds).flatMap(([kind, texts]) =>
    typeof texts === 'string'
      ? [{ kind, data: {} }]
      : Object.keys(texts).map((word) => ({
          kind,
          data: { [chosen[kind as keyof typeof chosen][0]]: word },
        })),
  )

  it.each(Object.entries(chosen))(
    'of %s exists for each word that chooses one',
    (kind, [, { enum: words }]) => {
      expect(Object.keys(en.kinds[kind as keyof typeof chosen])).toEqual(expect.arrayContaining([...words]))
    },
  )

  it.each(['ar', 'en'] as const)('stands in %s, also where no fact is known', (language) => {
    const texts = lines.map((line) => timelineText(line, language))
    expect(texts.filter((text) => text === '' || /undefined|null|NaN|[{}]/.test(text))).toEqual([])
    expect(texts.filter((text) => /\p{Script=Arabic}/u.test(text) !== (language === 'ar'))).toEqual([])
    const about = messageKinds.map((kind) =>
      timelineText({ kind: 'message-sent', data: { about: kind, channel: 'sms' } }, language),
    )
    expect(new Set(about).size).toBe(messageKinds.length)
  })

  it.each<[string, object, string]>([
    [
      'payment-noted',
      {
        transaction: 'T1',
        halalas: 4_000,
        currency: 'SAR',
        reported: 'succeeded',
        outcome: 'amount-mismatch',
        source: 'callback',
      },
      'SAR 40.00 paid, which is not the price',
    ],
    [
      'payment-noted',
      {
        transaction: 'T1',
        halalas: 0,
        currency: 'SAR',
        reported: 'refunded',
        outcome: 'noted',
        source: 'inquiry',
      },
      'Inquiry about T1: returned',
    ],
    [
      'label-refused',
      { personal: { reason: 'the shipping partner answered 500' } },
      'The airway bill failed: the shipping partner did not do it (\u2068500\u2069)',
    ],
    ['scan', { scan: 'unknown', personal: { place: null, text: null, code: 'Q7' } }, 'Unknown scan: Q7'],
    [
      'bag-alert',
      { alert: 'not-of-this-bag', code: 'DL', personal: { text: '2024-06-20T10:00:00 +03:00' } },
      'Scan of another bag: DL, dated 2024-06-20T10:00:00 +03:00. Nothing changed',
    ],
    [
      'disclosed',
      { changed: {}, personal: { reason: 'other: lost her bag' } },
      'Looked at name and phone: another reason: lost her bag',
    ],
    [
      'approval-decided',
      { act: 'reissue', halalas: 0, outcome: 'overtaken', personal: { reason: 'status' } },
      'Overtaken, another airway bill: the status of the order has changed.',
    ],
  ])('of %s names its facts', (kind, data, text) => {
    expect(textOf(kind, data)).toBe(text)
  })

  it('of a kind of a newer gateway is the kind, and its line has a time', () => {
    const [line] = timelineOf([happened(1, noon, 'bag-weighed', { grams: 1 })], [])
    expect(line?.at).toBe(noon)
    expect(textOf('bag-weighed', {})).toBe('bag-weighed')
    // A word that only a newer gateway knows stands as it is.
    expect(textOf('not-accepted', { reason: 'wet' })).toBe('Not accepted by the agent: wet')
    expect(textOf('scan', { scan: 'weighed' })).toBe('scan')
  })
})
