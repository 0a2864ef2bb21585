import { describe, expect, it } from 'vitest'
import { sampleOf } from '#test/kit/outsider.ts'
import { agentsOf, centersOf, readCoordinates } from './partner.gateway.map.ts'

describe('readCoordinates', () => {
  it.each([
    ['24.598472,46.687158', 24.598472, 46.687158],
    ['21.419800, 39.877400', 21.4198, 39.8774],
    [' -33.9,18.4 ', -33.9, 18.4],
    ['21,39', 21, 39],
  ])('reads %j', (text, latitude, longitude) => {
    expect(readCoordinates(text)).toEqual({ latitude, longitude })
  })

  it.each([
    undefined,
    '',
    ' ',
    'null',
    '0,0',
    '0.000000,0.000000',
    '24.598472',
    '24.598472;46.687158',
    '24.598472,46.687158,12',
    '91,46',
    '24,181',
    '24.59,46.68x',
    '٢٤.٥,٤٦.٦',
    'NaN,NaN',
  ])('has no place for %j', (text) => {
    expect(readCoordinates(text)).toBeNull()
  })
})

describe('centersOf', () => {
  const [office] = sampleOf('shipping', 'offices')
  const cities = sampleOf('shipping', 'cities')

  it('leaves offices abroad out: an office is Saudi when its city is', () => {
    const list = [
      office,
      { ...office, code: '9', cityName: 'Dubai' },
      { ...office, code: '8', cityName: 'riyadh' },
    ]
    expect(centersOf(list, cities).map(({ code }) => code)).toEqual(['1'])
  })

  it('shows the one address there is in both languages', () => {
    expect(centersOf([{ ...office, addressAR: '' }], cities)).toMatchObject([
      { addressAR: office.address, addressEN: office.address },
    ])
    expect(centersOf([{ ...office, address: '' }], cities)).toMatchObject([
      { addressAR: office.addressAR, addressEN: office.addressAR },
    ])
  })

  it('keeps a branch whose coordinates are broken, without its pin', () => {
    expect(centersOf([{ ...office, coordinates: 'n/a' }], cities)).toMatchObject([{ coordinates: null }])
    const { coordinates: _, ...without } = office
    expect(centersOf([without], cities)).toMatchObject([{ coordinates: null }])
  })
})

describe('agentsOf', () => {
  it('shows what this product shows and nothing else', () => {
    const [agent] = sampleOf('shipping', 'agents')
    expect(Object.keys(agentsOf([{ ...agent, commission: 5 }])[0] ?? {}).sort()).toEqual(
      ['address', 'city', 'coordinates', 'id', 'name', 'phone'].sort(),
    )
  })
})
