import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { LanguageCode } from '#shared/platform/language.ts'
import { inEachTimeZone } from '#test/kit/basics/time-zones.ts'
import { plainText } from '#test/kit/client/plain-text.ts'
import {
  dayInRiyadh,
  formatAge,
  formatAgo,
  formatDay,
  formatDayInBoth,
  formatDayInWords,
  formatHijriSpan,
  formatHijriYear,
  formatMoment,
  formatMomentInBoth,
  formatMomentInWords,
  formatShift,
  formatSpanInBoth,
  formatTime,
  formatWeekday,
  formatWeekdayAndDay,
  formatWeekdayAndDayInBoth,
  formatWeekdayRun,
  formatWeekdays,
} from './dates.ts'

const now = Date.parse('2027-05-19T23:30:00+03:00')
beforeEach(() => {
  vi.setSystemTime(now)
})
afterEach(() => {
  vi.useRealTimers()
})

// Just before midnight in London is the next day in Riyadh.
const night = '2027-05-18T21:30:00.000Z'
const afternoon = '2027-05-18T13:20:00.000Z'
const lastYear = '2026-05-28T09:30:00.000Z'
const hour = 3_600_000

/** Each form, by its name. */
const forms = {
  time: (language) => [formatTime(night, language), formatTime(Date.parse(afternoon), language)],
  weekday: (language) => [formatWeekday(night, language)],
  weekdays: (language) => [
    formatWeekdays('2027-05-31', '2027-06-02', language),
    formatWeekdays('2027-05-31', '2027-05-31', language),
  ],
  day: (language) => [night, '2027-05-18', lastYear, '2028-01-01'].map((at) => formatDay(at, language)),
  weekdayAndDay: (language) => [formatWeekdayAndDay('2027-05-18', language)],
  moment: (language) => [night, afternoon, lastYear].map((at) => formatMoment(at, language)),
  dayInBoth: (language) => [night, '2027-05-18', lastYear].map((at) => formatDayInBoth(at, language)),
  weekdayAndDayInBoth: (language) => [formatWeekdayAndDayInBoth('2027-06-02', language)],
  momentInBoth: (language) => [night, lastYear].map((at) => formatMomentInBoth(at, language)),
  spanInBoth: (language) => [
    formatSpanInBoth('2027-05-18', '2027-05-20', language),
    formatSpanInBoth('2027-05-31', '2027-06-02', language),
    formatSpanInBoth('2027-05-31', '2027-05-31', language),
    formatSpanInBoth('2026-05-31', '2026-06-02', language),
  ],
  hijri: (language) => [
    formatHijriYear(night, language),
    formatHijriSpan(night, '2027-05-20T09:00:00.000Z', language),
    formatHijriSpan(night, night, language),
    formatHijriSpan(night, '2027-06-07T09:00:00.000Z', language),
  ],
  dayInWords: (language) =>
    ['2027-05-18', '2027-05-19T20:59:59.000Z', '2027-05-20', '2027-05-21'].map((at) =>
      formatDayInWords(at, now, language),
    ),
  momentInWords: (language) =>
    [night, afternoon, lastYear].map((at) => formatMomentInWords(at, now, language)),
  lasting: (language) => [
    formatAge(2 * hour, language),
    formatAgo(12 * hour, language),
    formatAgo(hour / 5, language),
  ],
} satisfies Readonly<Record<string, (language: LanguageCode) => readonly (string | undefined)[]>>

type Table = readonly [keyof typeof forms, ...string[]][]

// The first of Dhul Hijjah 1448 is 7 May 2027, and that of 1447 is 18 May 2026 (calendar of Umm al-Qura).
const inArabic: Table = [
  ['time', '12:30 ص', '4:20 م'],
  ['weekday', 'الأربعاء'],
  ['weekdays', 'الاثنين إلى الأربعاء', 'الاثنين'],
  ['day', '19 مايو', '18 مايو', '28 مايو 2026', '1 يناير 2028'],
  ['weekdayAndDay', 'الثلاثاء 18 مايو'],
  ['moment', '19 مايو، 12:30 ص', '18 مايو، 4:20 م', '28 مايو 2026، 12:30 م'],
  ['dayInBoth', '13 ذو الحجة · 19 مايو', '12 ذو الحجة · 18 مايو', '11 ذو الحجة · 28 مايو 2026'],
  ['weekdayAndDayInBoth', 'الأربعاء 27 ذو الحجة · 2 يونيو'],
  ['momentInBoth', '13 ذو الحجة · 19 مايو، 12:30 ص', '11 ذو الحجة · 28 مايو 2026، 12:30 م'],
  [
    'spanInBoth',
    '12 إلى 14 ذو الحجة · 18 إلى 20 مايو',
    '25 إلى 27 ذو الحجة · 31 مايو إلى 2 يونيو',
    '25 ذو الحجة · 31 مايو',
    '14 إلى 16 ذو الحجة · 31 مايو إلى 2 يونيو 2026',
  ],
  ['hijri', '1448', '13 إلى 14 ذو الحجة', '13 ذو الحجة', '13 ذو الحجة إلى 2 محرم'],
  ['dayInWords', 'أمس', 'اليوم', 'غدًا', '21 مايو'],
  ['momentInWords', 'اليوم، 12:30 ص', 'أمس، 4:20 م', '28 مايو 2026، 12:30 م'],
  ['lasting', 'ساعتان', 'قبل 12 ساعة', 'قبل 12 دقيقة'],
]
const inEnglish: Table = [
  ['time', '00:30', '16:20'],
  ['weekday', 'Wednesday'],
  ['weekdays', 'Monday to Wednesday', 'Monday'],
  ['day', '19 May', '18 May', '28 May 2026', '1 January 2028'],
  ['weekdayAndDay', 'Tuesday 18 May'],
  ['moment', '19 May, 00:30', '18 May, 16:20', '28 May 2026, 12:30'],
  ['dayInBoth', '13 Dhuʻl-Hijjah · 19 May', '12 Dhuʻl-Hijjah · 18 May', '11 Dhuʻl-Hijjah · 28 May 2026'],
  ['weekdayAndDayInBoth', 'Wednesday 27 Dhuʻl-Hijjah · 2 June'],
  ['momentInBoth', '13 Dhuʻl-Hijjah · 19 May, 00:30', '11 Dhuʻl-Hijjah · 28 May 2026, 12:30'],
  [
    'spanInBoth',
    '12–14 Dhuʻl-Hijjah · 18–20 May',
    '25–27 Dhuʻl-Hijjah · 31 May – 2 June',
    '25 Dhuʻl-Hijjah · 31 May',
    '14–16 Dhuʻl-Hijjah · 31 May – 2 June 2026',
  ],
  ['hijri', '1448', '13–14 Dhuʻl-Hijjah', '13 Dhuʻl-Hijjah', '13 Dhuʻl-Hijjah – 2 Muharram'],
  ['dayInWords', 'yesterday', 'today', 'tomorrow', '21 May'],
  ['momentInWords', 'today, 00:30', 'yesterday, 16:20', '28 May 2026, 12:30'],
  ['lasting', '2 hours', '12 hours ago', '12 minutes ago'],
]

const plain = (text: string | undefined) => text && plainText(text)
/** The parts that a browser may put on lines of their own. */
const linesOf = (text: string) => text.split(/ |(?<=[-–])(?!\u2060)/).map(plain)

inEachTimeZone(() => {
  it.each(inArabic)('in Arabic, %s has one form', (form, ...texts) => {
    expect(forms[form]('ar').map(plain)).toEqual(texts)
  })

  it.each(inEnglish)('in English, %s has one form', (form, ...texts) => {
    expect(forms[form]('en').map(plain)).toEqual(texts)
  })

  it('a day is that of Riyadh', () => {
    expect([night, Date.parse(night), '2027-05-19'].map(dayInRiyadh)).toEqual(Array(3).fill('2027-05-19'))
  })
})

it('a line ends between two dates or before a time, and never inside one', () => {
  expect(linesOf(formatMomentInBoth(afternoon, 'ar'))).toEqual(['12 ذو الحجة ·', '18 مايو،', '4:20 م'])
  expect(linesOf(formatMomentInBoth(lastYear, 'en'))).toEqual(['11 Dhuʻl-Hijjah ·', '28 May 2026,', '12:30'])
  expect(linesOf(formatSpanInBoth('2027-05-18', '2027-05-20', 'ar'))).toEqual([
    '12 إلى',
    '14 ذو الحجة ·',
    '18 إلى',
    '20 مايو',
  ])
  expect(linesOf(formatSpanInBoth('2027-05-31', '2027-06-02', 'en'))).toEqual([
    '25–27 Dhuʻl-Hijjah ·',
    '31 May –',
    '2 June',
  ])
  expect(linesOf(formatShift('08:00', '23:00', 'ar'))).toEqual(['8 ص–11 م'])
})

it('a day has no second calendar in a browser that does not know it', () => {
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...new Intl.DateTimeFormat('en').resolvedOptions(),
    calendar: 'gregory',
  })
  expect(plain(formatDayInBoth('2027-05-18', 'en'))).toBe('18 May')
  expect(plain(formatSpanInBoth('2027-05-18', '2027-05-20', 'en'))).toBe('18–20 May')
  expect(formatHijriYear('2027-05-18', 'en')).toBeUndefined()
})

it.each([
  ['08:00', '23:00', '8 ص–11 م', '8–23'],
  ['16:00', '23:00', '4–11 م', '16–23'],
  ['09:00', '12:00', '9 ص–12 م', '9–12'],
  ['16:00', '02:00', '4 م–2 ص', '16–2'],
  ['18:00', '00:00', '6 م–12 ص', '18–24'],
  ['00:30', '08:05', '12:30–8:05 ص', '0:30–8:05'],
  ['22:00', '20:00', '10 م–8 م', '22–20'],
])(
  'a shift from %s to %s names its half of the day in Arabic, and once where both are the same',
  (from, to, ar, en) => {
    expect([formatShift(from, to, 'ar'), formatShift(from, to, 'en')].map(plain)).toEqual([ar, en])
  },
)

it('a run of weekdays is its first and its last day', () => {
  expect([formatWeekdayRun(6, 4, 'ar'), formatWeekdayRun(5, 5, 'ar')]).toEqual(['السبت–الخميس', 'الجمعة'])
  expect([formatWeekdayRun(6, 4, 'en'), formatWeekdayRun(5, 5, 'en')]).toEqual(['Sat–Thu', 'Fri'])
})
