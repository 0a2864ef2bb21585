import { expect, it } from 'vitest'
import type { Stop } from '#shared/platform/stop.ts'
import { noon } from '#test/kit/basics/clock.ts'
import { isInForce } from './in-force.ts'
import { stopOf } from './stops.rules.ts'

const at = (ms: number) => new Date(noon + ms).toISOString()
const text = { ar: 'موقوف', en: 'Stopped' }
const [agent, branch, city, all]: [Stop, Stop, Stop, Stop] = [
  { what: 'agent', code: 'A01', text },
  { what: 'branch', code: '1', text },
  { what: 'city', code: 'Riyadh', text },
  { what: 'all', text },
]

it.each([
  [{}, true],
  [{ from: at(0) }, true],
  [{ from: at(1) }, false],
  [{ until: at(0) }, false],
  [{ until: at(1) }, true],
  [{ from: at(-2), until: at(-1) }, false],
])('a stop %j is in force: %s', (when, expected) => {
  expect(isInForce(when, noon)).toBe(expected)
})

it('the broadest stop of a sale is named, and of those the one that was set last', () => {
  const sale = { agent: 'A01', branch: '1', city: 'Riyadh' }
  expect(stopOf([agent, branch, city, all], sale, noon)).toBe(all)
  expect(stopOf([agent, branch, city], sale, noon)).toBe(city)
  expect(stopOf([agent, branch], sale, noon)).toBe(branch)
  const later = { ...agent, text: { ar: 'مغلق', en: 'Closed' } }
  expect(stopOf([agent, later], sale, noon)).toBe(later)
})

it('a part of a sale is stopped by what is about it', () => {
  expect(stopOf([agent, city], { branch: '1', city: 'Riyadh' }, noon)).toBe(city)
  expect(stopOf([agent, branch], { city: 'Riyadh' }, noon)).toBeUndefined()
  expect(stopOf([agent, branch, city], {}, noon)).toBeUndefined()
  expect(stopOf([{ ...agent, code: undefined } as never], { agent: null }, noon)).toBeUndefined()
})
