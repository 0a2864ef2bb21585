export type Turns<K> = <T>(key: K, work: () => Promise<T>) => Promise<T>

export function createTurns<K>(): Turns<K> {
  const turns = new Map<K, Promise<unknown>>()
  return async (key, work) => {
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
