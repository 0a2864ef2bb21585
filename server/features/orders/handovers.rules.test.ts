import { expect, it } from 'vitest'
import type { EventKind, EventSource } from '#shared/orders/travel.schemas.ts'
import { correctedTime, undoOf } from './handovers.rules.ts'

const now = 1_800_000_000_000
const minute = 60_000
const paidAt = now - 600 * minute

it.each([
  ['no time', undefined, undefined, now],
  ['a time of now', now, now, now],
  ['an hour off line with a right clock', now - 60 * minute, now, now - 60 * minute],
  [
    'an hour off line with a clock a day behind',
    now - 1_500 * minute,
    now - 1_440 * minute,
    now - 60 * minute,
  ],
  [
    'an hour off line with a clock a year ahead',
    now + 525_540 * minute,
    now + 525_600 * minute,
    now - 60 * minute,
  ],
  ['a time without the time of sending', now - 5 * minute, undefined, now - 5 * minute],
  ['a time before the payment', paidAt - minute, now, paidAt],
  ['a time in the future', now + minute, now, now],
  ['a sending before the taking', now, now - minute, now],
  ['a time of the epoch', 0, undefined, paidAt],
])('%s is corrected and kept between payment and now', (_, receivedAt, sentAt, at) => {
  expect(correctedTime({ receivedAt, sentAt }, now, paidAt)).toBe(at)
})

const event = (kind: EventKind, source: EventSource, recordedAt = now) => ({
  kind,
  source,
  id: 7,
  recordedAt,
})
const taken = (recordedAt = now) => event('handed-over', 'agent', recordedAt)

it.each<[string, Parameters<typeof undoOf>[0], ReturnType<typeof undoOf>['outcome']]>([
  ['nothing', [], 'none'],
  ['a hand-over', [taken()], 'undo'],
  ['a hand-over of ten minutes ago', [taken(now - 10 * minute)], 'undo'],
  ['a hand-over of more than ten minutes ago', [taken(now - 10 * minute - 1)], 'too-late'],
  ['a hand-over that was undone', [taken(), event('hand-over-undone', 'agent')], 'undone'],
  ['a refusal', [event('not-accepted', 'agent')], 'none'],
  [
    'an undone hand-over and a refusal',
    [taken(), event('hand-over-undone', 'agent'), event('not-accepted', 'agent')],
    'undone',
  ],
  ['a second hand-over', [taken(0), event('hand-over-undone', 'agent'), taken()], 'undo'],
  ['a hand-over and a scan of the courier', [taken(), event('picked-up', 'courier')], 'too-late'],
  ['a scan of the courier and then a hand-over', [event('in-transit', 'courier'), taken()], 'too-late'],
  ['a hand-over and a message of the courier', [taken(), event('unknown', 'courier')], 'undo'],
  [
    'twenty undos',
    [...Array.from({ length: 20 }, () => [taken(), event('hand-over-undone', 'agent')]).flat(), taken()],
    'too-late',
  ],
  ['a scan of the courier alone', [event('in-transit', 'courier')], 'none'],
])('an undo after %s', (_, events, outcome) => {
  expect(undoOf(events, now).outcome).toBe(outcome)
})
