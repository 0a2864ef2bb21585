import { expect, it } from 'vitest'
import { saudiCities } from '#mock/shipping/shipping.directory.ts'
import { cityCode } from '#shared/platform/city-codes.ts'

it('a known city has its three letters, another has none', () => {
  expect(cityCode('Riyadh')).toBe('RUH')
  expect(cityCode('Atlantis')).toBeUndefined()
  expect(cityCode('constructor')).toBeUndefined()
  expect(cityCode(undefined)).toBeUndefined()
})

it('the letters are those of the label, for every city that has branches', () => {
  const withBranches = saudiCities.filter(({ branches }) => branches > 0)
  expect(withBranches.length).toBeGreaterThan(20)
  expect(withBranches.map(({ en }) => `${en} ${cityCode(en)}`)).toEqual(
    withBranches.map(({ en, code }) => `${en} ${code}`),
  )
})
