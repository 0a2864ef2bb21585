import { describe, expect, it } from 'vitest'
import { e164Pattern, foldDigits } from './phone.ts'

describe('foldDigits', () => {
  it.each([
    ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['０１２３４５６７８９', '0123456789'],
    ['০১২৩৪৫৬৭৮৯', '0123456789'],
    ['०१२३४५६७८९', '0123456789'],
    ['၀၁၂၃၄၅၆၇၈၉', '0123456789'],
    ['௦௧௨௩௪௫௬௭௮௯', '0123456789'],
    ['H₂O ፩৫', 'H2O ፩5'],
    ['＋٩٦٦', '+966'],
    ['٠12۳', '0123'],
    ['\u200E0512\u200F', '0512'],
    ['\u202A+9665\u202C', '+9665'],
    ['\u206605\u2069\u2060\uFEFF\u200B', '05'],
    ['0512 345-678', '0512 345-678'],
    ['', ''],
  ])('folds %j', (typed, folded) => {
    expect(foldDigits(typed)).toBe(folded)
  })

  it('folds every decimal digit of Unicode to its value', () => {
    const digits = Array.from({ length: 0x20000 }, (_, point) => point)
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point))
      .filter((letter) => /\p{Nd}/u.test(letter))
    expect(digits.length).toBeGreaterThan(700)
    // The digits of a script stand one after the other, so all of them in a row are tens from zero to nine.
    expect(digits.map(foldDigits).join('')).toBe('0123456789'.repeat(digits.length / 10))
  })

  it('keeps all characters but digits and invisible marks', () => {
    expect(foldDigits('O5l2 عبد')).toBe('O5l2 عبد')
    expect(foldDigits('Zoé أحمد')).toBe('Zoé أحمد')
  })
})

describe('e164Pattern', () => {
  it.each(['+966512345678', '+12025550123', '+8613800138000'])('accepts %s', (phone) => {
    expect(e164Pattern.test(phone)).toBe(true)
  })

  it.each(['966512345678', '+0512345678', '+9665 12345678', '+1', '+1234567890123456', ''])(
    'refuses %j',
    (phone) => {
      expect(e164Pattern.test(phone)).toBe(false)
    },
  )
})
