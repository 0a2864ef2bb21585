/**
 * Runs `work` with a signal that aborts after `ms` milliseconds, or with `outer`, whose reason it then has.
 * Not AbortSignal.any, which browsers from before 2024 lack.
 */
export async function withDeadline<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer?.reason)
  if (outer?.aborted) onAbort()
  outer?.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => controller.abort(), ms)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', onAbort)
  }
}
