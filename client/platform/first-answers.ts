/** A call that the document has begun before the app ran (before-app.js). */
interface FirstAnswer {
  /** Rejects where it was not sent after all. */
  readonly answer: Promise<Response>
  /** By `performance.now()`. */
  readonly at: number
}

declare global {
  interface Window {
    /** By path and query. */
    firstAnswers?: Map<string, FirstAnswer>
  }
}

/** An older answer is of a page that has been left, or of an app that came late. */
const youngMs = 10_000

/**
 * The answer to a call that the document has begun: once, and while it is young. Undefined where there is none, also when
 * it was not sent after all.
 * @throws the reason of `signal` when it aborts
 */
export function takeFirstAnswer(
  href: string,
  signal: AbortSignal,
): Promise<Response | undefined> | undefined {
  const begun = window.firstAnswers?.get(href)
  window.firstAnswers?.delete(href)
  if (begun === undefined || performance.now() - begun.at > youngMs) return undefined
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    begun.answer.then(resolve, () => resolve(undefined))
  })
}
