/** Runs works of one key one after the other, also after one that failed. Works of different keys run side by side. */
export function createTurns<K>() {
  /** The last work of each key. */
  const turns = new Map<K, Promise<unknown>>()
  return async <T>(key: K, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(key) ?? Promise.resolve()).then(work)
    const settled = turn.catch(() => undefined)
    turns.set(key, settled)
    try {
      return await turn
    } finally {
      if (turns.get(key) === settled) turns.delete(key)
    }
  }
}
