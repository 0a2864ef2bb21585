import { type CountryCode, getCountries } from 'libphonenumber-js/core'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { foldForSearch } from '#shared/platform/search.ts'
import { countryName, namesOfCountry } from './country-names.ts'
import { getCountryCallingCode } from './phone.rules.ts'
import { phoneMetadata } from './phone-metadata.ts'

export interface Country {
  readonly iso: CountryCode
  /** Without the plus: `966`. */
  readonly dialCode: string
  readonly name: string
  /** Arabic name, English name, ISO code and dial code, folded for search. */
  readonly searchText: string
}

/** Listed first: Saudi Arabia, then the countries most pilgrims come from (GASTAT, Hajj 2024). */
// biome-ignore format: a list of codes is read as one line, not one code per line
const pinned: readonly CountryCode[] = ['SA', 'ID', 'PK', 'IN', 'BD', 'EG', 'NG', 'TR', 'IR', 'DZ', 'MA', 'IQ']

/** Not listed: EH shares +212 with Morocco, and its name is disputed. */
const unlisted: ReadonlySet<CountryCode> = new Set(['EH'])

function searchTextOf(iso: CountryCode, dialCode: string): string {
  return foldForSearch([...namesOfCountry(iso), iso, dialCode, `00${dialCode}`].join(' '))
}

/** Every country with a dial code: pinned countries first, then by name in `language`. */
export function listCountries(language: LanguageCode): readonly Country[] {
  const collator = new Intl.Collator(languages[language].intl)
  return getCountries(phoneMetadata)
    .filter((iso) => !unlisted.has(iso))
    .map((iso) => {
      const dialCode = getCountryCallingCode(iso)
      return { iso, name: countryName(iso, language), dialCode, searchText: searchTextOf(iso, dialCode) }
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
