export async function inTimeOr<T>(work: Promise<T>, ms: number, late: () => T): Promise<T> {
  const limit = Promise.withResolvers<T>()
  const timer = setTimeout(() => limit.resolve(late()), ms)
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
