import { onTestFinished } from 'vitest'

/** Gives jsdom the part of the lock manager that the client uses: exclusive locks, in turn, which can be aborted. */
export function stubLocks(): void {
  const turns = new Map<string, Promise<unknown>>()
  const request = async <T>(
    name: string,
    { signal }: { signal: AbortSignal },
    work: () => Promise<T>,
  ): Promise<T> => {
    const before = turns.get(name) ?? Promise.resolve()
    const given = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => given.reject(signal.reason))
    void before.then(() => given.resolve())
    const turn = given.promise.then(work)
    turns.set(name, Promise.allSettled([before, turn]))
    return turn
  }
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'))
}
