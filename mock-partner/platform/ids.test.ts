import { expect, it } from 'vitest'
import { createClock } from './clock.ts'
import { createIdSequence, randomHex } from './ids.ts'

function setUp(startAt = Date.UTC(2026, 4, 27)) {
  let realNow = startAt
  const clock = createClock(() => realNow)
  return { clock, ids: createIdSequence(clock), pass: (ms: number) => (realNow += ms) }
}

it('a sequence that starts later starts above one that issued less than 100 a second', () => {
  const first = setUp()
  let last = 0
  for (let count = 0; count < 900; count += 1) last = first.ids.next()
  const second = setUp(Date.UTC(2026, 4, 27) + 10_000)
  expect(second.ids.next()).toBeGreaterThan(last)
})

it('a restart never goes below what was issued', () => {
  const { ids, pass } = setUp()
  let last = 0
  for (let count = 0; count < 5_000; count += 1) last = ids.next()
  ids.restart()
  expect(ids.next()).toBe(last + 1)
  pass(3_600_000)
  ids.restart()
  expect(ids.next()).toBeGreaterThan(last + 2)
})

it('a restored sequence continues after the higher of its last number and the time', () => {
  const { ids } = setUp()
  const here = ids.last()
  ids.continueAfter(here + 7)
  expect(ids.next()).toBe(here + 8)
  ids.continueAfter(3)
  expect(ids.next()).toBe(here + 9)
})

it('random ids are 32 hex characters', () => {
  expect(randomHex()).toMatch(/^[0-9a-f]{32}$/)
})
