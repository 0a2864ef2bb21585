import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { manualClock } from '#test/kit/clock.ts'
import { createDatabaseWatch } from './watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A watch whose checks end when the test says so. */
function openWatch() {
  const lines: unknown[] = []
  const log = (line: unknown) => void lines.push(line)
  const checks: PromiseWithResolvers<void>[] = []
  const clock = manualClock()
  const watch = createDatabaseWatch({
    check() {
      const answered = Promise.withResolvers<void>()
      checks.push(answered)
      return answered.promise
    },
    log: { info: log, warn: log, error: log },
    clock,
  })
  watch.start()
  const pass = async (ms: number) => {
    clock.advance(ms)
    await vi.advanceTimersByTimeAsync(ms)
  }
  return { watch, lines, checks, pass }
}

describe('the state of the database', () => {
  it('is up until a check fails, and is logged once when it changes, with the time that it was down', async () => {
    const { watch, lines, checks, pass } = openWatch()
    await pass(2_000)
    checks[0]?.resolve()
    await pass(2_000)
    expect(watch.isUp()).toBe(true)
    expect(lines).toEqual([])
    const reason = new Error('no connection')
    checks[1]?.reject(reason)
    await pass(2_000)
    expect(watch.isUp()).toBe(false)
    checks[2]?.reject(new Error('still none'))
    await pass(2_000)
    checks[3]?.resolve()
    await pass(0)
    expect(watch.isUp()).toBe(true)
    expect(lines).toEqual([
      { event: 'database.down', err: reason },
      { event: 'database.up', downMs: 4_000 },
    ])
    await watch.stop()
  })

  it('is down while a check has no answer, which is waited for without a second one', async () => {
    const { watch, lines, checks, pass } = openWatch()
    await pass(2_000)
    expect(watch.isUp()).toBe(true)
    await pass(2_000)
    expect(watch.isUp()).toBe(false)
    await pass(20_000)
    expect(checks).toHaveLength(1)
    checks[0]?.resolve()
    await pass(0)
    expect(watch.isUp()).toBe(true)
    expect(lines).toMatchObject([{ event: 'database.down' }, { event: 'database.up', downMs: 22_000 }])
    await watch.stop()
  })

  it('is not asked any more after the end, which waits for the last answer', async () => {
    const { watch, checks, pass } = openWatch()
    await pass(2_000)
    let isStopped = false
    const stopping = watch.stop().then(() => {
      isStopped = true
    })
    await pass(10_000)
    expect(isStopped).toBe(false)
    checks[0]?.resolve()
    await stopping
    await pass(10_000)
    expect(checks).toHaveLength(1)
  })
})
