import type { Database } from '#server/platform/database/database.ts'

// biome-ignore lint/suspicious/noExplicitAny: methods of every shape
type Method = (...args: any[]) => Promise<any>

/**
 * A store or service whose named methods, which need the transaction of a caller, begin one where none is open: for tests
 * that call them as the only step.
 */
export function transacting<T extends object, K extends keyof T & string>(
  database: Database,
  subject: T & { readonly [N in K]: Method },
  names: readonly K[],
): T {
  const isOpen = () => {
    try {
      database.assertTransaction()
      return true
    } catch {
      return false
    }
  }
  const begun = names.map((name) => [
    name,
    (...args: Parameters<Method>) =>
      isOpen() ? subject[name](...args) : database.transaction(() => subject[name](...args)),
  ])
  return { ...subject, ...Object.fromEntries(begun) }
}
