import { describe, expect, it } from 'vitest'
import { day, hour, noon } from '#test/kit/basics/clock.ts'
import { plausibleTime } from './reported-time.ts'

const range = { from: noon - hour, to: noon }

describe('a reported time', () => {
  it('is believed between the first and the last possible moment', () => {
    for (const at of [range.from, noon - 1, range.to])
      expect(plausibleTime(at, range)).toEqual({ at, fault: undefined })
  })

  it('before the first possible moment is early, and shown as that moment', () => {
    expect(plausibleTime(range.from - 1, range)).toEqual({ at: range.from, fault: 'early' })
    expect(plausibleTime(Date.UTC(2024, 5, 20), range)).toEqual({ at: range.from, fault: 'early' })
  })

  it('in the future counts as now, and is a fault beyond a day', () => {
    expect(plausibleTime(noon + day, range)).toEqual({ at: noon, fault: undefined })
    expect(plausibleTime(noon + day + 1, range)).toEqual({ at: noon, fault: 'late' })
  })

  it('before 2020, or of a date that does not exist, is impossible', () => {
    expect(plausibleTime(Date.UTC(2019, 11, 31, 23), { from: 0, to: noon })).toMatchObject({
      fault: 'impossible',
    })
    expect(plausibleTime(Date.parse('0001-01-01T00:00:00Z'), range)).toEqual({
      at: range.from,
      fault: 'impossible',
    })
    for (const at of [undefined, Number.NaN])
      expect(plausibleTime(at, range)).toEqual({ at: noon, fault: 'impossible' })
  })
})
