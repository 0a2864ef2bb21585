import { useTranslation } from 'react-i18next'
import { inLanguage } from '#client/platform/bilingual.ts'
import { cityName } from '#client/platform/city-names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { Icon } from './icon.tsx'
import { Ltr } from './ltr.tsx'
import './place.css'
import './place.texts.ts'

export interface PlaceFacts {
  readonly name?: string | undefined
  readonly address?: string | undefined
  readonly addressAR?: string | undefined
  readonly addressEN?: string | undefined
  /** English; shown in the language of the reader. */
  readonly city?: string | undefined
  readonly phone?: string | undefined
  readonly coordinates: { readonly latitude: number; readonly longitude: number } | null
}

/** The address in the reader's language, falling back to a plain one (spec §3). */
export function addressOf(place: PlaceFacts, language: LanguageCode): string | undefined {
  const own = language === 'ar' ? place.addressAR : place.addressEN
  return own || (place.address ? inLanguage(place.address, language) : undefined)
}

export function mapHref(coordinates: { readonly latitude: number; readonly longitude: number }): string {
  return `https://www.google.com/maps/search/?api=1&query=${coordinates.latitude},${coordinates.longitude}`
}

/** `tel:` wants digits and a plus; a partner writes phones with gaps, dashes and brackets. */
export function telHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`
}

interface PlaceViewProps {
  readonly place: PlaceFacts
  readonly language: LanguageCode
  /** Said when the place has neither a name nor an address nor a city; that it is unknown, unless told. */
  readonly unknown?: string
  /** Without the links, where nobody calls or goes yet. */
  readonly isBrief?: boolean
}

/** A place in words, with a phone to call and a map to open where they are known. */
export function PlaceView({ place, language, unknown, isBrief = false }: PlaceViewProps) {
  const { t } = useTranslation('place')
  const address = addressOf(place, language)
  const isUnknown = !place.name && !address && !place.city
  const city = place.city ? cityName(place.city, language) : undefined
  // Most addresses of the partner end with the city.
  const isCitySaid = city !== undefined && address?.endsWith(city) === true
  return (
    <div className="place">
      {isUnknown ? <p className="place-unknown">{unknown ?? t('unknown')}</p> : null}
      {/* Names and addresses come in either script: each line finds its own direction. */}
      {place.name ? (
        <p className="place-name">
          <bdi>{inLanguage(place.name, language)}</bdi>
        </p>
      ) : null}
      {address ? (
        <p className={place.name ? 'place-address' : 'place-name'}>
          <bdi>{address}</bdi>
        </p>
      ) : null}
      {city === undefined || isCitySaid ? null : (
        <p className="place-city">
          <bdi>{city}</bdi>
        </p>
      )}
      {isBrief ? null : <PlaceLinks place={place} mapLabel={t('map')} />}
    </div>
  )
}

function PlaceLinks({ place, mapLabel }: { readonly place: PlaceFacts; readonly mapLabel: string }) {
  if (!place.phone && !place.coordinates) return null
  return (
    <p className="place-links">
      {place.phone ? <PhoneLink phone={place.phone} /> : null}
      {place.coordinates ? (
        <a className="place-link" href={mapHref(place.coordinates)} target="_blank" rel="noopener">
          <Icon name="pin" />
          {mapLabel}
        </a>
      ) : null}
    </p>
  )
}

export function PhoneLink({ phone }: { readonly phone: string }) {
  return (
    <a className="place-link" href={telHref(phone)}>
      <Icon name="phone" />
      <Ltr>{phone}</Ltr>
    </a>
  )
}
