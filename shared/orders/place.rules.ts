import { inLanguage } from '#shared/platform/bilingual.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { addressOf } from './address.rules.ts'
import type { Location } from './orders.schemas.ts'

export function placeOf(location: Location, language: LanguageCode): string | undefined {
  const name = location.name && inLanguage(location.name, language)
  const parts = [name, addressOf(location, language)].filter(Boolean)
  return parts.join(language === 'ar' ? '، ' : ', ') || undefined
}
