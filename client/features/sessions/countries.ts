import { type CountryCode, getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { foldForSearch } from '#shared/platform/search.ts'

export interface Country {
  readonly iso: CountryCode
  /** Without the plus: `966`. */
  readonly dialCode: string
  readonly name: string
  /** Arabic name, English name, ISO code and dial code, folded for search. */
  readonly searchText: string
}

export const defaultCountry: CountryCode = 'SA'

/** Listed first: Saudi Arabia, then the countries most pilgrims come from (GASTAT, Hajj 2024). */
// biome-ignore format: a list of codes is read as one line, not one code per line
const pinned: readonly CountryCode[] = ['SA', 'ID', 'PK', 'IN', 'BD', 'EG', 'NG', 'TR', 'IR', 'DZ', 'MA', 'IQ']

/** Not listed: EH shares +212 with Morocco, and its name is disputed. */
const unlisted: ReadonlySet<CountryCode> = new Set(['EH'])

interface RegionNames {
  readonly short: Intl.DisplayNames
  readonly long: Intl.DisplayNames
}

const regionNames = new Map(
  Object.values(languages).map(({ code }): [LanguageCode, RegionNames] => [
    code,
    {
      // CLDR's short names are the common ones: فلسطين, هونغ كونغ.
      short: new Intl.DisplayNames([code], { type: 'region', style: 'short' }),
      long: new Intl.DisplayNames([code], { type: 'region' }),
    },
  ]),
)

function searchTextOf(iso: CountryCode, dialCode: string): string {
  const names = [...regionNames.values()].flatMap(({ short, long }) => [short.of(iso), long.of(iso)])
  return foldForSearch([...names, iso, dialCode, `00${dialCode}`].join(' '))
}

/** The name of a country, and its dial code without the plus. */
export function countryOf(iso: CountryCode, language: LanguageCode): Pick<Country, 'name' | 'dialCode'> {
  return {
    name: regionNames.get(language)?.short.of(iso) ?? iso,
    dialCode: getCountryCallingCode(iso),
  }
}

/** Every country with a dial code: pinned countries first, then by name in `language`. */
export function listCountries(language: LanguageCode): readonly Country[] {
  const collator = new Intl.Collator(languages[language].intl)
  return getCountries()
    .filter((iso) => !unlisted.has(iso))
    .map((iso) => {
      const { name, dialCode } = countryOf(iso, language)
      return { iso, name, dialCode, searchText: searchTextOf(iso, dialCode) }
    })
    .sort((a, b) => rankOf(a.iso) - rankOf(b.iso) || collator.compare(a.name, b.name))
}

function rankOf(iso: CountryCode): number {
  const rank = pinned.indexOf(iso)
  return rank === -1 ? pinned.length : rank
}

/** True when each word of the query starts a word of the country: «سعود», `saud`, `SA`, `+966`, `٩٦٦`. */
export function isCountryFound(country: Country, query: string): boolean {
  const words = country.searchText.split(' ')
  return foldForSearch(query)
    .split(' ')
    .every((part) => words.some((word) => word.startsWith(part) || word.startsWith(`ال${part}`)))
}
