import { describe, expect, it } from 'vitest'
import { day, noon } from '#test/kit/basics/clock.ts'
import { contactsOf, isReceivedLately } from './agent-contacts.rules.ts'

const shown = { isShown: true, uncertain: [] }
const hidden = { isShown: false, uncertain: [] }
const waiting = { id: 1, carriage: 'ready', last_event_at: null } as const
const taken = { id: 2, carriage: 'moving', last_event_at: noon } as const
const gone = { id: 3, carriage: 'void', last_event_at: noon } as const

describe('the people of an order are shown to its agent', () => {
  it.each([
    ['while a bag waits', { paid_at: noon - 90 * day + 1 }, [waiting], shown],
    ['not ninety days after the payment', { paid_at: noon - 90 * day }, [waiting], hidden],
    ['while one of two bags waits', { paid_at: noon - 80 * day }, [taken, waiting], shown],
    ['after a hand-over of this month', { paid_at: noon - day }, [taken], shown],
    ['after one that is refunded later', { paid_at: noon - day }, [taken], shown],
    [
      'as the events say where it was paid before',
      { paid_at: noon - 40 * day },
      [taken],
      { isShown: false, uncertain: [2] },
    ],
    [
      'not where nothing was seen of the bag for a month',
      { paid_at: noon - 40 * day },
      [{ ...taken, last_event_at: noon - 30 * day }],
      hidden,
    ],
    ['not once it is void', { paid_at: noon }, [gone], hidden],
    ['not before it is paid', { paid_at: null }, [waiting], hidden],
  ] as const)('%s', (_, order, bags, expected) => {
    expect(contactsOf(order, bags, noon)).toEqual(expected)
  })
})

describe('a bag was handed over lately', () => {
  const event = (
    kind: 'handed-over' | 'picked-up' | 'unknown' | 'hand-over-undone',
    source: 'agent' | 'courier',
    days: number,
  ) => ({
    kind,
    source,
    recordedAt: noon - days * day,
  })
  it.each([
    ['by the agent, within thirty days', [event('handed-over', 'agent', 29)], true],
    [
      'not before, whatever the courier scans',
      [event('handed-over', 'agent', 30), event('picked-up', 'courier', 1)],
      false,
    ],
    [
      'by the last of two hand-overs',
      [
        event('handed-over', 'agent', 40),
        event('hand-over-undone', 'agent', 40),
        event('handed-over', 'agent', 2),
      ],
      true,
    ],
    [
      'by the first scan where no agent recorded one',
      [event('unknown', 'courier', 1), event('picked-up', 'courier', 40), event('picked-up', 'courier', 2)],
      false,
    ],
    ['not without an event', [], false],
  ])('%s', (_, events, expected) => {
    expect(isReceivedLately(events, noon)).toBe(expected)
  })
})
