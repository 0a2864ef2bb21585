import { foldDigits } from '#shared/platform/phone.ts'

/**
 * Brings a text into the form searches compare: without tashkeel, tatweel and hamza, with one spelling of
 * alef, yaa, kaf and taa marbuta, Latin digits and lower case. «مكّة المُكرّمة» and «مكه المكرمه» become equal.
 */
export function foldForSearch(text: string): string {
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

/** True when every word of the query occurs in one of the texts. An empty query matches everything. */
export function matchesSearch(query: string, texts: readonly (string | null | undefined)[]): boolean {
  const given = texts.filter((text) => typeof text === 'string')
  const haystack = ` ${given.map(foldForSearch).join(' ')}`
  // Phones and numbers are typed with and without gaps, so digits are also compared without them.
  const digits = given.map((text) => foldDigits(text).replace(/\D/g, '')).join(' ')
  const folded = foldForSearch(query)
  const number = folded.replace(/ /g, '')
  if (/^\d{4,}$/.test(number) && digits.includes(nationalOf(number))) return true
  return folded.split(' ').every((word) => haystack.includes(isShortNumber(word) ? ` ${word}` : word))
}

/** Two digits occur somewhere in nearly every phone and airway bill: so few must begin a word. */
function isShortNumber(word: string): boolean {
  return /^\d{1,3}$/.test(word)
}

/** `0501234567` and `00966501234567` are found in `966501234567`. */
function nationalOf(number: string): string {
  return number.replace(/^0+/, '') || number
}
