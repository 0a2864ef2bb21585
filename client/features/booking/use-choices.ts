import { useMemo } from 'react'
import { addressOf } from '#shared/orders/address.rules.ts'
import type { BranchHours, Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { citiesOf } from './booking.rules.ts'
import { addressParts, type Branch } from './branches.rules.ts'
import type { Choice } from './choice-picker.tsx'

export interface BranchChoice extends Branch {
  readonly hours: BranchHours | undefined
}

export interface PartnerLists {
  readonly centers: readonly Center[]
  readonly agents: readonly PartnerAgent[]
}

/** Most of the partner's addresses end with the city: the city then gets no second line. */
function linesOf(address: string, city: string): readonly string[] {
  return address.endsWith(city) ? [address] : [address, city]
}

/** The partner's lists as choices in `language`, sorted; empty while they load. */
export function useChoices(lists: PartnerLists | undefined, language: LanguageCode) {
  const { centers, agents } = lists ?? {}
  return useMemo(() => {
    const compare = new Intl.Collator(language, { numeric: true }).compare
    const named = (city: string) => cityName(city, language)
    const cities: readonly Choice[] = citiesOf(centers ?? [], named, compare).map((city) => ({
      ...city,
      city: city.value,
      alsoFoundBy: [city.value, cityName(city.value, 'ar')],
    }))
    const branchesIn = (city: string | null): readonly BranchChoice[] =>
      (centers ?? [])
        .filter((center) => center.city === city)
        .map((center) => {
          const label = addressOf(center, language) ?? center.addressAR ?? center.code
          return {
            value: center.code,
            label,
            address: addressParts(label),
            alsoFoundBy: [center.addressAR, center.addressEN, center.code],
            coordinates: center.coordinates,
            hours: center.hours,
          }
        })
        .sort((a, b) => compare(a.label, b.label))
    const agentChoices: readonly Choice[] = (agents ?? [])
      .map((agent) => ({
        value: agent.id,
        label: inLanguage(agent.name, language),
        details: linesOf(inLanguage(agent.address, language), named(agent.city)),
        phone: agent.phone,
        area: named(agent.city),
        alsoFoundBy: [agent.name, agent.address, agent.city],
        coordinates: agent.coordinates,
      }))
      .sort((a, b) => compare(a.label, b.label))
    return { cities, branchesIn, agents: agentChoices, compare }
  }, [centers, agents, language])
}

export type Choices = ReturnType<typeof useChoices>
