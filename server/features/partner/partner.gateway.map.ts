import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import type { Coordinates } from '#shared/platform/platform.schemas.ts'
import type { DirectoryAgent, Office, PartnerCity } from '#shared/wire/shipping/shipping.wire.ts'

/**
 * `24.598472,46.687158`. Empty, malformed and 0,0 are no place: a pin in the Gulf of Guinea is worse than none.
 */
export function readCoordinates(text: string | undefined): Coordinates {
  const match = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text ?? '')
  if (!match) return null
  const latitude = Number(match[1])
  const longitude = Number(match[2])
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180 || (latitude === 0 && longitude === 0)) return null
  return { latitude, longitude }
}

/** The partner's list holds offices abroad and names no country: an office is Saudi when its city is. */
export function centersOf(offices: readonly Office[], saudiCities: readonly PartnerCity[]): Center[] {
  const cities = new Set(saudiCities.map(({ cityName }) => cityName))
  return offices
    .filter(({ cityName }) => cities.has(cityName))
    .map(({ code, address, addressAR, cityName, coordinates }) => ({
      code,
      addressAR: addressAR || address,
      addressEN: address || addressAR,
      city: cityName,
      coordinates: readCoordinates(coordinates),
    }))
}

export function agentsOf(directory: readonly DirectoryAgent[]): PartnerAgent[] {
  return directory.map(({ id, name, address, city, phone, coordinates }) => ({
    id,
    name,
    address,
    city,
    phone,
    coordinates: readCoordinates(coordinates),
  }))
}
