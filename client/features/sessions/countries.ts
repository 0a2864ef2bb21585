import { type CountryCode, getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import { foldForSearch } from '#client/platform/search.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'

export interface Country {
  readonly iso: CountryCode
  /** Without the plus: `966`. */
  readonly dialCode: string
  readonly name: string
  /** Arabic name, English name, ISO code and dial code, folded for search. */
  readonly searchText: string
}

export const defaultCountry: CountryCode = 'SA'

/** The Kingdom, then where most pilgrims come from (GASTAT, Hajj 2024), then the alphabet. */
const pinned: readonly CountryCode[] = [
  'SA',
  'ID',
  'PK',
  'IN',
  'BD',
  'EG',
  'NG',
  'TR',
  'IR',
  'DZ',
  'MA',
  'IQ',
]

/** Shares +212 with Morocco, and what to call it is disputed: a number from there is found under Morocco. */
const unlisted: ReadonlySet<CountryCode> = new Set(['EH'])

interface RegionNames {
  readonly short: Intl.DisplayNames
  readonly long: Intl.DisplayNames
}

const regionNames: Record<LanguageCode, RegionNames> = { ar: regionNamesIn('ar'), en: regionNamesIn('en') }

function regionNamesIn(language: LanguageCode): RegionNames {
  return {
    // The short list says فلسطين and هونغ كونغ, as people do.
    short: new Intl.DisplayNames([language], { type: 'region', style: 'short' }),
    long: new Intl.DisplayNames([language], { type: 'region' }),
  }
}

function searchTextOf(iso: CountryCode, dialCode: string): string {
  const names = Object.values(regionNames).flatMap(({ short, long }) => [short.of(iso), long.of(iso)])
  return foldForSearch([...names, iso, dialCode, `00${dialCode}`].join(' '))
}

/** Every country with a dial code, in the order a picker shows them. */
export function listCountries(language: LanguageCode): readonly Country[] {
  const collator = new Intl.Collator(languages[language].intl)
  return getCountries()
    .filter((iso) => !unlisted.has(iso))
    .map((iso) => {
      const dialCode = getCountryCallingCode(iso)
      return {
        iso,
        dialCode,
        name: regionNames[language].short.of(iso) ?? iso,
        searchText: searchTextOf(iso, dialCode),
      }
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
