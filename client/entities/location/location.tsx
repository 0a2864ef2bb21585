import { telHref } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import { PhoneText } from '#client/ui/contact-text.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import textStyles from '#client/ui/text.module.css'
import { addressOf } from '#shared/orders/address.rules.ts'
import type { BranchHours } from '#shared/partner/partner.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { HoursOfBranch, HoursOfWeek, SeasonNote } from './branch-hours.tsx'
import styles from './location.module.css'

export interface LocationFacts {
  /** Goes before `name` (spec §3). */
  readonly first_name?: string | undefined
  readonly name?: string | undefined
  readonly address?: string | undefined
  readonly addressAR?: string | undefined
  readonly addressEN?: string | undefined
  /** In English; shown in the language on screen. */
  readonly city?: string | undefined
  readonly phone?: string | undefined
  readonly coordinates: { readonly latitude: number; readonly longitude: number } | null
  /** The opening hours of a branch. */
  readonly hours?: BranchHours | undefined
}

/** The name as the partner wrote it (spec §3). */
export function nameOf({ first_name, name }: Pick<LocationFacts, 'first_name' | 'name'>): string | undefined {
  return first_name || name
}

/** An address without the city at its end, for a place that names the city. */
export function withoutCity(address: string | undefined, city: string | undefined): string | undefined {
  if (!city || !address?.endsWith(city)) return address
  return address.slice(0, -city.length).replace(/[،,]\s*$/, '') || address
}

export function mapHref(coordinates: { readonly latitude: number; readonly longitude: number }): string {
  return `https://www.google.com/maps/search/?api=1&query=${coordinates.latitude},${coordinates.longitude}`
}

interface LocationViewProps {
  readonly location: LocationFacts
  /** Shown when there is no name, address or city. Default: the catalogue's text for an unknown location. */
  readonly unknown?: string
  /** Leaves out the phone and map links. */
  readonly isBrief?: boolean
  /** `week`: the hours of the week, for a bag that comes days later. Default: whether the branch is open now. */
  readonly hoursOf?: 'now' | 'week'
}

/** Name, address, city and hours, with links to call and to open the map where phone and coordinates are known. */
export function LocationView({ location, unknown, isBrief = false, hoursOf = 'now' }: LocationViewProps) {
  const { t } = useTranslation('location')
  const language = useLanguage()
  const address = addressOf(location, language)
  const name = nameOf(location)
  const isUnknown = !name && !address && !location.city
  const city = location.city ? cityName(location.city, language) : undefined
  // Most of the partner's addresses end with the city.
  const isCityInAddress = city !== undefined && address?.endsWith(city) === true
  return (
    <div className={styles.location}>
      {isUnknown ? <p className={textStyles.quiet}>{unknown ?? t('unknown')}</p> : null}
      {/* Names and addresses come in either script: <bdi> gives each line its own direction. */}
      {name ? (
        <p className={styles.name}>
          <bdi>{inLanguage(name, language)}</bdi>
        </p>
      ) : null}
      {address ? (
        <p className={name ? `${textStyles.quiet} ${styles.detail}` : styles.name}>
          <bdi>{address}</bdi>
        </p>
      ) : null}
      {city === undefined || isCityInAddress ? null : (
        <p className={`${textStyles.quiet} ${styles.detail}`}>
          <bdi>{city}</bdi>
        </p>
      )}
      {hoursOf === 'now' ? (
        <HoursOfBranch hours={location.hours} />
      ) : (
        <>
          <HoursOfWeek hours={location.hours} />
          {location.hours === undefined ? null : <SeasonNote />}
        </>
      )}
      {isBrief ? null : <LocationLinks location={location} />}
    </div>
  )
}

function LocationLinks({ location: { phone, coordinates } }: { readonly location: LocationFacts }) {
  if (!phone && !coordinates) return null
  return (
    <p className={`${layout.cluster} ${styles.links}`}>
      {phone ? <PhoneLink phone={phone} /> : null}
      {coordinates ? <MapLink coordinates={coordinates} /> : null}
    </p>
  )
}

interface MapLinkProps {
  readonly coordinates: NonNullable<LocationFacts['coordinates']>
  /** The place, for screen readers, where several links stand below each other. */
  readonly place?: string
  readonly className?: string | undefined
}

export function MapLink({ coordinates, place, className }: MapLinkProps) {
  const { t } = useTranslation('location')
  return (
    <a
      className={classes(styles.link, className)}
      href={mapHref(coordinates)}
      target="_blank"
      rel="noopener"
      aria-label={place && t('mapOf', { place })}
      data-screen
    >
      <Icon name="pin" />
      {t('map')}
    </a>
  )
}

/** A `tel:` link. */
export function PhoneLink({ phone }: { readonly phone: string }) {
  return (
    <a className={styles.link} href={telHref(phone)}>
      <Icon name="phone" />
      <PhoneText>{phone}</PhoneText>
    </a>
  )
}
