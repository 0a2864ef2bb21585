import { expect, it } from 'vitest'
import { hour, noon, second } from '#test/kit/basics/clock.ts'
import { timeSince } from './leases.ts'

it('the time since a claim goes on evenly, in whole milliseconds, while the clock of the gateway is set', () => {
  let [wall, passed] = [noon + hour, 0.25]
  const now = timeSince(noon, { now: () => wall, elapsed: () => passed })
  wall -= 50 * second
  passed += 3 * second + 0.125
  expect(now()).toBe(noon + 3 * second)
})
