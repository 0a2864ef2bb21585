import { describe, expect, it } from 'vitest'
import { loadTexts } from './texts.ts'

const en = {
  hello: 'Hello {{name}}, order {{order}}',
  group: { deep: 'Deep' },
  empty: '',
  bills_one: 'one bill',
  bills_other: '{{count}} bills',
}
const ar = {
  hello: 'مرحبًا {{name}}، الطلب {{order}}',
  bills_zero: 'لا بوالص',
  bills_one: 'بوليصة',
  bills_two: 'بوليصتان',
  bills_few: '{{count}} بوالص',
  bills_many: '{{count}} بوليصة',
  bills_other: '{{count}} بوليصة',
}
const textsIn = loadTexts('texts.test', { ar, en })
const [arabic, english] = [textsIn('ar'), textsIn('en')]

describe('a text', () => {
  it('has its values, in the language that was asked for', () => {
    const values = { name: 'Sami', order: 'OD-1' }
    expect([arabic('hello', values), english('hello', values)]).toEqual([
      'مرحبًا Sami، الطلب OD-1',
      'Hello Sami, order OD-1',
    ])
    expect(english('group.deep')).toBe('Deep')
  })

  it('has the plural form of its language', () => {
    expect([0, 1, 2, 3, 11, 100].map((count) => arabic('bills', { count }))).toEqual([
      'لا بوالص',
      'بوليصة',
      'بوليصتان',
      '3 بوالص',
      '11 بوليصة',
      '100 بوليصة',
    ])
    expect([1, 2].map((count) => english('bills', { count }))).toEqual(['one bill', '2 bills'])
  })

  it.each(['{{order}}', '$t(group.deep)', '$&', '$1', '<b>&amp;</b>', '{{- order}}'])(
    'shows a value as it is: %s',
    (name) => {
      expect(english('hello', { name, order: 'OD-1' })).toBe(`Hello ${name}, order OD-1`)
    },
  )

  it('throws for a key that its language has not, and takes no other language instead', () => {
    expect(() => arabic('group.deep')).toThrow('no text group.deep')
  })

  it.each(['absent', 'group', 'empty', 'hello.deep'])('throws for %s, which is no text', (key) => {
    expect(() => english(key as 'hello', { name: '', order: '' })).toThrow(`no text ${key}`)
  })

  it('throws for a placeholder without a value, and quotes no other value', () => {
    expect(() => english('hello', { name: 'Sami' })).toThrow(/^a text has no value for \{\{order\}\}$/)
    expect(() => english('hello')).toThrow('no value for {{name}}')
  })

  it('throws for a language that has no catalogue', () => {
    expect(() => textsIn('fr' as 'en')('group.deep')).toThrow('no text group.deep')
  })
})

it('a wrong key fails the types', () => {
  // @ts-expect-error: no such key
  expect(() => english('hallo')).toThrow()
  // @ts-expect-error: a group is no text
  expect(() => english('group')).toThrow()
  // @ts-expect-error: the form follows from `count`
  expect(english('bills_one')).toBe('one bill')
})
