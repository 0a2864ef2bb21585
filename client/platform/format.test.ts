// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { formatDistance, formatMoney, formatRoughDistance, formatWholeRiyals } from './format.ts'
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

it('a distance has one decimal below ten kilometres, and Latin digits', () => {
  expect(formatDistance(1.234, 'en')).toBe('1.2 km')
  expect(formatDistance(6, 'ar')).toBe('6.0 كم')
  expect(formatDistance(9.96, 'en')).toBe('10 km')
  expect(formatDistance(789.4, 'ar')).toBe('789 كم')
})

it('a rough distance has whole kilometres, from one on', () => {
  expect([0.43, 0.96, 9.6, 14.2].map((km) => formatRoughDistance(km, 'en'))).toEqual([
    '0.4 km',
    '1 km',
    '10 km',
    '14 km',
  ])
  expect(formatRoughDistance(14.2, 'ar')).toBe('14 كم')
})
