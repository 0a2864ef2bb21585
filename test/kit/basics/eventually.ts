import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from './patience.ts'

/**
 * Repeats `attempt` until it resolves to a value, and returns that value. On timeout it throws the last failure, so
 * that the message says what was missing. `withinMs` can only lengthen the wait.
 */
export async function eventually<T>(
  attempt: () => T | undefined | Promise<T | undefined>,
  { withinMs = patienceMs, everyMs = 50 } = {},
): Promise<T> {
  const waitMs = Math.max(withinMs, patienceMs)
  const deadline = Date.now() + waitMs
  for (;;) {
    let failure: unknown
    try {
      const result = await attempt()
      if (result !== undefined) return result
      failure = new Error('there was no result yet')
    } catch (error) {
      failure = error
    }
    if (Date.now() >= deadline) {
      const message = failure instanceof Error ? failure.message : String(failure)
      throw new Error(`still not so after ${waitMs} ms: ${message}`, { cause: failure })
    }
    await delay(everyMs)
  }
}
