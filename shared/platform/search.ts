import { foldDigits, latinDigits } from '#shared/platform/phone.ts'
import { classOf, leftOut, sameLetters, separators } from '#shared/platform/spelling.ts'

const expressionOf = (points: string, count = '') =>
  new RegExp(`${classOf(points, (point) => `\\u{${point.toString(16)}}`)}${count}`, 'gu')
const [omitted, between] = [expressionOf(leftOut), expressionOf(separators, '+')]
const spelling = new Map(sameLetters.flatMap(([letters, as]) => [...letters].map((letter) => [letter, as])))
const spelledAnew = new RegExp(`[${[...spelling.keys()].join('')}]`, 'gu')

/**
 * The words of a text in one spelling, separated by single spaces: without tashkeel, tatweel and hamza, with one
 * alef, yaa, kaf and taa marbuta, Latin digits and lower case. «مكّة المُكرّمة» and «مكه المكرمه» become equal.
 */
export function foldForSearch(text: string): string {
  if (/^[\x20-\x7E]*$/.test(text))
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  // Decomposition splits أ إ آ ؤ ئ into a letter and a mark, and é into e and a mark.
  const letters = text.normalize('NFKD').toLowerCase().replace(omitted, '')
  return latinDigits(letters)
    .replace(spelledAnew, (letter) => spelling.get(letter) ?? letter)
    .replace(between, ' ')
    .trim()
}

/**
 * A text for comparison: its words, each between spaces, and all of them joined, since many write «عبد الرحمن» as
 * «عبدالرحمن».
 */
export function searchTextOf(text: string): string {
  const words = foldForSearch(text)
  const joined = words.replaceAll(' ', '')
  if (words === '') return ''
  return joined === words ? ` ${words} ` : ` ${words} ${joined} `
}

export type Search = (texts: readonly (string | null | undefined)[]) => boolean

/** True when every word of the query occurs in one of the texts. An empty query matches everything. */
export function matchesSearch(query: string, texts: readonly (string | null | undefined)[]): boolean {
  return searchFor(query)(texts)
}

export function readQuery(query: string): { words: readonly string[]; digits: string | undefined } {
  const folded = foldForSearch(query)
  const number = folded.replace(/ /g, '')
  return {
    words: folded.split(' ').map((word) => (isShortNumber(word) ? ` ${word}` : word)),
    digits: /^\d{4,}$/.test(number) ? nationalOf(number) : undefined,
  }
}

export function searchFor(query: string): Search {
  const { words, digits: wanted } = readQuery(query)
  return (texts) => {
    const given = texts.filter((text) => typeof text === 'string')
    // Phones and numbers are typed with and without gaps, so digits are also compared without them.
    if (wanted !== undefined && given.some((text) => digitsOf(text).includes(wanted))) return true
    const haystack = given.map(searchTextOf).join('')
    return words.every((word) => haystack.includes(word))
  }
}

function digitsOf(text: string): string {
  const digits = /^[\x20-\x7E]*$/.test(text) ? text : foldDigits(text)
  return digits.replace(/\D/g, '')
}

/** Up to three digits occur in nearly every phone and airway bill, so they must begin a word. */
function isShortNumber(word: string): boolean {
  return /^\d{1,3}$/.test(word)
}

/** `0501234567` and `00966501234567` are found in `966501234567`. */
function nationalOf(number: string): string {
  return number.replace(/^0+/, '') || number
}
