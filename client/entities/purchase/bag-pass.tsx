import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import { type LocationFacts, nameOf } from '#client/entities/location/location.tsx'
import { CityBand } from '#client/entities/tag/city-band.tsx'
import { LuggageTag } from '#client/entities/tag/luggage-tag.tsx'
import { TagFact } from '#client/entities/tag/tag-parts.tsx'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Cord } from '#client/ui/cord.tsx'
import pageStyles from '#client/ui/page.module.css'
import { addressOf } from '#shared/orders/address.rules.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import type { LanguageCode } from '#shared/platform/language.ts'

interface BagPassProps {
  /** The places of hand-over: on a return trip first the outbound one, then the one of the way back. */
  readonly origins: readonly (LocationFacts | undefined)[]
  readonly destination: LocationFacts | undefined
  readonly receiver: string | null
}

/** The pass of a bag that is not paid for, on its cord: all but its barcode. */
export function BagPass({ origins, destination, receiver }: BagPassProps) {
  const { t } = useTranslation('purchase')
  const { maxWeightKg } = useLoadedConfig()
  const language = useLanguage()
  const city = destination?.city
  const branch = shortNameOf(destination, language)
  const isReturn = origins.length > 1
  const handOvers = origins.map((origin, index) => ({
    name: t(!isReturn ? 'handOver' : index === 0 ? 'handOverThere' : 'handOverBack'),
    place: shortNameOf(origin, language),
  }))
  return (
    <>
      <Cord className={`${pageStyles.toTag} ${pageStyles.onlyBeside}`} isLoose />
      <LuggageTag
        city={city}
        ear={
          <>
            <span>{t('oneBag')}</span>
            <span>{t('upTo', { weight: maxWeightKg })}</span>
          </>
        }
        band={<CityBand city={city} place={branch === undefined ? undefined : <bdi>{branch}</bdi>} />}
        facts={
          <>
            {receiver ? (
              <TagFact name={t('receiver')}>
                <bdi>{receiver}</bdi>
              </TagFact>
            ) : null}
            {handOvers.map(({ name, place }) =>
              place === undefined ? null : (
                <TagFact key={name} name={name}>
                  <bdi>{place}</bdi>
                </TagFact>
              ),
            )}
          </>
        }
        stub={<p>{t('barcodeLater')}</p>}
      />
    </>
  )
}

/** The name, or the address of a place without one. */
export function shortNameOf(location: LocationFacts | undefined, language: LanguageCode): string | undefined {
  if (location === undefined) return undefined
  const name = nameOf(location)
  return name ? inLanguage(name, language) : addressOf(location, language)
}
