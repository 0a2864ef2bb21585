import { addressOf } from '#shared/orders/address.rules.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'

/** A location in one line: its name or else its address, and its city. */
export function placeText(location: Location, language: LanguageCode): string {
  const { name, city } = location
  const called = name === undefined ? addressOf(location, language) : inLanguage(name, language)
  const inCity = city === undefined ? undefined : cityName(city, language)
  const parts = [
    called,
    called !== undefined && inCity !== undefined && called.endsWith(inCity) ? undefined : inCity,
  ]
  return parts.filter((part) => part !== undefined && part !== '').join(language === 'ar' ? '، ' : ', ')
}
