import { describe, expect, it } from 'vitest'
import { addressParts, type Branch, listBranches } from './branches.rules.ts'
import { type Place, places } from './places.data.ts'

describe('an address', () => {
  it.each([
    ['حي العليا - شارع النخلة، محل 3', 'العليا', 'شارع النخلة', 'محل 3'],
    ['Al Olaya Dist. - Date Palm St., shop 3', 'Al Olaya', 'Date Palm St.', 'shop 3'],
    ['طريق الملك فهد، حي العليا، الرياض', 'العليا', 'طريق الملك فهد', 'الرياض'],
    ['King Fahd Road, Al-Olaya District', 'Al-Olaya', 'King Fahd Road', undefined],
    ['حي السويدي - طريق السويدي العام', 'السويدي', 'طريق السويدي العام', undefined],
    ['Malaz - Al Ahsa St.', 'Malaz', 'Al Ahsa St.', undefined],
    ['District 9, Main Rd.', '9', 'Main Rd.', undefined],
  ])('names its district: %s', (address, district, street, rest) => {
    expect(addressParts(address)).toEqual({ district, street, rest })
  })

  it.each([
    ['شارع الأحساء، الملز'],
    ['100 Al Olaya Street, Riyadh'],
    ['Prince Sultan Road - Gate 4'],
    ['Al-Rawdah'],
    [''],
  ])('without a district is left as it is: %s', (address) => {
    expect(addressParts(address).district).toBeUndefined()
  })

  it('that is a district and nothing else keeps its whole text as the street', () => {
    expect(addressParts('حي الروضة')).toEqual({ district: 'الروضة', street: 'حي الروضة', rest: undefined })
  })
})

const airport: Place = {
  city: 'Riyadh',
  kind: 'airport',
  names: ['King Khalid International Airport', 'مطار الملك خالد الدولي', 'RUH'],
  at: { latitude: 24.96, longitude: 46.7 },
  source: '',
}
const station: Place = {
  city: 'Riyadh',
  kind: 'station',
  names: [],
  at: { latitude: 24.65, longitude: 46.74 },
  source: '',
}

function branch(value: string, label: string, latitude?: number): Branch {
  return {
    value,
    label,
    address: addressParts(label),
    alsoFoundBy: [],
    coordinates: latitude === undefined ? null : { latitude, longitude: 46.7 },
  }
}

const branches = [
  branch('1', 'Al Olaya Dist. - Date Palm St., shop 3', 24.7),
  branch('2', 'Al-Olaya Dist. - Well Rd., shop 18', 24.71),
  branch('3', 'Al Malaz Dist. - Caravan Rd., shop 5', 24.66),
  branch('4', 'An Narjis Dist. - Airport Rd., shop 12', 24.85),
  branch('5', 'An Narjis Dist. - Falcon St., shop 4'),
  branch('6', 'Kiosk at Gate 4', 24.9),
  branch('7', 'Tuwaiq Dist. - Oasis Rd., shop 9', 24.58),
]

const list = (query: string, place?: Place, options: { stopped?: string; only?: number } = {}) =>
  listBranches({
    branches: branches.slice(0, options.only),
    places: [airport, station],
    place,
    query,
    isStopped: (value) => value === options.stopped,
    compare: (a, b) => a.localeCompare(b),
  })
const values = (rows: readonly { value: string }[]) => rows.map(({ value }) => value)

describe('the branches of a city', () => {
  it('stand under their districts, whose spellings count as one; those without a district come last', () => {
    const { near, found, districts } = list('')
    expect([near, found]).toEqual([[], []])
    expect(districts.map(({ name, rows }) => [name, values(rows)])).toEqual([
      ['Al Malaz', ['3']],
      ['Al Olaya', ['1', '2']],
      ['An Narjis', ['4', '5']],
      ['Tuwaiq', ['7']],
      [undefined, ['6']],
    ])
    expect(districts[1]?.rows[0]).toMatchObject({ label: 'Date Palm St., shop 3', detail: undefined })
  })

  it('that are few, or mostly without a district, stand in one list', () => {
    expect(list('', undefined, { only: 6 }).districts).toHaveLength(1)
    const unnamed = Array.from({ length: 9 }, (_, index) => branch(`u${index}`, `${index} King Road, Riyadh`))
    const { districts } = listBranches({
      branches: [...unnamed, ...branches.slice(0, 3)],
      places: [],
      place: undefined,
      query: '',
      isStopped: () => false,
      compare: (a, b) => a.localeCompare(b),
    })
    expect(districts.map(({ rows }) => rows.length)).toEqual([12])
  })

  it('near a chosen place come with their distances, the nearest first, without those that cannot be booked', () => {
    const [about] = list('', airport, { stopped: '6' }).near
    expect(about?.place).toBe(airport)
    expect(values(about?.rows ?? [])).toEqual(['4', '2', '1', '3', '7'])
    expect(about?.rows[0]).toMatchObject({ label: 'An Narjis', detail: 'Airport Rd., shop 12' })
    expect(about?.rows[0]?.km).toBeCloseTo(12.2, 1)
    expect(list('', airport).districts).toHaveLength(5)
  })

  it.each([
    ['near the airport', 'airport'],
    ['قرب المطار', 'airport'],
    ['مطار الملك خالد', 'airport'],
    ['ruh', 'airport'],
    ['train station', 'station'],
    ['محطه القطار', 'station'],
  ])('are found by a place that the user names: %s', (query, kind) => {
    const { near, districts } = list(query)
    expect(near.map(({ place }) => place.kind)).toEqual([kind])
    expect(districts).toEqual([])
  })

  it('are found by address, too, and then the nearest to the chosen place comes first', () => {
    expect(list('airport').near.map(({ place }) => place.kind)).toEqual(['airport'])
    expect(values(list('airport').found)).toEqual(['4'])
    expect(values(list('olaya').found)).toEqual(['1', '2'])
    expect(values(list('olaya', airport).found)).toEqual(['2', '1'])
    expect(list('olaya').near).toEqual([])
  })

  it('are all listed by district when nothing is found, and two letters name no place', () => {
    const nothing = list('Eiffel Tower')
    expect([nothing.near, nothing.found]).toEqual([[], []])
    expect(nothing.districts).toHaveLength(5)
    expect(list('ai').near).toEqual([])
  })
})

describe('the places', () => {
  it('each name the page that their coordinates come from, and lie in the Kingdom', () => {
    for (const { source, at } of places) {
      expect(URL.canParse(source)).toBe(true)
      expect(at.latitude).toBeGreaterThan(16)
      expect(at.latitude).toBeLessThan(33)
      expect(at.longitude).toBeGreaterThan(34)
      expect(at.longitude).toBeLessThan(56)
    }
  })

  it('have a name in both languages where their kind does not name them', () => {
    for (const { kind, names } of places.filter(({ kind }) => kind === 'university')) {
      expect(names[0], kind).toMatch(/^[A-Za-z]/)
      expect(names[1], kind).toMatch(/^\p{Script=Arabic}/u)
    }
  })
})
