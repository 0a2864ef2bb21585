import { expect, it } from 'vitest'
import { isReadableText, oneLine, severalLines } from './typed-text.ts'

it('what was typed on one line has no other line, nothing that hides or reorders, and no doubled spaces', () => {
  expect(oneLine(' \u202ecalled\n \u0000 us\u200f\t')).toBe('called us')
  expect(oneLine('مى\u200cخواهم')).toBe('مى\u200cخواهم')
  for (const nothing of ['     ', '\u0000\u0000\u0000\u0000\u0000', '\u2028\u2066 \ufeff'])
    expect(oneLine(nothing)).toBe('')
})

it('what was typed with lines keeps them, with one empty line between at most', () => {
  expect(severalLines(' One\u202e \r\n\u0000two \n\n\n\nthree\t3 ')).toBe('One\ntwo\n\nthree 3')
  expect(severalLines('\u0000\r\n \n\u2066')).toBe('')
})

it.each([
  ['a filler of Hangul', '\u3164'],
  ['another filler', '\u115f'],
  ['a joiner of marks', '\u034f'],
  ['a soft hyphen', '\u00ad'],
  ['a tag', '\u{e0041}'],
  ['a joiner without a letter', '\u200d'],
  ['a variation selector without a letter', '\ufe0f'],
])('%s is no character that somebody can read', (_, character) => {
  expect(oneLine(character.repeat(5))).toBe('')
  expect(oneLine(`called${character.repeat(9)} us`).length).toBeLessThanOrEqual('called us'.length + 2)
  expect(severalLines(`. ${character.repeat(5)}\n${character}`)).toBe('.')
})

it('joiners and variation selectors stay where they are spelling', () => {
  for (const text of [
    'مى\u200cخواهم',
    'سنة ١٤٤٨ه\u200d تقريبا',
    'क्\u200dष',
    '\u{1f469}\u{1f3fd}\u200d\u{1f680} seen',
    '❤\ufe0f thanks',
  ])
    expect(oneLine(text)).toBe(text)
})

it('a text of signs and digits is no reason', () => {
  for (const text of ['.....', '12345', '- - -', '\u3164'.repeat(5), '\u2800'.repeat(9), '😀😀😀'])
    expect(isReadableText(text, 5)).toBe(false)
  for (const text of ['اتصل بنا', 'called us', 'Lost 3 bags', 'ہاں\u200cجی'])
    expect(isReadableText(text, 5)).toBe(true)
})
