import { describe, expect, it } from 'vitest'
import { foldForSearch, matchesSearch } from './search.ts'

describe('folding', () => {
  it.each([
    ['مكّة المُكرَّمة', 'مكه المكرمه'],
    ['أحمد', 'احمد'],
    ['إبراهيم', 'ابراهيم'],
    ['آل الشيخ', 'ال الشيخ'],
    ['ٱلرحمن', 'الرحمن'],
    ['مؤسسة', 'موسسه'],
    ['حائل', 'حايل'],
    ['منى', 'مني'],
    ['شقراء', 'شقرا'],
    ['الـــرياض', 'الرياض'],
    ['کریم', 'كريم'],
    ['٠٥٠ ۱۲۳', '050 123'],
    ['Café  AL-Khobar', 'cafe al khobar'],
    ['', ''],
  ])('normalises %s to %s', (text, folded) => {
    expect(foldForSearch(text)).toBe(folded)
  })
})

describe('matching', () => {
  const agent = ['وكيل مِنى ١', 'شارع الجَمَرات، منى', 'Mina', '+966 50 000 0101', 'OD-42']

  it.each(['مني', 'وكيل 1', 'الجمرات', 'وكيل ١ mina', 'od-42', '42', '', '   '])('finds %j', (query) => {
    expect(matchesSearch(query, agent)).toBe(true)
  })

  it.each(['0500000101', '٠٥٠٠٠٠٠١٠١', '+966500000101', '50 000 0101', '00966500000101', '0101'])(
    'finds the phone typed as %s',
    (query) => {
      expect(matchesSearch(query, agent)).toBe(true)
    },
  )

  it.each(['جدة', 'وكيل ٢', '0500000102', '66', 'منى جدة'])('does not find %s', (query) => {
    expect(matchesSearch(query, agent)).toBe(false)
  })

  it('accepts missing texts', () => {
    expect(matchesSearch('a', [null, undefined, 'A'])).toBe(true)
    expect(matchesSearch('a', [null, undefined])).toBe(false)
  })
})
