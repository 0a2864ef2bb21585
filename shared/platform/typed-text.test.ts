import { expect, it } from 'vitest'
import { oneLine, severalLines } from './typed-text.ts'

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
