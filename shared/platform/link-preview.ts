import { brand } from './brand.ts'
import { cityCode, codedCities } from './city-codes.ts'
import { cityName } from './city-names.ts'
import type { LanguageCode } from './language.ts'

export const previewCity = 'city'

const bagTo: Readonly<Record<LanguageCode, (city: string) => string>> = {
  ar: (city) => `حقيبة إلى ${city}`,
  en: (city) => `A bag to ${city}`,
}

interface LinkPreview {
  readonly title: string
  readonly picture: string
  readonly letters: string | undefined
}

export function previewOf(city: unknown, language: LanguageCode): LinkPreview {
  const letters = typeof city === 'string' ? cityCode(city) : undefined
  const picture = `/previews/${letters?.toLowerCase() ?? 'bag'}.${language}.png`
  if (typeof city !== 'string' || letters === undefined)
    return { title: brand.tagline[language], picture, letters }
  return { title: bagTo[language](cityName(city, language)), picture, letters }
}

export const previewsIn = (language: LanguageCode): readonly LinkPreview[] =>
  [undefined, ...codedCities].map((city) => previewOf(city, language))
