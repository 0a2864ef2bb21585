import { describe, expect, it } from 'vitest'
import type { DeskClaim } from './claims.queries.ts'
import { deadlinesOfClaim, halalasOf } from './claims.rules.ts'

it.each([
  ['50', 5000],
  ['50.5', 5050],
  [' ٥٠٫٥٠ ', 5050],
  ['৫০.৫', 5050],
  ['0.07', 7],
  ['0', undefined],
  ['50.555', undefined],
  ['1,000', undefined],
  ['', undefined],
])('a sum typed as «%s» is %s halalas', (typed, halalas) => expect(halalasOf(typed)).toBe(halalas))

describe('the deadlines of a claim', () => {
  const dayOf = (iso: string) => iso.slice(0, 10)
  const event = (kind: string, at: string) => ({ kind, at }) as DeskClaim['events'][number]
  const claim = {
    state: 'OPEN',
    openedAt: '2027-05-19T08:05:00.000Z',
    answerBy: '2027-05-26',
    lateSince: null,
    partnerBy: '2027-06-14T12:00:00.000Z',
    partnerAnswerBy: null,
    events: [event('opened', '2027-05-19T08:05:00.000Z')],
  } as Parameters<typeof deadlinesOfClaim>[0]

  it('are due as days, the partner’s once it was told', () => {
    expect(deadlinesOfClaim(claim, dayOf)).toEqual([
      { step: 'opened', doneAt: '2027-05-19T08:05:00.000Z' },
      { step: 'passed-on', until: '2027-06-14' },
      { step: 'answer', until: '2027-05-26' },
      { step: 'partner' },
    ])
  })

  it('are done by what was done last, and ours is due again with a message of the owner', () => {
    const events = [
      ...claim.events,
      event('passed-on', '2027-05-20T08:00:00.000Z'),
      event('answered', '2027-05-20T09:00:00.000Z'),
    ]
    const told = { ...claim, events, state: 'ANSWERED', partnerAnswerBy: '2027-05-30T08:00:00.000Z' } as const
    expect(deadlinesOfClaim(told, dayOf).slice(1)).toEqual([
      { step: 'passed-on', doneAt: '2027-05-20T08:00:00.000Z' },
      { step: 'answer', doneAt: '2027-05-20T09:00:00.000Z' },
      { step: 'partner', until: '2027-05-30' },
    ])
    // The day that was promised first stays the deadline.
    const again = { ...told, state: 'OPEN', answerBy: '2027-06-03', lateSince: '2027-05-26' } as const
    expect(deadlinesOfClaim(again, dayOf)[2]).toEqual({ step: 'answer', until: '2027-05-26' })
  })
})
