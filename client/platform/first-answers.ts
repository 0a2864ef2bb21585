/** A call that the document has begun before the app ran (before-app.js). */
interface FirstAnswer {
  readonly answer: Promise<Response>
  /** Ends the call, also while its body comes. */
  readonly stop: AbortController
  /** When it was begun, in epoch milliseconds. */
  readonly at: number
}

declare global {
  interface Window {
    /** By path and query; undefined once the app has asked. */
    firstAnswers?: Map<string, FirstAnswer | undefined>
  }
}

/** The longest age of the document and of the call: an older answer may show an earlier state. */
const youngMs = 10_000

/**
 * The answer to a call that the document has begun: once, and while the document is young. Undefined when there
 * was no such call, and when it got no answer.
 * @throws the reason of `signal` when it aborts
 */
export function takeFirstAnswer(
  href: string,
  signal: AbortSignal,
): Promise<Response | undefined> | undefined {
  if (performance.now() > youngMs) return undefined
  window.firstAnswers ??= new Map()
  const begun = window.firstAnswers.get(href)
  window.firstAnswers.set(href, undefined)
  if (begun === undefined) return undefined
  // The age of a document does not count the time that a phone slept; a clock may have been set back.
  const age = Date.now() - begun.at
  if (!(age >= 0 && age <= youngMs)) return undefined
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        begun.stop.abort(signal.reason)
        reject(signal.reason)
      },
      { once: true },
    )
    begun.answer.then(resolve, () => resolve(undefined))
  })
}
