import { useTranslation } from 'react-i18next'
import { Pass, PassFact } from '#client/entities/airway-bill/pass.tsx'
import { addressOf, type LocationFacts, nameOf } from '#client/entities/location/location.tsx'
import { useLanguage } from '#client/platform/i18n.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import './purchase.css'
import './purchase.texts.ts'

interface BagPassProps {
  readonly maxWeightKg: number
  readonly origin: LocationFacts | undefined
  readonly destination: LocationFacts | undefined
  readonly receiver: string | null
}

/** The pass of a bag that is not paid for: all but its barcode. */
export function BagPass({ maxWeightKg, origin, destination, receiver }: BagPassProps) {
  const { t } = useTranslation('purchase')
  const language = useLanguage()
  const branch = shortNameOf(destination, language)
  const agent = shortNameOf(origin, language)
  return (
    <Pass
      start={t('oneBag')}
      end={t('upTo', { weight: maxWeightKg })}
      city={destination?.city}
      branch={branch === undefined ? undefined : <bdi>{branch}</bdi>}
      facts={
        <>
          {receiver ? (
            <PassFact name={t('receiver')}>
              <bdi>{receiver}</bdi>
            </PassFact>
          ) : null}
          {agent === undefined ? null : (
            <PassFact name={t('handOver')}>
              <bdi>{agent}</bdi>
            </PassFact>
          )}
        </>
      }
    >
      <p className="pass-paper bag-pass-blank">{t('barcodeLater')}</p>
    </Pass>
  )
}

/** The name, or the address of a place without one. */
function shortNameOf(location: LocationFacts | undefined, language: LanguageCode): string | undefined {
  if (location === undefined) return undefined
  const name = nameOf(location)
  return name ? inLanguage(name, language) : addressOf(location, language)
}
