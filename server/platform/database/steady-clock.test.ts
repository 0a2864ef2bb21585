import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { hour, manualClock, minute, noon, second } from '#test/kit/basics/clock.ts'
import { migratedBytes } from '#test/kit/database/memory-database.ts'
import { addSearchText } from './search-text.ts'
import { steadyClock, uncertaintyIn } from './steady-clock.ts'

/** What the steady clock shows, after noon; until `uncertainUntil` something is uncertain. */
function openFixture(uncertainUntil = 0) {
  const clock = manualClock()
  const { now } = steadyClock(clock, (time) => time < uncertainUntil)
  return { clock, shown: () => now() - noon }
}

it('follows a clock that is set forward once nothing is uncertain', () => {
  const { clock, shown } = openFixture(noon + 90 * second)
  clock.set(2 * minute)
  clock.advance(89 * second)
  expect(shown()).toBe(89 * second)
  clock.advance(second)
  expect(shown()).toBe(90 * second + 2 * minute)
  clock.advance(second)
  expect(shown()).toBe(91 * second + 2 * minute)
})

it('passes at half speed where the clock was set back, until both agree', () => {
  const { clock, shown } = openFixture()
  clock.set(-hour)
  const times = []
  for (let count = 0; count < 4; count += 1) {
    clock.advance(hour)
    times.push(shown())
  }
  expect(times).toEqual([hour / 2, hour, 2 * hour, 3 * hour])
})

it.each([
  ['is no more', 0, false],
  ['is so for a minute', minute, true],
  ['was stored while the clock was ahead', hour, false],
])('an uncertainty that %s counts as such: %i ms, %s', async (_, ms, expected) => {
  const file = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  addSearchText(file)
  file.deserialize(await migratedBytes())
  file.exec(`INSERT INTO bookings (order_id, leg, reference, origin, destination, state, due_at, uncertain_until)
    VALUES (1, 0, 'AM-1', '{}', '{}', 'waiting', ${noon}, ${noon + ms})`)
  expect(uncertaintyIn(file)(noon)).toBe(expected)
  file.close()
})
