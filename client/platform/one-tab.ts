/** The slowest regular response takes 10 s; a suspended tab may hold the lock for ever. */
const lockTimeoutMs = 10_000

/**
 * Runs `work` while no other tab of this browser runs work of the same name. Without a lock manager (pages without TLS),
 * or when another tab holds the lock for too long, it runs nevertheless.
 */
export async function oneTabAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work()
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), lockTimeoutMs)
  let hasStarted = false
  try {
    return await navigator.locks.request(name, { signal: waiting.signal }, () => {
      hasStarted = true
      clearTimeout(timer)
      return work()
    })
  } catch (error) {
    if (hasStarted) throw error
    return await work()
  } finally {
    clearTimeout(timer)
  }
}
