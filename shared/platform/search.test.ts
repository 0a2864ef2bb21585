import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runSeed } from '#test/kit/basics/random.ts'
import { namePairs, namesIn, otherNames, scriptsOfNames } from '#test/kit/orders/names.ts'
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
    ['Işık Søren-Łukasz Đức Straße', 'isik soren lukasz duc strasse'],
    ['پرویز بھٹی', 'برويز بهتي'],
    ['علی\u200cرضا', 'عليرضا'],
    ['আব্দুর রহমান', 'আব্দুর রহমান'],
    ['आरिफ़ खाँ ४२', 'आरिफ खां 42'],
    ['Ma’ruf ʿAbd', 'ma ruf abd'],
    ['<b>🙂</b>', 'b b'],
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

  it.each(namePairs)('finds by «%s» «%s»', (typed, stored) => {
    expect(matchesSearch(typed, [stored])).toBe(true)
  })

  it.each(otherNames)('does not find by «%s» «%s»', (typed, stored) => {
    expect(matchesSearch(typed, [stored])).toBe(false)
  })

  it.each(scriptsOfNames)(
    'finds each name in %s by itself, whole and without what separates its words',
    (script) => {
      fc.assert(
        fc.property(namesIn(script), (name) => {
          expect(matchesSearch(name, [name])).toBe(true)
          expect(matchesSearch(foldForSearch(name).replaceAll(' ', ''), [name])).toBe(true)
        }),
        { seed: runSeed },
      )
    },
  )

  it('accepts missing texts', () => {
    expect(matchesSearch('a', [null, undefined, 'A'])).toBe(true)
    expect(matchesSearch('a', [null, undefined])).toBe(false)
  })
})
