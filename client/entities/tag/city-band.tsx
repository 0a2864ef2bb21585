import type { ReactNode } from 'react'
import { useLanguage } from '#client/platform/i18n.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { Band } from './tag-parts.tsx'

interface CityBandProps {
  /** In English, as the partner names it. Undefined: not chosen yet. */
  readonly city: string | undefined
  /** Below the city: the branch. */
  readonly place?: ReactNode
}

/** Destination of a bag with its letters. */
export function CityBand({ city, place }: CityBandProps) {
  const language = useLanguage()
  return <Band city={city} name={city && cityName(city, language)} place={place} />
}
