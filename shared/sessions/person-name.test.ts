import { describe, expect, it } from 'vitest'
import { personNameMaxLength, readPersonName } from './person-name.ts'

describe('a name', () => {
  it.each([
    ['  عبد   الله ', 'عبد الله'],
    ['A\u00a0\u00a0B', 'A B'],
    ['Ame\u0301lie', 'Amélie'],
    ['\u0627\u0653\u0645\u0646\u0629', 'آمنة'],
    ["Sa'd Al-Harbi Jr.", "Sa'd Al-Harbi Jr."],
    ['Muhammad ʿAbd al-Raḥmān', 'Muhammad ʿAbd al-Raḥmān'],
    ['مهدی علی\u200cزاده', 'مهدی علی\u200cزاده'],
    ['محمد اِقبال خاں', 'محمد اِقبال خاں'],
    ['محـمـد', 'محـمـد'],
    ['Siti Nurhaliza binti Tarudin', 'Siti Nurhaliza binti Tarudin'],
    ['马 明', '马 明'],
    ['අබ්දුල් ක්\u200dරම්', 'අබ්දුල් ක්\u200dරම්'],
    ['ᠮᠣᠩᠭᠣᠯ\u180b', 'ᠮᠣᠩᠭᠣᠯ\u180b'],
    ['𞤢𞤣𞤤𞤢𞤥', '𞤢𞤣𞤤𞤢𞤥'],
    ['H2O Khan 3rd', 'H2O Khan 3rd'],
  ])('%j is stored as %j', (typed, name) => {
    expect(readPersonName(typed)).toEqual({ name })
  })

  it.each(['', '   ', '\u00a0', '\u3000', '\u0640', ' \u0640\u0640 \u0640'])('%j is not a name', (typed) => {
    expect(readPersonName(typed)).toEqual({ fault: 'NAME_REQUIRED' })
  })

  it.each([
    ['right-to-left override', 'Sara\u202emoc'],
    ['isolate', '\u2066Sara\u2069'],
    ['mark of direction', 'Sara\u200f'],
    ['soft hyphen', 'Sa\u00adra'],
    ['byte order mark', '\ufeffSara'],
    ['zero width space', 'Sa\u200bra'],
    ['tag character', 'Sara\u{e0041}'],
    ['next line', 'Sara\u0085Ali'],
    ['line separator', 'Sara\u2028Ali'],
    ['paragraph separator', 'Sara\u2029Ali'],
    ['line feed', 'Sara\nAli'],
    ['tab', 'Sara\tAli'],
    ['null', 'Sara\u0000'],
    ['high surrogate alone', 'Sara\ud800'],
    ['low surrogate alone', '\udc00Sara'],
    ['private use character', 'Sara\ue000'],
    ['unassigned character', 'Sara\u0378'],
    ['digits alone', '12345'],
    ['joiners alone', '\u200c\u200d'],
    ['invisible letters alone', '\u3164\uffa0\u115f'],
    ['an invisible letter behind others', 'Sara\u3164'],
    ['a joiner of marks', 'Sa\u034fra'],
    ['marks alone', '\u0301\u064b'],
    ['pictures alone', '💥'],
  ])('with or of %s is refused', (_, typed) => {
    expect(readPersonName(typed)).toEqual({ fault: 'NAME_INVALID' })
  })

  it('is limited in length in its stored form, counted in characters', () => {
    expect(readPersonName('𠮷'.repeat(personNameMaxLength))).toHaveProperty('name')
    expect(readPersonName('x'.repeat(personNameMaxLength + 1))).toEqual({ fault: 'NAME_INVALID' })
    // Composing makes three characters of this one.
    expect(readPersonName('\ufb2c'.repeat(personNameMaxLength))).toEqual({ fault: 'NAME_INVALID' })
  })
})
