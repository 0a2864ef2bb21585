// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { inEachTimeZone } from '#test/kit/time-zones.ts'
import { formatDateTime, formatDistance, formatMoney, formatTime, formatWholeRiyals } from './format.ts'
import { addTexts } from './i18n.ts'

await addTexts('ar', 'frame')
await addTexts('en', 'frame')

describe('money', () => {
  it('has two decimals, Latin digits, and the currency of the language', () => {
    expect(formatMoney(5_000, 'en')).toBe('SAR\u00a050.00')
    expect(formatMoney(5_000, 'ar')).toBe('50.00\u00a0ر.س')
    expect(formatMoney(652, 'en')).toBe('SAR\u00a06.52')
  })

  it('that is no price has whole riyals', () => {
    expect(formatWholeRiyals(75, 'en')).toBe('SAR\u00a075')
    expect(formatWholeRiyals(2_000, 'ar')).toBe('2000\u00a0ر.س')
  })
})

describe('a date and time', () => {
  // Just before midnight in London is the next day in Riyadh.
  const iso = '2027-05-18T21:30:00.000Z'

  inEachTimeZone(() => {
    it('is in Saudi time and the Gregorian calendar', () => {
      expect(formatDateTime(iso, 'en')).toMatch(/May 19, 2027.*12:30/)
      expect(formatDateTime(iso, 'ar')).toMatch(/19 مايو 2027.*12:30/)
      expect(formatTime(iso, 'en')).toMatch(/^12:30.AM$/)
    })
  })

  it('has Latin digits in Arabic too', () => {
    expect(formatDateTime(iso, 'ar')).not.toMatch(/[\u0660-\u0669\u06F0-\u06F9]/)
  })
})

it('a distance has one decimal below ten kilometres, and Latin digits', () => {
  expect(formatDistance(1.234, 'en')).toBe('1.2 km')
  expect(formatDistance(6, 'ar')).toBe('6.0 كم')
  expect(formatDistance(9.96, 'en')).toBe('10 km')
  expect(formatDistance(789.4, 'ar')).toBe('789 كم')
})
