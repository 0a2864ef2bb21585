import type { Location } from '#shared/orders/orders.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import type { LanguageCode } from '#shared/platform/language.ts'

/** Name and address in one line; undefined when neither is known. */
export function placeOf(
  { name, address, addressAR, addressEN }: Location,
  language: LanguageCode,
): string | undefined {
  const own = language === 'ar' ? addressAR : addressEN
  const parts = [name && inLanguage(name, language), own || (address && inLanguage(address, language))]
  return parts.filter(Boolean).join(language === 'ar' ? '، ' : ', ') || undefined
}
