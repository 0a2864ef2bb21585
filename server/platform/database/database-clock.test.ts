import { describe, expect, it } from 'vitest'
import { hour, manualClock, minute, noon, second } from '#test/kit/basics/clock.ts'
import { createDatabaseClock } from './database-clock.ts'

/** A gateway on a machine whose clock differs from the database's by `aheadMs`. */
function openGateway(aheadMs: number) {
  const lines: unknown[] = []
  const log = (line: unknown) => void lines.push(line)
  const database = manualClock(noon)
  const own = manualClock(noon + aheadMs)
  const clock = createDatabaseClock(own, { info: log, warn: log, error: log })
  const pass = (ms: number) => {
    for (const each of [database, own]) each.advance(ms)
  }
  return {
    clock,
    lines,
    own,
    database,
    pass,
    /** The database reads its clock after `before` ms, and its answer comes `after` ms later. */
    read: (before = 0, after = 0) =>
      clock.follow(async () => {
        pass(before)
        const time = database.now()
        pass(after)
        return time
      }),
  }
}

describe('the time of a gateway', () => {
  it.each([2 * hour, -2 * hour, 72 * hour])(
    'is the database’s where its own clock is %s ms ahead',
    async (ms) => {
      const { clock, database, pass, read } = openGateway(ms)
      await read()
      expect(clock.now()).toBe(noon)
      pass(minute)
      expect(clock.now()).toBe(database.now())
    },
  )

  it('stays so when the clock of its machine is set, before the database is asked again', async () => {
    const { clock, own, database, pass, read } = openGateway(0)
    await read()
    own.set(2 * hour)
    pass(second)
    expect(clock.now()).toBe(database.now())
    await read()
    expect(clock.now()).toBe(database.now())
  })

  it('follows the clock of another server that takes the database over', async () => {
    const { clock, database, read } = openGateway(0)
    await read()
    database.set(-minute)
    await read()
    expect(clock.now()).toBe(noon - minute)
  })

  it('is not changed by an answer that is merely slow, and not taken from one of more than two seconds', async () => {
    const { clock, database, read } = openGateway(0)
    await read(900, 100)
    expect(clock.now()).toBe(database.now())
    await read(100, 900)
    expect(clock.now()).toBe(database.now())
    database.set(hour)
    await read(1_000, 1_001)
    expect(clock.now()).toBe(database.now() - hour)
  })

  it('does not fail with the database: it passes on', async () => {
    const { clock, database, pass, read } = openGateway(hour)
    await read()
    await expect(clock.follow(() => Promise.reject(new Error('no connection')))).rejects.toThrow()
    pass(minute)
    expect(clock.now()).toBe(database.now())
  })
})

describe('the difference of the clocks', () => {
  it('is known from the first reading on, and logged once when it passes five seconds and once when it is gone', async () => {
    const { clock, lines, own, read } = openGateway(5 * second)
    expect(clock.skewMs()).toBeUndefined()
    await read()
    expect([clock.skewMs(), lines]).toEqual([5_000, []])
    own.set(2 * hour)
    for (let round = 0; round < 3; round += 1) await read()
    expect(clock.skewMs()).toBe(2 * hour + 5_000)
    own.set(-2 * hour - 8 * second)
    await read()
    expect(clock.skewMs()).toBe(-3_000)
    expect(lines).toEqual([
      { event: 'clock.differs', skewSeconds: 7_205 },
      { event: 'clock.agrees', skewSeconds: -3 },
    ])
  })

  it('is none where a slow answer explains it', async () => {
    const { clock, read } = openGateway(800)
    await read(1_000)
    expect(clock.skewMs()).toBe(0)
  })
})
