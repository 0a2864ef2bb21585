import { foldDigits } from '#shared/platform/phone.ts'

/**
 * Normalises a text for search: without tashkeel, tatweel and hamza, with one spelling of
 * alef, yaa, kaf and taa marbuta, Latin digits and lower case. «مكّة المُكرّمة» and «مكه المكرمه» become equal.
 */
export function foldForSearch(text: string): string {
  // Enough for numbers, references and most English, and much cheaper.
  if (/^[\x20-\x7E]*$/.test(text))
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  return (
    foldDigits(text)
      .toLowerCase()
      // Decomposition splits أ إ آ ؤ ئ into a letter and a mark, and é into e and a mark.
      .normalize('NFKD')
      .replace(/[\p{M}\u0640\u0621]/gu, '')
      .replace(/\u0671/g, '\u0627')
      .replace(/[\u0649\u06CC]/g, '\u064A')
      .replace(/\u06A9/g, '\u0643')
      .replace(/[\u0629\u06C1]/g, '\u0647')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  )
}

/** Tells whether a query matches texts. */
export type Search = (texts: readonly (string | null | undefined)[]) => boolean

/** True when every word of the query occurs in one of the texts. An empty query matches everything. */
export function matchesSearch(query: string, texts: readonly (string | null | undefined)[]): boolean {
  return searchFor(query)(texts)
}

/** What a query asks for: texts with all words, each as it must occur, or with the digits. */
export function readQuery(query: string): { words: readonly string[]; digits: string | undefined } {
  const folded = foldForSearch(query)
  const number = folded.replace(/ /g, '')
  return {
    words: folded.split(' ').map((word) => (isShortNumber(word) ? ` ${word}` : word)),
    digits: /^\d{4,}$/.test(number) ? nationalOf(number) : undefined,
  }
}

/** As `matchesSearch`, with the query read once for many texts. */
export function searchFor(query: string): Search {
  const { words, digits: wanted } = readQuery(query)
  return (texts) => {
    const given = texts.filter((text) => typeof text === 'string')
    // Phones and numbers are typed with and without gaps, so digits are also compared without them.
    if (wanted !== undefined && given.some((text) => digitsOf(text).includes(wanted))) return true
    const haystack = ` ${given.map(foldForSearch).join(' ')}`
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
