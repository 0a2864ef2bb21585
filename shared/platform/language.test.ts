import { describe, expect, it } from 'vitest'
import { defaultLanguage, isLanguageCode, languageCookie, languages } from './language.ts'

describe('languages', () => {
  it('is Arabic by default and stored for one day', () => {
    expect(defaultLanguage).toBe('ar')
    expect(languageCookie.maxAgeSeconds).toBe(24 * 60 * 60)
  })

  it.each([
    ['ar', 'rtl'],
    ['en', 'ltr'],
  ] as const)('writes %s %s', (code, direction) => {
    expect(languages[code]).toMatchObject({ code, direction })
  })

  it.each(['ar', 'en'] as const)('counts in %s with Latin digits and the Gregorian calendar', (code) => {
    const shown = new Intl.DateTimeFormat(languages[code].intl, {
      dateStyle: 'short',
      timeZone: 'Asia/Riyadh',
    })
    expect(shown.resolvedOptions()).toMatchObject({ calendar: 'gregory', numberingSystem: 'latn' })
  })
})

describe('isLanguageCode', () => {
  it.each(['ar', 'en'])('accepts %s', (code) => {
    expect(isLanguageCode(code)).toBe(true)
  })

  it.each(['', 'AR', 'fr', 'toString', '__proto__', undefined, null, 1, ['ar']])('refuses %j', (value) => {
    expect(isLanguageCode(value)).toBe(false)
  })
})
