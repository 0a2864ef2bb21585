import { useQuery } from '@tanstack/react-query'
import { agentsQuery, centersQuery } from '#client/entities/partner/partner.queries.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { StopKind } from '#shared/platform/stop.ts'

/** The name of the subject of a stop, for example of an agent or a city. */
export function useStopName(): (stop: { what: StopKind; code?: string }) => string {
  const { t } = useTranslation('desk-stops')
  const language = useLanguage()
  const { data: agents } = useQuery(agentsQuery)
  return ({ what, code = '' }) => {
    if (what === 'all') return t('what.all')
    if (what === 'city') return t('of.city', { name: cityName(code, language) })
    const agent = what === 'agent' ? agents?.agents.find(({ id }) => id === code) : undefined
    return t(`of.${what}`, { name: agent ? `${inLanguage(agent.name, language)} (${code})` : code })
  }
}

/** The codes that a stop may name, with their names. */
export function useStopCodes(what: StopKind): readonly { code: string; name: string }[] {
  const language = useLanguage()
  const { data: agents } = useQuery(agentsQuery)
  const { data: centers } = useQuery(centersQuery)
  if (what === 'agent')
    return agents?.agents.map(({ id, name }) => ({ code: id, name: inLanguage(name, language) })) ?? []
  if (what === 'branch')
    return (
      centers?.centers.map(({ code, addressAR, addressEN }) => ({
        code,
        name: language === 'ar' ? addressAR : addressEN,
      })) ?? []
    )
  if (what === 'all') return []
  const cities = new Set(centers?.centers.map(({ city }) => city))
  return [...cities].map((code) => ({ code, name: cityName(code, language) }))
}
