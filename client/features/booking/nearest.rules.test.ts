import { describe, expect, it } from 'vitest'
import { byDistance, distanceKm } from './nearest.rules.ts'

const jamarat = { latitude: 21.4226, longitude: 39.8729 }
const haram = { latitude: 21.4225, longitude: 39.8262 }
const riyadh = { latitude: 24.7136, longitude: 46.6753 }

describe('the distance', () => {
  it('is in kilometres, the same both ways, and nothing to the same place', () => {
    expect(distanceKm(jamarat, haram)).toBeCloseTo(4.83, 1)
    expect(distanceKm(haram, riyadh)).toBeCloseTo(790.3, 1)
    expect(distanceKm(riyadh, haram)).toBe(distanceKm(haram, riyadh))
    expect(distanceKm(haram, haram)).toBe(0)
  })

  it('between two opposite points is half the circumference', () => {
    expect(distanceKm({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 })).toBeCloseTo(20015, 0)
  })
})

it('orders places from the nearest; those without coordinates come last, in their order', () => {
  const places = [
    { id: 'unknown 1', coordinates: null },
    { id: 'far', coordinates: riyadh },
    { id: 'unknown 2' },
    { id: 'near', coordinates: jamarat },
  ]
  const ordered = byDistance(places, haram)
  expect(ordered.map(({ place }) => place.id)).toEqual(['near', 'far', 'unknown 1', 'unknown 2'])
  expect(ordered.map(({ km }) => km === undefined)).toEqual([false, false, true, true])
})
