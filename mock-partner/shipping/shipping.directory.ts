import type { DirectoryAgent, Office, PartnerCity } from '#shared/wire/shipping/shipping.wire.ts'
import directory from './shipping.directory.json' with { type: 'json' }

type Bilingual = readonly [en: string, ar: string]

interface SaudiCity {
  en: string
  ar: string
  code: string
  at: readonly [lat: number, lng: number]
  /** How many branches the city has; none for a city that is only served. */
  branches: number
  districts: readonly Bilingual[]
}

/**
 * Cities, districts and centres are public geography (a city's coordinates are its centre, rounded); streets, shops,
 * camps, names and phones are plainly invented. The codes of Riyadh, Jeddah, Madinah, Tabuk and Dammam are in the
 * partner's documents; the others are IATA codes or invented (docs/wires/shipping.md S27). As in the real list, some
 * offices are abroad, which only their city shows; their shifts are empty. Of nine offices one has a split day, one is open
 * past midnight, and the shift of one is no range of times, as is simulated, not documented.
 */
const {
  agentNames,
  foreignCities,
  foreignOffices,
  makkahLocations,
  minaLocations,
  saudiCities,
  shifts,
  streets,
} =
  // JSON knows lists, not pairs.
  directory as unknown as {
    agentNames: readonly Bilingual[]
    foreignCities: readonly PartnerCity[]
    foreignOffices: readonly Office[]
    makkahLocations: readonly Bilingual[]
    minaLocations: readonly Bilingual[]
    saudiCities: readonly SaudiCity[]
    shifts: readonly (readonly [first: string, second: string])[]
    streets: readonly Bilingual[]
  }

export { saudiCities }

const allCities: readonly PartnerCity[] = [
  ...saudiCities.map((city) => ({
    cityName: city.en,
    cityCode: city.code,
    countryCode: 'SA',
    currencyCode: 'SAR',
    currencyName: 'Saudi Riyal',
  })),
  ...foreignCities,
]

/** @param country ISO 3166 alpha-2, upper case; a country that is not served has no cities. */
export function citiesOf(country: string): PartnerCity[] {
  return allCities.filter((city) => city.countryCode === country)
}

export function findCity(country: string, cityName: string): PartnerCity | undefined {
  return citiesOf(country).find((city) => city.cityName === cityName)
}

/** The partner's own list has English names only; the label shows both. */
export function findArabicCityName(cityName: string): string | undefined {
  return saudiCities.find((city) => city.en === cityName)?.ar
}

/** The golden angle: branches spread around their centre and no two share a point. */
const goldenAngle = 2.399963

function pointAround([lat, lng]: readonly [number, number], index: number, stepDegrees: number): string {
  const radius = stepDegrees * Math.sqrt(index + 1)
  const angle = goldenAngle * index
  return `${(lat + radius * Math.sin(angle)).toFixed(6)},${(lng + radius * Math.cos(angle)).toFixed(6)}`
}

/** Branches are about 600 m apart; agents are closer, because Mina is a narrow valley. */
const stepDegrees = { branch: 0.006, agent: 0.0025 } as const

/** One in 33 (3 %) of the real list has no coordinates. */
const withoutCoordinatesEvery = 33

function pick<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}

function saudiOffices(): Office[] {
  const branches = saudiCities.flatMap((city) =>
    Array.from({ length: city.branches }, (_, index) => ({ city, index })),
  )
  return branches.map(({ city, index }, position) => {
    const [districtEn, districtAr] = pick(city.districts, index)
    const [streetEn, streetAr] = pick(streets, position)
    const [firstShift, secondShift] = pick(shifts, position)
    const shop = 3 + ((position * 7) % 60)
    return {
      code: String(position + 1),
      address: `${districtEn} Dist. - ${streetEn}, shop ${shop}`,
      cityName: city.en,
      addressAR: `حي ${districtAr} - ${streetAr}، محل ${shop}`,
      coordinates:
        position % withoutCoordinatesEvery === withoutCoordinatesEvery - 1
          ? ''
          : pointAround(city.at, index, stepDegrees.branch),
      firstShift,
      secondShift,
      weekendShift: position % 2 === 0 ? '16:00 - 20:00' : 'OFF',
    }
  })
}

export const offices: readonly Office[] = [...saudiOffices(), ...foreignOffices]

const officeByCode = new Map(offices.map((office) => [office.code, office]))

export function findOffice(code: string): Office | undefined {
  return officeByCode.get(code)
}

const agentCounts = { mina: 12, makkah: 8 } as const

/** Two agents have no coordinates. */
const agentsWithoutCoordinates: ReadonlySet<string> = new Set(['A12', 'A20'])

function directoryAgents(): DirectoryAgent[] {
  return Array.from({ length: agentCounts.mina + agentCounts.makkah }, (_, position) => {
    const isInMina = position < agentCounts.mina
    const index = isInMina ? position : position - agentCounts.mina
    const [nameEn, nameAr] = pick(agentNames, position)
    const id = `A${String(position + 1).padStart(2, '0')}`
    const [locationEn, locationAr] = pick(isInMina ? minaLocations : makkahLocations, index)
    const unit = 4 + ((position * 11) % 41)
    const at = pointAround(isInMina ? [21.4133, 39.8905] : [21.4225, 39.8262], index, stepDegrees.agent)
    return {
      id,
      name: `${nameAr} · ${nameEn}`,
      address: isInMina
        ? `${locationAr}، مخيم ${unit}، منى · ${locationEn}, camp ${unit}, Mina`
        : `حي ${locationAr}، محل ${unit}، مكة المكرمة · ${locationEn}, shop ${unit}, Makkah`,
      city: isInMina ? 'Mina' : 'Makkah',
      phone: `+966500000${101 + position}`,
      coordinates: agentsWithoutCoordinates.has(id) ? '' : at,
    }
  })
}

/** The phones of the first three are the sign-ins that tests and testers use. */
export const agents: readonly DirectoryAgent[] = directoryAgents()
