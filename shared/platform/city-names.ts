import { cityNameRows } from '#shared/platform/city-names.data.ts'
import type { LanguageCode } from '#shared/platform/language.ts'

const arabicBySpelling = new Map<string, string>(
  cityNameRows.flatMap(([arabic, ...spellings]) =>
    spellings.map((spelling) => [keyOf(spelling), arabic] as const),
  ),
)

export function cityName(english: string, language: LanguageCode): string {
  if (language !== 'ar') return english
  return arabicBySpelling.get(keyOf(english)) ?? english
}

export function isSameCity(one: string, other: string): boolean {
  return cityKey(one) !== '' && cityKey(one) === cityKey(other)
}

function cityKey(spelling: string) {
  const key = keyOf(spelling)
  return key === '' ? spelling.trim() : (arabicBySpelling.get(key) ?? key)
}

export function wordsOfCities(isAsked: (arabic: string) => boolean): string[] {
  const spellings = cityNameRows.flatMap(([arabic, ...english]) => (isAsked(arabic) ? english : []))
  const longest = (one: string, other: string) => (other.length > one.length ? other : one)
  return [...new Set(spellings.map((spelling) => wordsOf(spelling).reduce(longest, '')))]
}

function wordsOf(spelling: string) {
  return spelling
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`ʿʾ]/gu, '')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
}

/** The spellings `Al-Khobar`, `AL KHOBAR` and `Khobar` become equal. */
function keyOf(spelling: string) {
  const words = wordsOf(spelling)
  const [first = '', ...rest] = words
  const isArticle = rest.length > 0 && /^(al|ad|adh|an|ar|as|ash|at|ath|az)$/.test(first)
  return (isArticle ? rest : words).join('')
}
