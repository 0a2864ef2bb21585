import { Check } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import {
  AgentsAnswer,
  CitiesAnswer,
  OfficesAnswer,
  PartnerCoordinates,
} from '#shared/wire/shipping/shipping.wire.ts'
import { agents, citiesOf, findArabicCityName, findCity, findOffice, offices } from './shipping.directory.ts'

const arabicLetter = /\p{Script=Arabic}/u
const latinLetter = /\p{Script=Latin}/u

const saudiOffices = offices.filter((office) => findCity('SA', office.cityName))
const foreignOffices = offices.filter((office) => !findCity('SA', office.cityName))

function shareOf<T>(all: readonly T[], test: (item: T) => boolean): number {
  return all.filter(test).length / all.length
}

/** Kilometres between two points, accurate enough within one city. */
function kilometresBetween(one: string, other: string): number {
  const [lat1 = 0, lng1 = 0] = one.split(',').map(Number)
  const [lat2 = 0, lng2 = 0] = other.split(',').map(Number)
  const kmPerDegree = 111
  const east = (lng1 - lng2) * kmPerDegree * Math.cos((lat1 * Math.PI) / 180)
  return Math.hypot((lat1 - lat2) * kmPerDegree, east)
}

describe('the directory', () => {
  it('fits the schemas of the wire', () => {
    expect(Check(OfficesAnswer, offices)).toBe(true)
    expect(Check(AgentsAnswer, agents)).toBe(true)
    for (const country of ['SA', 'AE', 'BH']) expect(Check(CitiesAnswer, citiesOf(country))).toBe(true)
  })

  describe('of branches', () => {
    it('has 350 in at least 25 Saudi cities', () => {
      expect(saudiOffices).toHaveLength(350)
      expect(new Set(saudiOffices.map((office) => office.cityName)).size).toBeGreaterThanOrEqual(25)
    })

    it('has the most in Riyadh and Jeddah, and a single one in several cities', () => {
      const counts = new Map<string, number>()
      for (const { cityName } of saudiOffices) counts.set(cityName, (counts.get(cityName) ?? 0) + 1)
      const byCount = [...counts].toSorted(([, one], [, other]) => other - one)
      expect(byCount.slice(0, 2).map(([city]) => city)).toEqual(['Riyadh', 'Jeddah'])
      expect(byCount.filter(([, count]) => count === 1).length).toBeGreaterThanOrEqual(5)
    })

    it('gives every branch its own code, address and coordinates', () => {
      expect(new Set(offices.map((office) => office.code)).size).toBe(offices.length)
      expect(new Set(offices.map((office) => office.cityName + office.address)).size).toBe(offices.length)
      const points = offices.map((office) => office.coordinates).filter((point) => point !== '')
      expect(new Set(points).size).toBe(points.length)
      for (const office of offices) expect(findOffice(office.code)).toBe(office)
    })

    it('has both languages and readable coordinates at every branch', () => {
      for (const { code, address, addressAR, coordinates } of offices) {
        expect(address, code).toMatch(latinLetter)
        expect(address, code).not.toMatch(arabicLetter)
        expect(addressAR, code).toMatch(arabicLetter)
        expect(addressAR, code).not.toMatch(latinLetter)
        // The minimum length of AddressLine1 of a shipment.
        expect(address.length, code).toBeGreaterThanOrEqual(10)
        expect(Check(PartnerCoordinates, coordinates), code).toBe(true)
      }
    })

    it('leaves out the coordinates of about three percent', () => {
      const share = shareOf(saudiOffices, (office) => office.coordinates === '')
      expect(share).toBeGreaterThan(0.01)
      expect(share).toBeLessThan(0.05)
    })

    it('keeps the branches of a city within a few kilometres of each other', () => {
      for (const city of new Set(saudiOffices.map((office) => office.cityName))) {
        const points = saudiOffices
          .filter((office) => office.cityName === city)
          .map((office) => office.coordinates ?? '')
          .filter((point) => point !== '')
        for (const point of points) expect(kilometresBetween(point, points[0] ?? '')).toBeLessThan(8)
      }
    })

    it('splits the day at some branches and closes some at the weekend', () => {
      expect(shareOf(saudiOffices, (office) => office.secondShift !== '')).toBeGreaterThan(0.1)
      expect(shareOf(saudiOffices, (office) => office.weekendShift === 'OFF')).toBeGreaterThan(0.2)
      expect(shareOf(saudiOffices, (office) => office.weekendShift !== 'OFF')).toBeGreaterThan(0.2)
    })

    it('lists a few foreign offices, which only their city shows', () => {
      expect(new Set(foreignOffices.map((office) => office.cityName))).toEqual(
        new Set(['Dubai', 'Abu Dhabi', 'Manama']),
      )
    })
  })

  describe('of agents', () => {
    it('has twenty in Mina and Makkah with ids and phones of their own', () => {
      expect(agents).toHaveLength(20)
      expect(new Set(agents.map((agent) => agent.city))).toEqual(new Set(['Mina', 'Makkah']))
      for (const field of ['id', 'name', 'address', 'phone'] as const)
        expect(new Set(agents.map((agent) => agent[field])).size).toBe(agents.length)
    })

    it('keeps the sign-in phones of the first three', () => {
      expect(agents.slice(0, 3).map((agent) => agent.phone)).toEqual([
        '+966500000101',
        '+966500000102',
        '+966500000103',
      ])
      for (const agent of agents) expect(agent.phone).toMatch(/^\+96650000\d{4}$/)
    })

    it.each(agents)('has both languages in name and address of $id, Arabic first', (agent) => {
      for (const text of [agent.name, agent.address]) {
        const [arabic = '', english = ''] = text.split(' · ')
        expect(arabic).toMatch(arabicLetter)
        expect(arabic).not.toMatch(latinLetter)
        expect(english).toMatch(latinLetter)
        expect(english).not.toMatch(arabicLetter)
      }
      expect(findCity('SA', agent.city)).toBeDefined()
    })

    it('stands within walking distance of Mina or the Grand Mosque, two without coordinates', () => {
      const centre = { Mina: '21.4133,39.8933', Makkah: '21.4225,39.8262' } as Record<string, string>
      const placed = agents.filter((agent) => agent.coordinates !== '')
      expect(agents.length - placed.length).toBe(2)
      for (const agent of placed)
        expect(kilometresBetween(agent.coordinates, centre[agent.city] ?? '')).toBeLessThan(2)
    })
  })

  describe('of cities', () => {
    it('has an Arabic name and a code of its own for every Saudi city', () => {
      const cities = citiesOf('SA')
      for (const city of cities) expect(findArabicCityName(city.cityName)).toMatch(arabicLetter)
      expect(new Set(cities.map((city) => city.cityCode)).size).toBe(cities.length)
      expect(new Set(cities.map((city) => findArabicCityName(city.cityName))).size).toBe(cities.length)
    })

    it('has no cities for a country that is not served', () => {
      expect(citiesOf('FR')).toEqual([])
    })
  })
})
