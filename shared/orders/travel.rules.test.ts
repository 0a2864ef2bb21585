import { describe, expect, it } from 'vitest'
import {
  type Carriage,
  carriageOf,
  handOverCountOf,
  isExpected,
  leftOwnerAt,
  reachedBranchAt,
  type TravelEvent,
} from './travel.rules.ts'
import type { EventKind, EventSource } from './travel.schemas.ts'

const event = (kind: EventKind, at: number, source: EventSource = 'courier'): TravelEvent => ({
  kind,
  at,
  source,
})
const handedOver = (at: number) => event('handed-over', at, 'agent')
const undone = (at: number) => event('hand-over-undone', at, 'agent')

describe('the carriage of a paid bag without a label, from its events', () => {
  it.each<[string, TravelEvent[], Carriage]>([
    ['nothing', [], 'awaiting-label'],
    ['a hand-over', [handedOver(1)], 'received'],
    ['an undone hand-over', [handedOver(1), undone(2)], 'awaiting-label'],
    ['a refusal', [event('not-accepted', 1, 'agent')], 'awaiting-label'],
    // Restored from a backup, or recorded by two gateways of different releases.
    ['a hand-over and a refusal', [handedOver(1), event('not-accepted', 2, 'agent')], 'received'],
    [
      'a hand-over kept off line and sent after the undo of another',
      [handedOver(1), undone(5), handedOver(3)],
      'received',
    ],
    ['a movement without a hand-over', [event('picked-up', 1)], 'moving'],
    ['a movement after an undone hand-over', [handedOver(1), undone(2), event('picked-up', 3)], 'moving'],
    ['the branch after a movement', [event('in-transit', 1), event('at-branch', 2)], 'at-branch'],
    ['the branch before any movement, which is the counter of origin', [event('at-branch', 1)], 'received'],
    [
      'the branch and then a movement that is older',
      [event('at-branch', 2), event('in-transit', 1)],
      'at-branch',
    ],
    [
      'the branch and then another movement',
      [event('in-transit', 1), event('at-branch', 2), event('in-transit', 3)],
      'moving',
    ],
    ['a collection', [event('in-transit', 1), event('collected', 2)], 'collected'],
    ['a collection before a hand-over', [event('collected', 1), handedOver(2)], 'collected'],
    [
      'scans after a collection',
      [event('collected', 1), event('in-transit', 2), event('exception', 3)],
      'collected',
    ],
    ['trouble on the way', [event('in-transit', 1), event('exception', 2)], 'exception'],
    ['trouble that ended', [event('in-transit', 1), event('exception', 2), event('in-transit', 3)], 'moving'],
    ['trouble after a hand-over', [handedOver(1), event('exception', 2)], 'exception'],
    ['trouble before any hand-over', [event('exception', 2)], 'awaiting-label'],
    [
      'a return that was delivered to its sender',
      [event('in-transit', 1), event('returning', 2), event('in-transit', 3), event('collected', 4)],
      'exception',
    ],
    ['a return before any hand-over', [event('returning', 1)], 'awaiting-label'],
    ['unknown scans', [event('unknown', 1), handedOver(2), event('unknown', 3)], 'received'],
    ['a cancellation of ours', [event('cancelled', 1, 'system')], 'void'],
    [
      'scans after a cancellation of ours',
      [event('cancelled', 1, 'system'), event('in-transit', 2), event('collected', 3)],
      'void',
    ],
    ['the courier’s own cancellation', [handedOver(1), event('cancelled', 2)], 'exception'],
    ['two scans of one time', [event('at-branch', 1), event('in-transit', 1)], 'at-branch'],
  ])('of %s', (_, events, carriage) => {
    expect(carriageOf({ isPaid: true, isLabelled: false, events })).toBe(carriage)
  })
})

it('knows the carriage of a bag before its hand-over by its payment and its label', () => {
  const scanned = [event('in-transit', 1)]
  expect(carriageOf({ isPaid: false, isLabelled: false, events: scanned })).toBe('none')
  expect(carriageOf({ isPaid: true, isLabelled: true, events: [] })).toBe('ready')
  expect(carriageOf({ isPaid: true, isLabelled: true, events: scanned })).toBe('moving')
})

it('counts the bags that left their owner, without those that are void', () => {
  expect(handOverCountOf(['none'])).toBe('none')
  expect(handOverCountOf(['ready', 'void'])).toBe('none')
  expect(handOverCountOf(['awaiting-label', 'received'])).toBe('some')
  expect(handOverCountOf(['collected', 'received'])).toBe('all')
  expect(handOverCountOf(['void', 'moving'])).toBe('all')
  expect(handOverCountOf(['void', 'void'])).toBe('void')
})

it.each<[string, TravelEvent[], number | undefined]>([
  ['nothing has happened', [], undefined],
  ['the agent took it', [handedOver(5), event('picked-up', 7)], 5],
  ['the courier saw it before the agent recorded it', [event('picked-up', 3), handedOver(5)], 3],
  ['a scan was recorded late', [event('in-transit', 7), event('picked-up', 3)], 3],
  ['it was given back and taken again', [handedOver(1), undone(2), handedOver(5)], 5],
  ['it was given back', [handedOver(1), undone(2)], undefined],
  ['scans before prove nothing', [event('exception', 1), event('unknown', 2), handedOver(5)], 5],
])('knows when a bag left its owner: %s', (_, events, at) => {
  expect(leftOwnerAt(events)).toBe(at)
})

it.each<[string, TravelEvent[], number | undefined]>([
  ['is on its way', [event('in-transit', 1)], undefined],
  [
    'was scanned twice at the branch',
    [event('in-transit', 1), event('at-branch', 2), event('at-branch', 4)],
    2,
  ],
  [
    'was at another branch before',
    [event('picked-up', 1), event('at-branch', 2), event('in-transit', 3), event('at-branch', 5)],
    5,
  ],
])('knows when a bag reached its branch: one that %s', (_, events, at) => {
  expect(reachedBranchAt(events)).toBe(at)
})

it.each<[string, TravelEvent[], boolean]>([
  ['was not handed over', [], false],
  ['its agent took', [handedOver(1)], true],
  ['is held up on its way', [handedOver(1), event('in-transit', 2), event('exception', 3)], true],
  ['was only dropped at a counter', [event('at-branch', 1), event('exception', 2)], true],
  [
    'was not collected at its branch',
    [handedOver(1), event('in-transit', 2), event('at-branch', 3), event('exception', 4)],
    false,
  ],
  [
    'has moved on to another branch',
    [event('picked-up', 1), event('at-branch', 2), event('in-transit', 3)],
    true,
  ],
  [
    'is brought back',
    [handedOver(1), event('in-transit', 2), event('returning', 3), event('in-transit', 4)],
    false,
  ],
  ['was collected', [handedOver(1), event('collected', 2)], false],
])('knows whether a bag is still expected at its branch: one that %s', (_, events, expected) => {
  expect(isExpected(events)).toBe(expected)
})
