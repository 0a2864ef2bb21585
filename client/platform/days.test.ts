// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { inEachTimeZone } from '#test/kit/time-zones.ts'
import {
  formatBothDays,
  formatDateOfBoth,
  formatHijriYear,
  formatHour,
  formatSpan,
  formatSpanOfBoth,
  formatWeekdays,
} from './days.ts'

// Just before midnight in London is the next day in Riyadh.
const iso = '2027-05-18T21:30:00.000Z'

inEachTimeZone(() => {
  // The first of Dhul Hijjah 1448 is 7 May 2027 (calendar of Umm al-Qura).
  it('a day of Umm al-Qura stands beside the Gregorian one, in Saudi time', () => {
    expect(formatBothDays(iso, 'ar')).toBe('13 ذو الحجة · 19 مايو')
    expect(formatBothDays(iso, 'en')).toMatch(/^13 Dhu.l-Hijjah · 19 May$/)
    expect(formatHijriYear(iso, 'ar')).toBe('1448')
    expect(formatHour(iso)).toBe('00:30')
  })

  it('days of a promise have their weekdays and both calendars', () => {
    const [first, last] = ['2027-05-31', '2027-06-02']
    expect(formatWeekdays(first, last, 'ar')).toBe('الاثنين إلى الأربعاء')
    expect(formatWeekdays(first, last, 'en')).toBe('Monday to Wednesday')
    expect(formatWeekdays(first, first, 'en')).toBe('Monday')
    expect(formatSpanOfBoth(first, last, 'ar')).toBe('25 إلى 27 ذو الحجة · 31 مايو إلى 2 يونيو')
    expect(formatSpanOfBoth(first, last, 'en')).toMatch(/^25–27 Dhu.l-Hijjah · 31 May – 2 June$/)
    expect(formatSpanOfBoth(first, first, 'en')).toMatch(/^25 Dhu.l-Hijjah · 31 May$/)
    expect(formatDateOfBoth(last, 'ar')).toBe('الأربعاء 27 ذو الحجة · 2 يونيو')
  })
})

it('days from one to the other name their month once', () => {
  expect(formatSpan(iso, '2027-05-20T09:00:00.000Z', 'ar')).toBe('13 إلى 14 ذو الحجة')
  expect(formatSpan(iso, '2027-05-20T09:00:00.000Z', 'en')).toMatch(/^13–14 Dhu.l-Hijjah$/)
  expect(formatSpan(iso, iso, 'en')).toMatch(/^13 Dhu.l-Hijjah$/)
  expect(formatSpan(iso, '2027-06-07T09:00:00.000Z', 'ar')).toBe('13 ذو الحجة إلى 2 محرم')
})
