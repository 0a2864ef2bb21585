import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalPhone, phoneGroups, readPhone } from './phone.ts'

const saudi = '+966512345678'

describe('canonicalPhone', () => {
  it.each([
    ['local', '0512345678'],
    ['without its zero', '512345678'],
    ['with the country code', '966512345678'],
    ['with two zeros', '00966512345678'],
    ['in full', '+966512345678'],
    ['in full with the local zero', '+9660512345678'],
    ['with two zeros and the local zero', '009660512345678'],
    ['with spaces', '051 234 5678'],
    ['with dashes', '051-234-5678'],
    ['with brackets', '(051) 2345678'],
    ['with dots', '051.234.5678'],
    ['in Arabic-Indic digits', '٠٥١٢٣٤٥٦٧٨'],
    ['in full in Arabic-Indic digits', '+٩٦٦٥١٢٣٤٥٦٧٨'],
    ['in Persian digits', '۰۵۱۲۳۴۵۶۷۸'],
    ['in full-width signs', '＋９６６５１２３４５６７８'],
    ['in Bengali digits', '০৫১২৩৪৫৬৭৮'],
    ['in Devanagari digits', '०५१२ ३४५ ६७८'],
    ['in Adlam digits, which are two units each', '+𞥙𞥖𞥖 𞥕𞥑𞥒 𞥓𞥔𞥕 𞥖𞥗𞥘'],
    ['in mixed digits', '٠٥١٢345٦٧৮'],
    ['with space around it', '  0512345678  '],
    ['with no-break spaces', ' 0512 345678 '],
    ['with a zero-width space inside', '0512\u200B345678'],
    ['in a left-to-right mark', '\u200E0512345678'],
    ['in a right-to-left mark', '\u200F+966512345678'],
    ['in an embedding', '\u202A+966512345678\u202C'],
    ['in an isolate', '\u2066+966512345678\u2069'],
    ['in a right-to-left isolate', '\u2067+966512345678\u2069'],
    ['in a first-strong isolate', '\u2068+966512345678\u2069'],
    ['in a right-to-left embedding', '\u202B+966512345678\u202C'],
    ['in overrides', '\u202D+966512345678\u202C\u202E'],
    ['in an Arabic letter mark', '\u061C+966512345678'],
    ['with joiners inside', '0512\u200C345\u200D678'],
    ['with a word joiner and a byte order mark', '\uFEFF0512\u2060345678'],
    ['with a soft hyphen', '0512\u00AD345678'],
    ['with a mark on every digit', [...'0512345678'].join('\u200E')],
  ])('parses a Saudi number %s', (_, typed) => {
    expect(canonicalPhone(typed)).toBe(saudi)
  })

  it.each([
    ['+201001234567', '+201001234567'],
    ['00201001234567', '+201001234567'],
    ['+62 812-3456-7890', '+6281234567890'],
    ['+92 300 1234567', '+923001234567'],
    ['+1 202 555 0123', '+12025550123'],
    ['+44 7400 123456', '+447400123456'],
    ['+90 532 123 45 67', '+905321234567'],
  ])('parses the foreign number %s', (typed, phone) => {
    expect(canonicalPhone(typed)).toBe(phone)
  })

  it.each([
    ['with an extension', '0512345678 ext 5'],
    ['with an extension as a parameter', '+966512345678;ext=1'],
    ['with an extension after x', '0512345678x123'],
    ['with a subaddress as a parameter', '+966512345678;isub=1'],
    ['with another country as a parameter', '0512345678;phone-context=+20'],
    ['with its country as a parameter', '512345678;phone-context=+966'],
    ['with a full-width parameter', '+966512345678；isub=1'],
    ['in a sentence', 'call 0512345678 now'],
    ['after a letter', 'x+966512345678'],
    ['with a line break behind it', '0512345678\n'],
    ['with a NUL behind it', '0512345678\0'],
    ['with a tab inside', '0512\t345678'],
    ['and another', '0512345678,0587654321'],
    ['and another after a semicolon', '0512345678;0587654321'],
    ['with two plus signs', '++966512345678'],
    ['with the letter O', 'O512345678'],
    ['with its country in brackets', '(+966)512345678'],
    ['as a link', 'tel:+966512345678'],
    ['with a digit too many', '+9665123456789'],
    ['with a digit too few', '+96651234567'],
    ['of a fixed line', '+966112345678'],
    ['of a fixed line, local', '0112345678'],
    ['of a free line', '8001234567'],
    ['of an unknown country', '+999512345678'],
    ['with a NUL inside', '05123\u000045678'],
    ['with a line break before it', '\n0512345678'],
    ['with a line separator', '0512345678\u2028'],
    ['with an extension after a hash', '0512345678#5'],
    ['with an extension in Arabic digits', '0512345678 ext ٥'],
    ['and another after a slash', '0512345678/0587654321'],
    ['and another after a space', '0512345678 0587654321'],
    ['as a link with marks', '\u200Etel:0512345678'],
    ['with letters at the end', '0512345678abc'],
    ['on a keypad', '05123HELLO'],
    ['that is empty', ''],
    ['of marks alone', '\u200E\u200F\u202A\u202C\u2066\u2069\u200B\u200C\u200D\uFEFF'],
    ['of spaces', '          '],
    ['that is longer than any', `+966512345678${' '.repeat(30)}`],
  ])('refuses a number %s', (_, typed) => {
    expect(canonicalPhone(typed)).toBeUndefined()
  })

  it.each([
    ['a fixed line', '+966112345678'],
    ['a fixed line, local', '0112345678'],
    ['a free line', '8001234567'],
    ['an Inmarsat terminal', '+870773111632'],
    ['a satellite phone', '+881612345678'],
    ['an international network', '+883510012345'],
    ['an international premium service', '+979123456789'],
    ['an international free line', '+80012345678'],
    ['a premium service', '+449091234567'],
  ])('refuses %s as a number that gets no codes', (_, typed) => {
    expect(readPhone(typed)).toEqual({ refusal: 'no-codes' })
  })

  it('refuses a number of a country that is not allowed as one that gets no codes', () => {
    expect(readPhone('+201001234567', ['SA'])).toEqual({ refusal: 'no-codes' })
    expect(readPhone('+96651234567', ['SA'])).toEqual({ refusal: 'invalid' })
  })

  it('accepts only numbers of allowed countries', () => {
    expect(canonicalPhone('0512345678', ['SA'])).toBe(saudi)
    expect(canonicalPhone('+201001234567', ['SA'])).toBeUndefined()
    expect(canonicalPhone('+201001234567', ['SA', 'EG'])).toBe('+201001234567')
    expect(canonicalPhone('0512345678', [])).toBeUndefined()
  })

  it('maps a canonical number to itself', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (typed) => {
        const phone = canonicalPhone(typed)
        return phone === undefined || canonicalPhone(phone) === phone
      }),
    )
  })

  it('maps every spelling of a number to the same canonical number', () => {
    const digitSets = ['0123456789', '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '０１２３４５６７８９']
    const separators = ['', '', '', ' ', '-', '\u200B', '\u200F']
    const spelling = fc.tuple(
      fc.array(fc.constantFrom(...digitSets), { minLength: 12, maxLength: 12 }),
      fc.array(fc.constantFrom(...separators), { minLength: 12, maxLength: 12 }),
    )
    fc.assert(
      fc.property(spelling, ([sets, gaps]) => {
        const typed = [...'966512345678'].map(
          (digit, index) => `${gaps[index]}${sets[index]?.[Number(digit)]}`,
        )
        return canonicalPhone(`+${typed.join('').trimStart()}`) === saudi
      }),
    )
  })
})

describe('phoneGroups', () => {
  it.each([
    [saudi, '+96651234', 'SA'],
    ['+201001234567', '+20100123', 'EG'],
    ['+12025550123', '+1202555', 'US'],
    ['+88212345678', '+8821234', '+882'],
  ])('of %s are %s and %s', (phone, prefix, country) => {
    expect(phoneGroups(phone)).toEqual({ prefix, country })
  })
})
