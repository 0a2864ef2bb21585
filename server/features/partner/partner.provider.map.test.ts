import { describe, expect, it } from 'vitest'
import { sampleOf } from '#test/kit/gateway/stub-service.ts'
import { agentsOf, centersOf, readCoordinates } from './partner.provider.map.ts'

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
  ])('has no coordinates for %j', (text) => {
    expect(readCoordinates(text)).toBeNull()
  })
})

describe('centersOf', () => {
  const [office] = sampleOf('shipping', 'offices')
  const cities = sampleOf('shipping', 'cities')

  it('leaves out offices abroad: an office is Saudi when its city is', () => {
    const list = [
      office,
      { ...office, code: '9', cityName: 'Dubai' },
      { ...office, code: '8', cityName: 'riyadh' },
    ]
    expect(centersOf(list, cities).rows.map(({ code }) => code)).toEqual(['1'])
  })
})

describe('the hours of a branch', () => {
  const [office] = sampleOf('shipping', 'offices')
  const cities = sampleOf('shipping', 'cities')
  const read = (...[firstShift, secondShift, weekendShift]: readonly unknown[]) =>
    centersOf([{ ...office, firstShift, secondShift, weekendShift }], cities).rows[0]
  const work = [0, 1, 2, 3, 4]
  const day = { days: work, from: '08:00', to: '23:00' }

  it.each([
    ['one shift', ['08:00 - 23:00', '', 'OFF'], [day]],
    [
      'a split day, and the weekend of the Kingdom',
      ['09:00 - 12:00', '16:00 - 21:00', '16:00 - 20:00'],
      [
        { days: work, from: '09:00', to: '12:00' },
        { days: work, from: '16:00', to: '21:00' },
        { days: [5, 6], from: '16:00', to: '20:00' },
      ],
    ],
    ['over midnight', ['16:00 - 02:00', undefined, 'off'], [{ days: work, from: '16:00', to: '02:00' }]],
    ['other spellings', [' 8:00–23:00', null, ' Off '], [day]],
    ['only the weekend', ['OFF', 'OFF', '8:00-23:00'], [{ ...day, days: [5, 6] }]],
  ])('are its week: %s', (_, shifts, week) => {
    expect(read(...shifts)?.hours).toEqual({ week })
  })

  it.each([
    ['no hours at all', ['', '', '']],
    ['closed on all days', ['OFF', '', 'OFF']],
    ['no word on the weekend', ['08:00 - 23:00', '', '']],
    ['no first shift', ['', '16:00 - 21:00', 'OFF']],
    ['an unreadable second shift', ['08:00 - 12:00', 'after Asr', 'OFF']],
    ['a number for a shift', ['08:00 - 12:00', 16, 'OFF']],
    ['an impossible time', ['08:00 - 25:00', '', 'OFF']],
    ['a shift of no length', ['00:00 - 00:00', '', 'OFF']],
    ['two shifts in one', ['09:00 - 12:00, 16:00 - 21:00', '', 'OFF']],
    ['hours of twelve', ['8:00 AM - 11:00 PM', '', 'OFF']],
  ])('are absent where they cannot be read, and the branch stays: %s', (_, shifts) => {
    const center = read(...shifts)
    expect(center?.code).toBe('1')
    expect(center).not.toHaveProperty('hours')
  })
})

describe('unusual rows', () => {
  const cities = sampleOf('shipping', 'cities')

  it('are read one by one: usable ones of the sample are kept, the others counted', () => {
    const { rows, dropped } = centersOf(sampleOf('shipping', 'offices.unusual'), cities)
    expect(rows).toEqual([
      {
        code: '1',
        addressAR: 'حي السويدي - طريق السويدي العام',
        addressEN: 'حي السويدي - طريق السويدي العام',
        city: 'Riyadh',
        coordinates: null,
      },
      {
        code: '2',
        addressAR: 'Malaz - Al Ahsa St.',
        addressEN: 'Malaz - Al Ahsa St.',
        city: 'Riyadh',
        coordinates: null,
      },
    ])
    expect(dropped).toEqual({ 'office-without-address': 1, 'office-unreadable': 3, 'office-repeated': 1 })
  })

  it('of the cities drop no office of another city', () => {
    const offices = sampleOf('shipping', 'offices')
    const { rows, dropped } = centersOf(offices, [null, { cityName: null }, ...cities])
    expect(rows).toHaveLength(offices.length)
    expect(dropped).toEqual({ 'city-unreadable': 2 })
  })

  it('of the agents are dropped and counted, and numbers are read as text', () => {
    const [agent] = sampleOf('shipping', 'agents')
    const { rows, dropped } = agentsOf([
      { ...agent, id: 7, phone: 966_500_000_101, coordinates: null },
      { ...agent, id: '7' },
      { ...agent, id: '8', phone: 'unknown' },
      { ...agent, id: '9', name: null },
      { ...agent, id: '10', address: undefined },
      'A11',
    ])
    expect(rows).toMatchObject([{ id: '7', phone: '966500000101', coordinates: null }])
    expect(dropped).toEqual({ 'agent-repeated': 1, 'agent-without-phone': 1, 'agent-unreadable': 3 })
  })
})
