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
    // Hidden characters are copied with a name, and are invisible when typing.
    ['محمد \u200f علي', 'محمد علي'],
    ['Sara\u202emoc', 'Saramoc'],
    ['\u2066Sara\u2069', 'Sara'],
    ['Sa\u00adra', 'Sara'],
    ['\ufeffSara', 'Sara'],
    ['Sa\u200bra', 'Sara'],
    ['Sara\u{e0041}', 'Sara'],
    ['\u061cسارة', 'سارة'],
    ['Sara\u0000\u0085', 'Sara'],
    ['Sara\nAli\tOmar\u2028Ali\u2029', 'Sara Ali Omar Ali'],
    ['Ame\u200e\u0301lie', 'Amélie'],
  ])('%j is stored as %j', (typed, name) => {
    expect(readPersonName(typed)).toEqual({ name })
  })

  it.each(['', '   ', '\u200f\u2066', '\u0000', '\u00a0', '\u3000', '\u0640', ' \u0640\u0640 \u0640'])(
    '%j is not a name',
    (typed) => {
      expect(readPersonName(typed)).toEqual({ fault: 'NAME_REQUIRED' })
    },
  )

  it.each([
    ['high surrogate alone', 'Sara\ud800'],
    ['low surrogate alone', '\udc00Sara'],
    ['private use character', 'Sara\ue000'],
    ['unassigned character', 'Sara\u0378'],
    ['digits alone', '12345'],
    ['hidden characters and digits', '\u200f12'],
    ['joiners alone', '\u200c\u200d'],
    ['marks alone', '\u0301\u064b'],
    ['pictures alone', '💥'],
  ])('with or of %s is refused', (_, typed) => {
    expect(readPersonName(typed)).toEqual({ fault: 'NAME_INVALID' })
  })

  it('loses hidden characters', () => {
    expect(readPersonName('Sara\u3164')).toEqual({ name: 'Sara' })
    expect(readPersonName('Sa\u034fra')).toEqual({ name: 'Sara' })
    expect(readPersonName('\u3164\uffa0\u115f')).toEqual({ fault: 'NAME_REQUIRED' })
  })

  it('is limited in length in its stored form, counted in characters', () => {
    expect(readPersonName('𠮷'.repeat(personNameMaxLength))).toHaveProperty('name')
    expect(readPersonName('x'.repeat(personNameMaxLength + 1))).toEqual({ fault: 'NAME_TOO_LONG' })
    expect(readPersonName(`${'\u200f x'.repeat(personNameMaxLength / 2)}`)).toHaveProperty('name')
    // Composing makes three characters of this one.
    expect(readPersonName('\ufb2c'.repeat(personNameMaxLength))).toEqual({ fault: 'NAME_TOO_LONG' })
  })
})
