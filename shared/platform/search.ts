import { foldDigits, latinDigits } from '#shared/platform/phone.ts'
import { classOf, leftOut, sameLetters, separators } from '#shared/platform/spelling.ts'

const expressionOf = (points: string, count = '') =>
  new RegExp(`${classOf(points, (point) => `\\u{${point.toString(16)}}`)}${count}`, 'gu')
const [omitted, between] = [expressionOf(leftOut), expressionOf(separators, '+')]
const spelling = new Map(sameLetters.flatMap(([letters, as]) => [...letters].map((letter) => [letter, as])))
const spelledAnew = new RegExp(`[${[...spelling.keys()].join('')}]`, 'gu')

/** Makes different spellings of a word equal: «مكّة المُكرّمة» and «مكه المكرمه». */
export function foldForSearch(text: string): string {
  if (/^[\x20-\x7E]*$/.test(text))
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  const letters = text.normalize('NFKD').toLowerCase().replace(omitted, '')
  return latinDigits(letters)
    .replace(spelledAnew, (letter) => spelling.get(letter) ?? letter)
    .replace(between, ' ')
    .trim()
}

/** Adds all words joined, because many people write «عبد الرحمن» as «عبدالرحمن». */
export function searchTextOf(text: string): string {
  const words = foldForSearch(text)
  const joined = words.replaceAll(' ', '')
  if (words === '') return ''
  return joined === words ? ` ${words} ` : ` ${words} ${joined} `
}

type Texts = readonly (string | null | undefined)[]

/** True when every word of the query occurs, each in any of the texts. An empty query matches everything. */
export const matchesSearch = (query: string, texts: Texts): boolean => searchFor(query)(texts)

export function readQuery(query: string) {
  const folded = foldForSearch(query)
  const number = folded.replace(/ /g, '')
  return {
    // Up to three digits occur in nearly every phone and airway bill, so they match only the beginning of a word.
    words: folded.split(' ').map((word) => (/^\d{1,3}$/.test(word) ? ` ${word}` : word)),
    // Without leading zeros, `0501234567` and `00966501234567` are found in `966501234567`.
    digits: /^\d{4,}$/.test(number) ? number.replace(/^0+/, '') || number : undefined,
  }
}

export function searchFor(query: string): (texts: Texts) => boolean {
  const { words, digits: wanted } = readQuery(query)
  return (texts) => {
    const given = texts.filter((text) => typeof text === 'string')
    if (wanted !== undefined && given.some((text) => digitsOf(text).includes(wanted))) return true
    const haystack = given.map(searchTextOf).join('')
    return words.every((word) => haystack.includes(word))
  }
}

const digitsOf = (text: string) => foldDigits(text).replace(/\D/g, '')
