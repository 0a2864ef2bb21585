import { beforeAll, expect, it } from 'vitest'
import type { LanguageCode } from '#shared/platform/language.ts'
import { addTextsOf, type TextValues, translate } from './translation.ts'

beforeAll(() => {
  addTextsOf('ar', 'bags', {
    title: 'الحقائب',
    onlyHere: 'هنا',
    bag_zero: 'لا حقائب',
    bag_one: 'حقيبة',
    bag_two: 'حقيبتان',
    bag_few: '{{count}} حقائب',
    bag_many: '{{count}} حقيبة',
    bag_other: '{{count}} حقيبة',
  })
  addTextsOf('en', 'bags', {
    title: 'Bags',
    bag_one: 'One bag of {{name}}',
    bag_other: '{{count}} bags of {{name}}',
    state: { open: 'Open', 'closed-late': 'Closed late' },
  })
  addTextsOf('en', 'places', { title: 'Places', mina: 'Mina' })
})

const inEnglish = (key: string, values?: TextValues, namespaces: readonly string[] = ['bags']) =>
  translate('en', namespaces, key, values)

it('a text is found by its path, in the namespaces of the component or the one that is named', () => {
  expect(inEnglish('state.closed-late')).toBe('Closed late')
  expect(inEnglish('title', {}, ['places', 'bags'])).toBe('Places')
  expect(inEnglish('state.open', {}, ['places', 'bags'])).toBe('Open')
  expect(inEnglish('places:mina')).toBe('Mina')
  expect(inEnglish('mina', { ns: 'places' })).toBe('Mina')
  expect(inEnglish('title', { lng: 'ar' })).toBe('الحقائب')
})

it.each<[LanguageCode, number, string]>([
  ['ar', 0, 'لا حقائب'],
  ['ar', 1, 'حقيبة'],
  ['ar', 2, 'حقيبتان'],
  ['ar', 7, '7 حقائب'],
  ['ar', 11, '11 حقيبة'],
  ['en', 1, 'One bag of $&'],
  ['en', 0, '0 bags of $&'],
])('a number has the form of its language: %s, %i', (language, count, text) => {
  expect(translate(language, ['bags'], 'bag', { count, name: '$&' })).toBe(text)
})

it('a text that a language lacks is that of the default language, then the default of the call, then the key', () => {
  expect(inEnglish('onlyHere')).toBe('هنا')
  expect(inEnglish('state.lost', { defaultValue: 'lost {{name}}' })).toBe('lost {{name}}')
  expect(inEnglish('bags:state.lost')).toBe('state.lost')
  // Parts of keys come from servers and addresses, too.
  for (const key of ['state', 'constructor', 'title.length', 'state.__proto__.constructor'])
    expect(inEnglish(key)).toBe(key)
})

it('a value that is missing leaves nothing', () => {
  expect(inEnglish('bag', { count: 2 })).toBe('2 bags of ')
})
