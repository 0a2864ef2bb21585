import { describe, expect, it } from 'vitest'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { hoursOfSilence } from './silence.rules.ts'

const noon = Date.UTC(2027, 4, 18, 12)
const hoursAgo = (hours: number) => new Date(noon - hours * 3_600_000).toISOString()
const silenceOf = (state: TravelState | null, hours: number) =>
  hoursOfSilence({ state, lastEventAt: hoursAgo(hours) }, 24, noon)

describe('silence', () => {
  it('is told in whole hours from the configured number on', () => {
    expect([23.9, 24, 24.9, 60.5].map((hours) => silenceOf('IN_TRANSIT', hours))).toEqual([
      undefined,
      24,
      24,
      60,
    ])
  })

  it.each<[TravelState | null, number | undefined]>([
    ['HANDED_OVER', 30],
    ['EXCEPTION', 30],
    ['READY', undefined],
    ['AT_BRANCH', undefined],
    ['COLLECTED', undefined],
    ['CANCELLED', undefined],
    [null, undefined],
  ])('of a bag that is %s', (state, expected) => {
    expect(silenceOf(state, 30)).toBe(expected)
  })

  it('is none before anything was heard, or when the phone’s clock is behind', () => {
    expect(hoursOfSilence({ state: 'IN_TRANSIT', lastEventAt: null }, 24, noon)).toBeUndefined()
    expect(silenceOf('IN_TRANSIT', -5)).toBeUndefined()
  })
})
