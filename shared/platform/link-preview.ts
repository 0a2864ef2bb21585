import { brand } from './brand.ts'
import { cityCode, codedCities } from './city-codes.ts'
import { cityName } from './city-names.ts'
import type { LanguageCode } from './language.ts'

/** In the address of a page: the city that its preview names, in English. */
export const previewCity = 'city'

const bagTo: Readonly<Record<LanguageCode, (city: string) => string>> = {
  ar: (city) => `حقيبة إلى ${city}`,
  en: (city) => `A bag to ${city}`,
}

/** The preview of a link in messengers. */
interface LinkPreview {
  readonly title: string
  /** The address of the picture. */
  readonly picture: string
  /** The letters on its tag; undefined without a city. */
  readonly letters: string | undefined
}

/** The preview for a city; the product's own for an unknown city. */
export function previewOf(city: unknown, language: LanguageCode): LinkPreview {
  const letters = typeof city === 'string' ? cityCode(city) : undefined
  const picture = `/previews/${letters?.toLowerCase() ?? 'bag'}.${language}.png`
  if (typeof city !== 'string' || letters === undefined)
    return { title: brand.tagline[language], picture, letters }
  return { title: bagTo[language](cityName(city, language)), picture, letters }
}

/** Every preview that there is in a language. */
export const previewsIn = (language: LanguageCode): readonly LinkPreview[] =>
  [undefined, ...codedCities].map((city) => previewOf(city, language))
