import { expect, it } from 'vitest'
import { dayInWords } from './times.ts'

it('a day ahead is today, tomorrow, or its date, as it is in Riyadh', () => {
  const now = Date.parse('2027-05-19T23:30:00+03:00')
  const dayOf = (at: string, language: 'ar' | 'en') => dayInWords(Date.parse(at), now, language)
  expect(dayOf('2027-05-19T23:59:59+03:00', 'en')).toBe('today')
  expect(dayOf('2027-05-20T00:00:00+03:00', 'ar')).toBe('غدًا')
  expect(dayOf('2027-05-21T23:00:00+03:00', 'en')).toBe('Friday 21 May')
  expect(dayOf('2027-05-21T23:00:00+03:00', 'ar')).toBe('الجمعة 21 مايو')
})
