import { describe, expect, it } from 'vitest'
import {
  afterRefusal,
  entryShownOf,
  groupsOf,
  isFinal,
  isOver,
  newEntry,
  nextStep,
  type OutboxEntry,
  undoEnd,
  undoLeftMs,
  undoWindowMs,
} from './outbox.rules.ts'

const at = 1_800_000_000_000
const entryWith = (change: Partial<OutboxEntry> = {}): OutboxEntry => ({
  ...newEntry({ id: 'e1', agentId: 3, awb: '290012345678', receivedAt: at }),
  ...change,
})
const refusal = { step: 'record', code: 'DO_NOT_ACCEPT', message: 'No' } as const

describe('the next step of a confirmation', () => {
  it.each<[string, Partial<OutboxEntry>, string]>([
    ['is recorded', {}, 'record'],
    ['is recorded again after a lost answer', { wasTried: true }, 'record'],
    ['rests once recorded', { wasTried: true, recordedAt: at }, 'rest'],
    ['is dropped when undone before anything was sent', { isUndone: true }, 'drop'],
    ['is settled when undone after a lost answer', { isUndone: true, wasTried: true }, 'record'],
    ['is undone once recorded', { isUndone: true, wasTried: true, recordedAt: at }, 'undo'],
    ['rests once refused', { wasTried: true, refusal }, 'rest'],
  ])('%s', (_, change, step) => {
    expect(nextStep(entryWith(change))).toBe(step)
  })
})

describe('the confirmation that is shown for a bag', () => {
  const recorded = entryWith({ id: 'e2', receivedAt: at + 1, wasTried: true, recordedAt: at + 1 })

  it('is the newest one', () => {
    expect(entryShownOf([entryWith(), recorded], recorded.awb, at + 2)).toBe(recorded)
    expect(entryShownOf([recorded, entryWith()], recorded.awb, at + 2)).toBe(recorded)
    expect(entryShownOf([recorded], '290087654321', at + 2)).toBeUndefined()
  })

  it('is none after its undo window, and one that waits or was refused stays', () => {
    const later = at + 1 + undoWindowMs
    expect(entryShownOf([recorded], recorded.awb, later)).toBeUndefined()
    for (const kept of [entryWith(), entryWith({ wasTried: true, refusal })])
      expect(entryShownOf([kept], kept.awb, later)).toBe(kept)
  })
})

describe('a refusal', () => {
  it('stays to be read', () => {
    expect(afterRefusal(entryWith({ wasTried: true }), refusal)).toMatchObject({ refusal })
  })

  it('of what was undone leaves nothing', () => {
    expect(afterRefusal(entryWith({ wasTried: true, isUndone: true }), refusal)).toBeUndefined()
  })

  it('of an undo keeps the hand-over, and says so', () => {
    const tooLate = { step: 'undo', code: 'TOO_LATE', message: 'Late' } as const
    const recorded = entryWith({ wasTried: true, recordedAt: at, isUndone: true })
    expect(afterRefusal(recorded, tooLate)).toMatchObject({ isUndone: false, refusal: tooLate })
    // The answer to an earlier undo was lost.
    expect(afterRefusal(recorded, { ...tooLate, code: 'ORDER_NOT_FOUND' })).toBeUndefined()
  })

  it.each<[number, string, boolean]>([
    [409, 'DO_NOT_ACCEPT', true],
    [409, 'ALREADY_RECEIVED', true],
    [404, 'ORDER_NOT_FOUND', true],
    [400, 'INVALID_REQUEST', true],
    [0, 'UNREACHABLE', false],
    [401, 'NOT_SIGNED_IN', false],
    [429, 'TOO_MANY_REQUESTS', false],
    [503, 'OVERLOADED', false],
    // A proxy's page, and a gateway of the release before.
    [404, 'UNEXPECTED', false],
    [404, 'NOT_FOUND', false],
  ])('with %i %s is final: %s', (status, code, final) => {
    expect(isFinal({ status, code })).toBe(final)
  })
})

describe('the clock', () => {
  it('leaves ten minutes from recording, and none after', () => {
    expect(undoLeftMs(at, at)).toBe(600_000)
    expect(undoLeftMs(at, at + 599_000)).toBe(1_000)
    expect(undoLeftMs(at, at + 600_000)).toBe(0)
    expect(undoLeftMs(at, at + 3_600_000)).toBe(0)
  })

  it('never leaves more, also when it was set back', () => {
    expect(undoLeftMs(at, at - 86_400_000)).toBe(undoWindowMs)
  })

  it('ends what was recorded, and nothing that waits or was refused', () => {
    const late = at + undoWindowMs
    expect(isOver(entryWith({ recordedAt: at }), late)).toBe(true)
    expect(isOver(entryWith({ recordedAt: at }), late - 1)).toBe(false)
    expect(isOver(entryWith(), late * 2)).toBe(false)
    expect(isOver(entryWith({ recordedAt: at, isUndone: true }), late)).toBe(false)
    expect(isOver(entryWith({ refusal }), late)).toBe(false)
  })
})

it('confirmations are grouped by what the agent is shown, newest first', () => {
  const entries = [
    entryWith({ id: 'old', receivedAt: at - 1 }),
    entryWith({ id: 'new' }),
    entryWith({ id: 'refused', refusal }),
    entryWith({ id: 'recorded', recordedAt: at }),
    entryWith({ id: 'undone', recordedAt: at, isUndone: true, receivedAt: at - 2 }),
  ]
  const ids = (list: readonly OutboxEntry[]) => list.map(({ id }) => id)
  const { waiting, refused, recorded } = groupsOf(entries)
  expect(ids(waiting)).toEqual(['new', 'old', 'undone'])
  expect(ids(refused)).toEqual(['refused'])
  expect(ids(recorded)).toEqual(['recorded'])
})

it('the undo window ends with the last recorded confirmation, and is over at once where none is recorded', () => {
  expect(undoEnd([])).toBe(0)
  expect(undoEnd([entryWith()])).toBe(0)
  const recorded = entryWith({ recordedAt: at })
  expect(undoEnd([recorded, entryWith({ recordedAt: at + 1 }), entryWith()])).toBe(at + 1 + undoWindowMs)
})
