import { setTimeout as delay } from 'node:timers/promises'

/**
 * Asks again until `attempt` neither throws nor resolves to undefined, and returns what it resolved to.
 * After `withinMs` it throws the last failure, so that a test says what was missing and not only that time ran out.
 */
export async function eventually<T>(
  attempt: () => T | undefined | Promise<T | undefined>,
  { withinMs = 10_000, everyMs = 50 } = {},
): Promise<T> {
  const deadline = Date.now() + withinMs
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
      throw new Error(`still not so after ${withinMs} ms: ${message}`, { cause: failure })
    }
    await delay(everyMs)
  }
}
