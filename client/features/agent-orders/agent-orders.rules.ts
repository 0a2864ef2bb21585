import type { AgentOrderPage } from '#shared/orders/orders.schemas.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { foldForSearch } from '#shared/platform/search.ts'

/** A part of `agentOrderStates`: nothing records hand-overs yet, so `received` is not offered. */
export const filterStates = ['waiting', 'refused'] as const

/** The filters in the address. Null: all states, all cities, newest first. */
export interface Filters {
  readonly state: (typeof filterStates)[number] | null
  /** As the partner spells it. */
  readonly city: string | null
  readonly order: 'oldest' | null
}

/** The server's limit. */
const longestCity = 100

export function readFilters(query: URLSearchParams): Filters {
  const city = query.get('city') ?? ''
  return {
    state: filterStates.find((each) => each === query.get('state')) ?? null,
    city: city !== '' && city.length <= longestCity ? city : null,
    order: query.get('order') === 'oldest' ? 'oldest' : null,
  }
}

/** True when the filters leave orders out; sorting does not. */
export function isFiltering({ state, city }: Filters): boolean {
  return state !== null || city !== null
}

/** The number of orders that match the filters; undefined with a city, because the counts cover all cities. */
export function totalOf(counts: AgentOrderPage['counts'], { state, city }: Filters): number | undefined {
  if (city !== null) return undefined
  return state === null ? counts.waiting + counts.received + counts.refused : counts[state]
}

/** The text to search for: empty without a letter or digit, such as the `+` of a phone. */
export function searchedWords(typed: string): string {
  return foldForSearch(typed) === '' ? '' : typed.trim()
}

/** The branches' cities, sorted by their names in `language`, and always the chosen one. */
export function cityOptions(
  cities: readonly string[],
  chosen: string | null,
  language: LanguageCode,
): { value: string; text: string }[] {
  return [...new Set(chosen === null ? cities : [...cities, chosen])]
    .map((value) => ({ value, text: cityName(value, language) }))
    .sort((a, b) => a.text.localeCompare(b.text, language))
}
