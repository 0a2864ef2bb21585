import { describe, expect, it } from 'vitest'
import { isCountryFound, listCountries } from './countries.ts'
import arabicTexts from './sessions.ar.json'
import englishTexts from './sessions.en.json'

const arabic = listCountries('ar')
const found = (query: string) => arabic.filter((country) => isCountryFound(country, query))
const isos = (query: string) => found(query).map(({ iso }) => iso)

describe('the country list', () => {
  it('has the name that the button shows before the list is loaded', () => {
    expect(arabicTexts.defaultCountry).toBe(arabic[0]?.name)
    expect(englishTexts.defaultCountry).toBe(listCountries('en')[0]?.name)
  })

  it('names every country, once', () => {
    expect(arabic.length).toBeGreaterThan(200)
    expect(new Set(arabic.map(({ iso }) => iso)).size).toBe(arabic.length)
    expect(arabic.filter(({ name, iso }) => name === iso)).toEqual([])
  })

  it('does not list EH, which shares the dial code of Morocco', () => {
    expect(arabic.filter(({ dialCode }) => dialCode === '212').map(({ iso }) => iso)).toEqual(['MA'])
  })
})

describe('the country search', () => {
  it.each([
    ['السعودية', 'SA'],
    ['سعود', 'SA'],
    ['saudi', 'SA'],
    ['اندونيسيا', 'ID'],
    ['إندونيسيا', 'ID'],
    ['indo', 'ID'],
    ['+92', 'PK'],
    ['٢٠', 'EG'],
    ['0020', 'EG'],
    ['united kingdom', 'GB'],
  ] as const)('finds %s', (query, iso) => {
    expect(isos(query)).toContain(iso)
  })

  it('finds a country by its ISO code', () => {
    expect(isos('tr')).toContain('TR')
  })

  it('finds nothing for nonsense and everything for nothing', () => {
    expect(found('zzzz')).toEqual([])
    expect(found('')).toHaveLength(arabic.length)
  })
})
