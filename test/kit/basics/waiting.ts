import { setImmediate } from 'node:timers'
import { vi } from 'vitest'
import { patienceMs } from './patience.ts'

/*
 * Set-up file: `vi.waitFor` and Testing Library wait for `patienceMs` instead of one second, unless a test gives a
 * timeout. Under a fake clock Testing Library waits without moving it: what is under way goes on, and time passes only
 * where a test says so.
 */

const waitFor = vi.waitFor
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: patienceMs, ...options })

if (typeof document !== 'undefined') {
  const { act, configure, getConfig } = await import('@testing-library/react')
  const { asyncWrapper } = getConfig()
  const now = performance.now.bind(performance)
  let waitingSince = now()
  configure({
    asyncUtilTimeout: patienceMs,
    asyncWrapper: (callback) => {
      waitingSince = now()
      return asyncWrapper(callback)
    },
    unstable_advanceTimersWrapper: async (callback) => {
      const result = await act(callback)
      await new Promise<void>((resolve) => setImmediate(resolve))
      return result
    },
  })
  // Testing Library asks for this global by name before it waits under a fake clock. Its own limit is a timer of that
  // clock, so a wait that has lasted `patienceMs` of real time moves it. A timer of no delay that a timer sets is due a
  // millisecond later: it runs, too.
  const isDue = ({ callAt }: { callAt: number }, at: number) => callAt <= at + 1
  const jest = {
    advanceTimersByTime() {
      const { now: at, timers } = (setTimeout as unknown as { clock: FakeClock }).clock
      const isOver = now() - waitingSince > patienceMs
      vi.advanceTimersByTime(
        isOver ? patienceMs : Number([...timers.values()].some((each) => isDue(each, at))),
      )
    },
  }
  Object.assign(globalThis, { jest })
}

interface FakeClock {
  now: number
  timers: Map<number, { callAt: number }>
}
