import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composePhone, withoutCode } from './phone.rules.ts'
import { cleanTypedPhone, isPhoneTooLong, phoneFault } from './phone-text.rules.ts'

describe('the typed phone', () => {
  it.each([
    ['Arabic-Indic digits', '٠٥٠ ١٢٣ ٤٥٦٧', '050 123 4567'],
    ['Persian digits', '۰۵۰۱۲۳۴۵۶۷', '0501234567'],
    ['Bengali digits', '+৮৮০ ১৭১২-৩৪৫৬৭৮', '+880 1712-345678'],
    ['Devanagari digits', '०५०१२३४५६७', '0501234567'],
    ['Burmese digits', '+၉၅၉၁၂၃၄၅၆၇၈', '+95912345678'],
    ['direction marks around a pasted number', '\u202A+966 50 123 4567\u202C', '+966 50 123 4567'],
    ['words around a number', 'جوال: 0501234567', ' 0501234567'],
    ['a plus in the middle', '050+1234567', '0501234567'],
  ])('folds %s', (_, typed, shown) => {
    expect(cleanTypedPhone(typed)).toBe(shown)
  })

  it('keeps every digit, and is too long with more than 15 after the international prefix', () => {
    expect(cleanTypedPhone('00966 501 234 567 890 123')).toBe('00966 501 234 567 890 123')
    expect(isPhoneTooLong('00966 501 234 567 890 ')).toBe(false)
    expect(isPhoneTooLong('00966 501 234 567 890 1')).toBe(true)
    expect(isPhoneTooLong('123456789012345')).toBe(false)
    expect(isPhoneTooLong('1234567890123456')).toBe(true)
  })

  it('shows only what belongs to a number, whatever is pasted', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (typed) => {
        const shown = cleanTypedPhone(typed)
        expect(shown).toMatch(/^[\d+\s().-]*$/)
        expect(cleanTypedPhone(shown)).toBe(shown)
      }),
    )
  })
})

describe('the composed phone', () => {
  it.each([
    ['501234567'],
    ['0501234567'],
    ['050 123-4567'],
    ['٠٥٠١٢٣٤٥٦٧'],
    ['+966501234567'],
    ['+966 050 123 4567'],
    ['00966 50 123 4567'],
    ['966501234567'],
    ['(050) 123 4567'],
  ])('of %s with Saudi Arabia selected', (typed) => {
    expect(composePhone('SA', typed).phone).toBe('+966501234567')
  })

  it.each([
    ['ID', '0812 3456 789', '+628123456789'],
    ['EG', '01001234567', '+201001234567'],
    ['PK', '0300 1234567', '+923001234567'],
    // Italian numbers keep their leading zero.
    ['IT', '0612345678', '+390612345678'],
  ] as const)('follows the trunk rules of %s', (country, typed, phone) => {
    expect(composePhone(country, typed).phone).toBe(phone)
  })

  it('is never cut: country code and digits together may be too long', () => {
    const { phone } = composePhone('SA', '123456789012345')
    expect(phone).toBe('+966123456789012345')
    expect(phoneFault(phone)).toBe('phoneTooLong')
  })

  it('prefers a number’s own country code over the selected country', () => {
    expect(composePhone('SA', '+20 100 123 4567')).toEqual({ phone: '+201001234567', country: 'EG' })
  })

  it.each([
    ['+966 050 123 4567', 'SA', '501234567'],
    ['00201001234567', 'EG', '1001234567'],
    ['+390612345678', 'IT', '0612345678'],
  ])('of %s leaves the code to the country %s', (typed, country, text) => {
    expect(withoutCode(typed)).toEqual({ country, text })
  })

  it('keeps a code that no country has, and a number without one', () => {
    expect([withoutCode('+999123456789'), withoutCode('0501234567')]).toEqual([undefined, undefined])
  })

  it('is empty when no digit was typed', () => {
    expect(composePhone('SA', ' + ')).toEqual({ phone: '', country: undefined })
  })

  it('always starts with a plus', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789٠١٥+- '), maxLength: 30 }), (typed) => {
        const { phone } = composePhone('SA', typed)
        expect(phone).toMatch(/^(\+\d+)?$/)
      }),
    )
  })

  it('is long enough from ten characters on', () => {
    expect(phoneFault('')).toBe('phone')
    expect(phoneFault('+96650123')).toBe('phone')
    expect(phoneFault('+966501234')).toBeUndefined()
  })
})
