import { describe, expect, it } from 'vitest'
import { createClock } from './clock.ts'
import { createScheduler } from './scheduler.ts'

/** Timers that the test fires by hand. */
function setUp() {
  let realNow = 1_000
  const timers: { ms: number; run: () => void; isCancelled: boolean }[] = []
  const clock = createClock(() => realNow)
  const scheduler = createScheduler(clock, (ms, run) => {
    const timer = { ms, run, isCancelled: false }
    timers.push(timer)
    return () => {
      timer.isCancelled = true
    }
  })
  return {
    clock,
    scheduler,
    timers,
    passRealTime(ms: number) {
      realNow += ms
      for (const timer of timers.splice(0)) if (!timer.isCancelled) timer.run()
    },
  }
}

describe('a scheduler', () => {
  it('runs a task when its real timer fires, once', () => {
    const { scheduler, passRealTime } = setUp()
    const ran: string[] = []
    scheduler.after(500, () => void ran.push('task'))
    passRealTime(500)
    passRealTime(500)
    expect(ran).toEqual(['task'])
  })

  it('arms the timer again when it fires early, as one longer than a timer can be', () => {
    const { scheduler, timers, passRealTime } = setUp()
    const ran: string[] = []
    scheduler.after(500, () => void ran.push('task'))
    passRealTime(200)
    expect(ran).toEqual([])
    expect(timers.map(({ ms }) => ms)).toEqual([300])
    passRealTime(300)
    expect(ran).toEqual(['task'])
  })

  it('runs the tasks that an advanced clock has made due, earliest first, and waits for them', async () => {
    const { clock, scheduler } = setUp()
    const ran: string[] = []
    scheduler.after(300, async () => void ran.push('second'))
    scheduler.after(100, async () => void ran.push('first'))
    scheduler.after(5_000, () => void ran.push('not yet'))
    clock.advance(300)
    await scheduler.wake()
    expect(ran).toEqual(['first', 'second'])
    await scheduler.wake()
    expect(ran).toEqual(['first', 'second'])
  })

  it('does not run what was cancelled, and resolves pauses to false', async () => {
    const { clock, scheduler } = setUp()
    const ran: string[] = []
    const callOff = scheduler.after(100, () => void ran.push('one'))
    callOff()
    scheduler.after(100, () => void ran.push('all'))
    const isOver = scheduler.pause(100)
    scheduler.cancelAll()
    clock.advance(100)
    await scheduler.wake()
    expect(ran).toEqual([])
    expect(await isOver).toBe(false)
  })

  it('ends a pause once its time has passed', async () => {
    const { clock, scheduler } = setUp()
    const isOver = scheduler.pause(100)
    clock.advance(100)
    await scheduler.wake()
    expect(await isOver).toBe(true)
  })
})

describe('a clock', () => {
  it('moves forward only, and goes back to real time on reset', () => {
    const clock = createClock(() => 1_000)
    clock.advance(500)
    expect(clock.now()).toBe(1_500)
    expect(clock.aheadMs()).toBe(500)
    expect(() => clock.advance(-1)).toThrow(RangeError)
    expect(() => clock.advance(Number.NaN)).toThrow(RangeError)
    clock.reset()
    expect(clock.now()).toBe(1_000)
  })
})
