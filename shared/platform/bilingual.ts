import type { LanguageCode } from '#shared/platform/language.ts'

const separator = ' · '
const hasArabic = (text: string) => /\p{Script=Arabic}/u.test(text)
const hasLatin = (text: string) => /\p{Script=Latin}/u.test(text)

/** The partner writes both languages in one text: `وكيل منى 1 · Mina Agent 1`. */
export function inLanguage(text: string, language: LanguageCode): string {
  const at = text.indexOf(separator)
  if (at < 0) return text
  const arabic = text.slice(0, at)
  const latin = text.slice(at + separator.length)
  if (!hasArabic(arabic) || hasArabic(latin) || !hasLatin(latin)) return text
  return language === 'ar' ? arabic : latin
}
