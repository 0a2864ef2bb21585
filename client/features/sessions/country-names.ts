import type { CountryCode } from 'libphonenumber-js/min'
import { type LanguageCode, languages } from '#shared/platform/language.ts'

/** Chosen until the user chooses another, or types a number of another. The dial code is without the plus. */
export const defaultCountry = { iso: 'SA', dialCode: '966' } as const satisfies {
  iso: CountryCode
  dialCode: string
}

interface RegionNames {
  readonly short: Intl.DisplayNames
  readonly long: Intl.DisplayNames
}

export const regionNames = new Map(
  Object.values(languages).map(({ code }): [LanguageCode, RegionNames] => [
    code,
    {
      // CLDR's short names are the common ones: فلسطين, هونغ كونغ.
      short: new Intl.DisplayNames([code], { type: 'region', style: 'short' }),
      long: new Intl.DisplayNames([code], { type: 'region' }),
    },
  ]),
)

/** The common name of a country. */
export function countryName(iso: CountryCode, language: LanguageCode): string {
  return regionNames.get(language)?.short.of(iso) ?? iso
}
