import type { CountryCode } from 'libphonenumber-js/core'
import { type LanguageCode, languages } from '#shared/platform/language.ts'

/**
 * The country that is selected until the user selects another, or types a number with another country code. The dial code has no
 * plus. Its name is the text `defaultCountry`, because the first use of `Intl.DisplayNames` keeps a phone busy longer than
 * everything else on the sign-in page.
 */
export const defaultCountry = { iso: 'SA', dialCode: '966' } as const satisfies {
  iso: CountryCode
  dialCode: string
}

/** CLDR's short names are the common ones: فلسطين, هونغ كونغ. */
const styles = ['short', 'long'] as const

const regionNames = new Map<string, Intl.DisplayNames>()

function regionNamesIn(language: LanguageCode, style: (typeof styles)[number]): Intl.DisplayNames {
  const key = `${language} ${style}`
  const names = regionNames.get(key) ?? new Intl.DisplayNames([language], { type: 'region', style })
  regionNames.set(key, names)
  return names
}

/** The common name of a country. */
export function countryName(iso: CountryCode, language: LanguageCode): string {
  return regionNamesIn(language, 'short').of(iso) ?? iso
}

/** The common and the full name of the country in every language. */
export function namesOfCountry(iso: CountryCode): string[] {
  const all = Object.values(languages).flatMap(({ code }) =>
    styles.map((style) => regionNamesIn(code, style).of(iso)),
  )
  return all.filter((name) => name !== undefined)
}
