import { type LanguageCode, languages } from '#shared/platform/language.ts'
import type { FieldText } from './errors.ts'

/** Saudi time: phones are often set to the home country's. */
const timeZone = 'Asia/Riyadh'

const formats = Object.values(languages).map(
  ({ code, intl }) =>
    [code, new Intl.DateTimeFormat(intl, { dateStyle: 'long', timeStyle: 'short', timeZone })] as const,
)

/** Date and time in Riyadh as the text of an error, in every language. */
export function timeInWords(epochMs: number): FieldText {
  const texts = formats.map(([code, format]) => [code, format.format(epochMs)] as const)
  return Object.fromEntries(texts) as Record<LanguageCode, string>
}
