import { describe, expect, it } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { day, minute, noon } from '#test/kit/clock.ts'
import {
  canonicalCode,
  challengeRules,
  checkLimitMet,
  type Lane,
  longestWindowMs,
  nextSendAt,
  type PhoneEvent,
  secondsUntil,
  sendLimitMet,
} from './codes.rules.ts'

describe('challengeRules', () => {
  it('stays within what a code of four digits can bear', () => {
    expect(challengeRules.lifeMs).toBeLessThanOrEqual(10 * minute)
    expect(challengeRules.provenMs).toBe(10 * minute)
  })
})

describe('secondsUntil', () => {
  it.each([
    [noon + 60_000, 60],
    [noon + 59_001, 60],
    [noon + 1, 1],
    [noon, 0],
    [noon - 5_000, 0],
  ])('counts up to whole seconds and never below none', (at, seconds) => {
    expect(secondsUntil(at, noon)).toBe(seconds)
  })
})

describe('canonicalCode', () => {
  it.each(['1234', '١٢٣٤', '۱۲۳۴', '1٢۳4'])('reads %s', (typed) => {
    expect(canonicalCode(typed)).toBe('1234')
  })
})

describe('the limits of a phone', () => {
  const limits = readConfig({})
  const at = (minutes: number, change: Partial<PhoneEvent> = {}): PhoneEvent => ({
    kind: 'send',
    lane: 'open',
    at: noon + minutes * minute,
    outcome: 'unanswered',
    ...change,
  })
  const wrongAt = (minutes: number, lane: Lane = 'open') =>
    at(minutes, { kind: 'check', outcome: 'wrong', lane })
  const past = (events: PhoneEvent[], wrongInARow = 0, lane: Lane = 'open') => ({ events, wrongInARow, lane })

  it('are not met by a phone without a past', () => {
    expect(sendLimitMet(limits, past([]), noon)).toBeUndefined()
    expect(checkLimitMet(limits, past([]), noon)).toBeUndefined()
    expect(nextSendAt(limits, past([]), noon)).toBe(noon + minute)
  })

  it('tell the pause between two codes from too many of them', () => {
    expect(sendLimitMet(limits, past([at(0)]), noon + minute - 1)).toEqual({
      code: 'CODE_REQUESTED_TOO_SOON',
      limit: 'OTP_SENDS_PER_PHONE',
      freeAt: noon + minute,
    })
    expect(sendLimitMet(limits, past([at(0)]), noon + minute)).toBeUndefined()
    expect(sendLimitMet(limits, past([at(0), at(1), at(2)]), noon + 2 * minute)).toMatchObject({
      code: 'TOO_MANY_CODES',
      freeAt: noon + 10 * minute,
    })
  })

  it('count what was answered, and not what surely never went out', () => {
    const sends = [at(0, { outcome: 'answered' }), at(1, { outcome: 'failed' }), at(2)]
    expect(sendLimitMet(limits, past(sends), noon + 3 * minute)).toBeUndefined()
    expect(sendLimitMet(limits, past([...sends, at(3)]), noon + 4 * minute)).toBeDefined()
  })

  it('keep the lanes apart', () => {
    const wrongs = [1, 2, 3, 4, 5].map((minutes) => wrongAt(minutes))
    expect(checkLimitMet(limits, past(wrongs), noon + 6 * minute)).toEqual({
      code: 'TOO_MANY_WRONG_CODES',
      limit: 'OTP_WRONG_PER_PHONE',
      freeAt: noon + 61 * minute,
    })
    expect(checkLimitMet(limits, past(wrongs, 0, 'known'), noon + 6 * minute)).toBeUndefined()
    expect(sendLimitMet(limits, past([at(0)], 0, 'known'), noon)).toBeUndefined()
  })

  it('stop for good after twenty in a row, before anything else is said', () => {
    expect(checkLimitMet(limits, past([], 19), noon)).toBeUndefined()
    expect(sendLimitMet(limits, past([at(0)], 20), noon)).toEqual({
      code: 'PHONE_LOCKED',
      limit: 'OTP_WRONG_IN_A_ROW',
      freeAt: undefined,
    })
  })

  it('are remembered as long as the longest of them', () => {
    expect(longestWindowMs(limits)).toBe(day)
    expect(longestWindowMs(readConfig({ OTP_SENDS_PER_PHONE: '5/9d' }))).toBe(9 * day)
  })
})
